import type { ExploreResult, Source } from "../../core/api.js";
import { displaySymbol } from "../../core/plain-words.js";
import { definitionsText } from "./definitions.js";
import { section, testLine } from "./impact.js";
import { grouped, stepLine } from "./rows.js";

/** Returns definitions, the source of the first, its callers, its callees and its tests. */
export function exploreText(answer: ExploreResult): string[] {
	const { code, callers, callers_total, callees, callees_total } = answer;
	const { tests, tests_total } = answer;
	const calling = grouped(callers, (item) => stepLine(item, "upstream"));
	const called = grouped(callees, (item) => stepLine(item, "downstream"));
	return [
		...definitionsText(answer),
		...(code === null ? [] : sourceLines(code)),
		...section("callers", calling, callers.length, callers_total),
		...section("callees", called, callees.length, callees_total),
		...section(
			"tests that reach it",
			tests.map(testLine),
			tests.length,
			tests_total,
		),
	];
}

function sourceLines({ symbol, end_line, start_line, ...code }: Source) {
	const lines = end_line - start_line + 1;
	const isCut = code.shown_lines < lines;
	const cut = isCut ? ` (${code.shown_lines} of ${lines} lines)` : "";
	return [`source of ${displaySymbol(symbol)}${cut}:`, code.text];
}
