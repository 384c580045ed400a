import type { Definition, OutlineItem } from "../../core/api.js";
import { countWords } from "../../core/counts.js";
import {
	describeCondition,
	displaySymbol,
	nameWithin,
} from "../../core/plain-words.js";

/** Definitions that are named before the rows about them. */
const MAX_SUBJECTS = 5;

/** Returns definitions, one a line: `shop/cart.py:14-15  method  shop.cart.Cart.total`. */
export function definitionsText(answer: {
	items: readonly Definition[];
}): string[] {
	return answer.items.map(definitionLine);
}

/** Returns the definitions that rows are about, or how many there are. */
export function subjectLines(
	symbol: string,
	definitions: readonly Definition[],
): string[] {
	const more = definitions.length - MAX_SUBJECTS;
	const named = definitions.slice(0, MAX_SUBJECTS).map(definitionLine);
	if (more <= 0) return named;
	const rest = countWords(more, "further definition");
	return [...named, `… and ${rest} of ${symbol}; a longer name narrows them`];
}

/** Returns the definitions of a file as a tree below its name. */
export function outlineText(answer: {
	items: readonly OutlineItem[];
}): string[] {
	const { items } = answer;
	const files = items.slice(0, 1).map(({ file }) => file);
	return [...files, ...treeLines(items, "  ")];
}

/** Returns the number of definitions that an outline lists, those within others too. */
export function countOutline(answer: {
	items: readonly OutlineItem[];
}): number {
	return treeLines(answer.items, "").length;
}

function treeLines(
	items: readonly OutlineItem[],
	indent: string,
	container?: OutlineItem,
): string[] {
	return items.flatMap((item) => {
		const { start_line, end_line, kind, children } = item;
		const name = nameWithin(item, container);
		const condition = conditionOf(item);
		const line = `${indent}${start_line}-${end_line}  ${kind}  ${name}${condition}`;
		return [line, ...treeLines(children, `${indent}  `, item)];
	});
}

function definitionLine(definition: Definition): string {
	const { file, start_line, end_line, kind, symbol, match } = definition;
	const news = match === null || match === "exact" ? "" : `  (${match})`;
	return `${file}:${start_line}-${end_line}  ${kind}  ${displaySymbol(symbol)}${news}${conditionOf(definition)}`;
}

/** `  [if linux]`, or nothing for what is always compiled. */
export function conditionOf(row: { condition?: string }): string {
	const said = describeCondition(row);
	return said === "" ? "" : `  ${said}`;
}
