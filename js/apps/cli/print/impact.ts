import { countWords } from "../../../core/counts.js";
import { displaySymbol } from "../../../core/plain-words.js";
import type {
	AffectedItem,
	ImpactItem,
	ImpactResult,
	ReachingTest,
} from "../../../entries/node.js";
import { place, printable, type View } from "../view.js";
import { condition } from "./definitions.js";
import type { Printed } from "./queries.js";
import { pageSummary } from "./summary.js";

/** Prints what a change touches: symbols, what refers to them, and tests. */
export function printImpact(result: ImpactResult, view: View): Printed {
	const { items, affected, affected_total, tests, tests_total } = result;
	const rows = [
		...items.map((item) => changedRow(item, view)),
		...section(
			"referred to by:",
			affected.map((item) => affectedRow(item, view)),
			affected_total,
			view,
		),
		...section(
			"tests that reach them:",
			tests.map((test) => testRow(test, view)),
			tests_total,
			view,
		),
	];
	return { rows, summary: pageSummary(result, view, "changed symbol") };
}

export function section(
	heading: string,
	rows: string[],
	total: number,
	{ colors: { bold, dim } }: View,
): string[] {
	if (rows.length === 0) return [];
	const more = total - rows.length;
	const rest = more > 0 ? [dim(`  … and ${more} more`)] : [];
	return ["", bold(heading), ...rows, ...rest];
}

function changedRow(item: ImpactItem, view: View): string {
	const { dim, bold, yellow } = view.colors;
	const { changes, kind, symbol, file, start_line, was } = item;
	const name = bold(printable(displaySymbol(symbol)));
	const isElsewhere = was !== null && was.symbol !== symbol;
	const from = isElsewhere
		? dim(`  was ${printable(displaySymbol(was.symbol))}`)
		: "";
	const at = place(view, file, start_line);
	return `${yellow(changes.join(", "))}  ${dim(kind)} ${name}${from}  ${at}${condition(item, view)}`;
}

function affectedRow(item: AffectedItem, view: View): string {
	const { dim, yellow } = view.colors;
	const { of, edge, via, depth, resolution, file, line, start_utf16 } = item;
	const far = via.length < depth ? undefined : via.at(-1);
	const name =
		far === undefined ? dim("module level") : printable(displaySymbol(far));
	const doubt =
		resolution === "candidate" ? yellow(" (only the name matches)") : "";
	const at = place(view, file, line, start_utf16 + 1);
	const target = printable(displaySymbol(of));
	return `${"  ".repeat(depth)}${name} ${dim(`${edge} ${target}`)}${doubt}  ${at}${condition(item, view)}`;
}

export function testRow(test: ReachingTest, view: View): string {
	const { file, symbol, line, depth, reaches } = test;
	const name =
		symbol === null ? "module level" : printable(displaySymbol(symbol));
	const steps =
		depth === 0 ? "changed itself" : `in ${countWords(depth, "step")}`;
	const about = `reaches ${countWords(reaches, "symbol")}, ${steps}`;
	return `  ${name}  ${place(view, file, line)}  ${view.colors.dim(about)}`;
}
