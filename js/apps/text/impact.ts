import type { ImpactResult, ReachingTest } from "../../core/api.js";
import { displaySymbol } from "../../core/plain-words.js";
import { conditionOf } from "./definitions.js";
import { grouped, stepLine } from "./rows.js";

/** Returns changed symbols, what refers to them, and the tests that reach them. */
export function impactText(answer: ImpactResult): string[] {
	const { items, affected, affected_total, tests, tests_total } = answer;
	const symbols = items.map((item) => {
		const { changes, kind, symbol, file, start_line, was } = item;
		const isElsewhere = was !== null && was.symbol !== symbol;
		const from = isElsewhere ? `  was ${displaySymbol(was.symbol)}` : "";
		return `${changes.join(",")}  ${kind}  ${displaySymbol(symbol)}${from}  ${file}:${start_line}${conditionOf(item)}`;
	});
	const steps = grouped(affected, (item) => {
		const doubt = item.resolution === "candidate" ? "  (by name alone)" : "";
		const step = stepLine(item, "upstream");
		return `${step}  of ${displaySymbol(item.of)}${doubt}`;
	});
	const reaching = tests.map(testLine);
	return [
		...symbols,
		...section("referred to by", steps, affected.length, affected_total),
		...section("tests that reach them", reaching, tests.length, tests_total),
	];
}

export function section(
	heading: string,
	lines: string[],
	shown: number,
	total: number,
): string[] {
	if (lines.length === 0) return [];
	const count = shown < total ? ` (${shown} of ${total})` : "";
	return [`${heading}${count}:`, ...lines];
}

/** `tests/test_shop.py:5  tests.test_shop.test_order  depth 2, reaches 1` */
export function testLine(test: ReachingTest): string {
	const { file, line, symbol, depth, reaches } = test;
	const name = symbol === null ? "" : `  ${displaySymbol(symbol)}`;
	return `${file}:${line}${name}  depth ${depth}, reaches ${reaches}`;
}
