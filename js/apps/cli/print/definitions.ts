import { countWords } from "../../../core/counts.js";
import {
	describeCondition,
	displaySymbol,
	nameWithin,
} from "../../../core/plain-words.js";
import type { Definition, OutlineItem } from "../../../entries/node.js";
import { place, printable, type View } from "../view.js";

/** Definitions that are listed before the rows; more are summarised. */
const MAX_LISTED = 5;

/** Prints definitions, one a line. */
export function printDefinitions(
	items: readonly Definition[],
	view: View,
): string[] {
	const { dim, bold, yellow } = view.colors;
	return items.map((item) => {
		const lines = dim(`lines ${item.start_line}–${item.end_line}`);
		const isNews = item.match !== null && item.match !== "exact";
		const news = isNews ? `  ${yellow(item.match ?? "")}` : "";
		const name = bold(printable(displaySymbol(item.symbol)));
		const at = place(view, item.file, item.start_line);
		return `${at}  ${dim(item.kind)} ${name}  ${lines}${news}${condition(item, view)}`;
	});
}

/** Prints the definitions that rows are about, or how many there are. */
export function printSubjects(
	symbol: string,
	definitions: readonly Definition[],
	view: View,
): string[] {
	const { dim, bold } = view.colors;
	const listed = definitions.slice(0, MAX_LISTED).map((item) => {
		const name = bold(printable(displaySymbol(item.symbol)));
		const at = place(view, item.file, item.start_line);
		return `${dim(item.kind)} ${name}  ${at}${condition(item, view)}`;
	});
	const total = definitions.length;
	if (total <= MAX_LISTED) return [...listed, ...(total > 0 ? [""] : [])];
	const name = printable(displaySymbol(symbol));
	const more = `${countWords(total, "definition")} of ${name}; a longer name, such as ${bold(suffixOf(definitions[0], symbol))}, narrows them`;
	return [...listed, dim(`… ${more}`), ""];
}

/** Prints the condition under which a row is compiled; returns "" if it always is. */
export function condition(row: { condition?: string }, view: View): string {
	const said = printable(describeCondition(row));
	return said === "" ? "" : view.colors.dim(`  ${said}`);
}

/** Returns the shortest longer name of a definition. */
function suffixOf(definition: Definition | undefined, symbol: string): string {
	const parts = displaySymbol(definition?.symbol ?? "").split(".");
	const given = displaySymbol(symbol).split(".").length;
	return printable(parts.slice(-(given + 1)).join("."));
}

/** Prints the definitions of a file as a tree. */
export function printOutline(
	items: readonly OutlineItem[],
	view: View,
): string[] {
	const { dim, bold } = view.colors;
	const rows: string[] = [];
	const add = (
		item: OutlineItem,
		depth: number,
		container?: OutlineItem,
	): void => {
		const at = place(view, item.file, item.start_line);
		const lines = dim(`lines ${item.start_line}–${item.end_line}`);
		const name = `${dim(item.kind)} ${bold(printable(nameWithin(item, container)))}`;
		const when = condition(item, view);
		rows.push(`${"  ".repeat(depth)}${name}  ${at}  ${lines}${when}`);
		for (const child of item.children) add(child, depth + 1, item);
	};
	for (const item of items) add(item, 0);
	return rows;
}
