import { countWords } from "../../../core/counts.js";
import { displaySymbol } from "../../../core/plain-words.js";
import type { RagResult, TraceItem } from "../../../entries/node.js";
import { place, printable, type View } from "../view.js";
import { condition } from "./definitions.js";
import type { Printed } from "./queries.js";
import { summaryLines } from "./summary.js";

/** Prints symbols of one state, each with where it is in the other. */
export function printTrace(
	{ items, meta }: RagResult<TraceItem>,
	view: View,
): Printed {
	const rows = items.map((item) => traceRow(item, view));
	const count = countWords(items.length, "symbol");
	return { rows, summary: summaryLines(meta, count, view) };
}

function traceRow(item: TraceItem, view: View): string {
	const { dim, bold, yellow } = view.colors;
	const { symbol, kind, start_line, end_line, found, match } = item;
	const name = `${dim(kind)} ${bold(printable(displaySymbol(symbol)))}`;
	const lines = dim(`lines ${start_line}–${end_line}`);
	if (found === null) {
		const why = match === "ambiguous" ? "several fit" : "not found";
		return `${name}  ${lines}  ${yellow(why)}${condition(item, view)}`;
	}
	const there = printable(displaySymbol(found.symbol));
	const other = found.symbol === symbol ? "" : ` ${bold(there)}`;
	const at = place(view, found.file, found.start_line);
	return `${name}  ${lines}  ${yellow(match ?? "")}${other}  ${at}${condition(found, view)}`;
}
