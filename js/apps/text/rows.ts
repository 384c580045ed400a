import type {
	LineageItem,
	LineageResult,
	NavItem,
	SearchResult,
	WhereUsedResult,
} from "../../core/api.js";
import { describeEdge } from "../../core/edge-words.js";
import { markedLine } from "../../core/marked-line.js";
import { describeCondition, displaySymbol } from "../../core/plain-words.js";
import { describeSteps } from "../../core/step-words.js";
import { subjectLines } from "./definitions.js";

/** Returns the rows of a search. */
export function searchText({ items }: SearchResult): string[] {
	return grouped(items, rowLine);
}

/** Returns the references below the definitions that they are about; candidates come last. */
export function whereUsedText(answer: WhereUsedResult): string[] {
	const { symbol, definitions, items } = answer;
	return [
		...subjectLines(symbol, definitions),
		...byResolution(items, (rows) => grouped(rows, rowLine)),
	];
}

/** Returns the steps of a lineage below the definitions that it starts from. */
export function lineageText(answer: LineageResult): string[] {
	const { symbol, direction, definitions, items } = answer;
	const print = (item: LineageItem) => stepLine(item, direction);
	return [
		...subjectLines(symbol, definitions),
		...byResolution(items, (rows) => grouped(rows, print)),
	];
}

function byResolution<R extends NavItem>(
	items: readonly R[],
	print: (rows: readonly R[]) => string[],
): string[] {
	const isCandidate = ({ resolution }: R) => resolution === "candidate";
	const candidates = items.filter(isCandidate);
	const resolved = items.filter((item) => !isCandidate(item));
	if (candidates.length === 0) return print(resolved);
	return [...print(resolved), "only the name matches:", ...print(candidates)];
}

/** Returns rows below the name of their file. */
export function grouped<R extends { file: string }>(
	items: readonly R[],
	print: (item: R) => string,
): string[] {
	return items.flatMap((item, at) => {
		const isFirst = item.file !== items[at - 1]?.file;
		return isFirst ? [item.file, print(item)] : [print(item)];
	});
}

/** `15:20  call  in shop.cart.Cart.total  return sum(price_of(article))` */
function rowLine(item: NavItem): string {
	const { kind, symbol } = item;
	const around = symbol === null ? "" : `in ${displaySymbol(symbol)}`;
	return fields([
		placeOf(item),
		kind === "text" ? "" : kind,
		around,
		byOf(item),
		describeCondition(item),
		textOf(item),
		whyOf(item),
	]);
}

/** `15:20  called by  shop.cart.Cart.total  return sum(price_of(article))` */
export function stepLine(
	item: LineageItem,
	direction: LineageResult["direction"],
): string {
	const { edge, via, depth } = item;
	const end = via.length < depth ? undefined : via.at(-1);
	const name = end === undefined ? "module level" : displaySymbol(end);
	const way = via.slice(0, -1).map(displaySymbol).join(" > ");
	const through = way === "" ? "" : `through ${way}`;
	return fields([
		placeOf(item),
		describeEdge(edge, direction),
		name,
		through,
		byOf(item),
		describeCondition(item),
		textOf(item),
		whyOf(item),
	]);
}

/** `imported as price (shop/cart.py:3)`, where it was asked for. */
function whyOf({ steps = [] }: NavItem): string {
	return steps.length === 0 ? "" : `[${describeSteps(steps)}]`;
}

function placeOf({ line, start_utf16 }: NavItem): string {
	return `  ${line}:${start_utf16 + 1}`;
}

/** Says who resolved a row, if ragnav did not. */
function byOf({ evidence }: NavItem): string {
	return evidence === "compiler" ? "by a compiler" : "";
}

function textOf(item: NavItem): string {
	const { before, match, after } = markedLine(item);
	return `${before}${match}${after}`.trim();
}

function fields(parts: readonly string[]): string {
	return parts.filter((part) => part !== "").join("  ");
}
