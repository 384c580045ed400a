import stringWidth from "fast-string-width";
import {
	bytesBeforeMatch,
	type MarkedLine,
	markedLine,
} from "../../../core/marked-line.js";
import { describeCondition, displaySymbol } from "../../../core/plain-words.js";
import type { NavItem } from "../../../entries/node.js";
import { fitLine, linked, place, printable, type View } from "../view.js";
import { stepsOf } from "./steps.js";

/** A text is cut to no fewer columns than these. */
const MIN_TEXT = 20;

/** Prints rows with their text: below the name of their file, or each on one line. */
export function printRows(items: readonly NavItem[], view: View): string[] {
	if (view.layout === "vimgrep")
		return items.map((item) => plainRow(item, view));
	if (view.layout === "lines") return items.map((item) => oneLine(item, view));
	const width = Math.max(0, ...items.map((item) => position(item).length));
	return items.flatMap((item, at) => {
		const isFirst = item.file !== items[at - 1]?.file;
		const gap = at === 0 ? [] : [""];
		const heading = isFirst ? [...gap, place(view, item.file)] : [];
		return [...heading, ...groupedRow(item, view, width)];
	});
}

/** Prints `path:line:column:text` as ripgrep does. Vim counts columns in bytes of UTF-8. */
function plainRow(item: NavItem, view: View): string {
	const { before, match, after } = lineOf(item);
	const at = `${place(view, item.file, item.line)}:${bytesBeforeMatch(item) + 1}`;
	return `${at}:${before}${match}${after}`;
}

function oneLine(item: NavItem, view: View): string {
	const at = place(view, item.file, item.line, item.start_utf16 + 1);
	const line = trimmed(lineOf(item));
	const about = aboutOf(item);
	const explained = explanationOf(item, view);
	const condition = printable(describeCondition(item));
	const aside = [about === "" ? "" : `(${about})`, condition, explained ?? ""]
		.filter(Boolean)
		.join("  ");
	return `${at}: ${colored(line, view)}${aside === "" ? "" : view.colors.dim(`  ${aside}`)}`;
}

function groupedRow(item: NavItem, view: View, width: number): string[] {
	const { colors, columns } = view;
	const explained = explanationOf(item, view);
	const at = linked(
		view,
		colors.green(position(item).padStart(width)),
		item.file,
		item.line,
		item.start_utf16 + 1,
	);
	const about = aboutOf(item);
	const condition = printable(describeCondition(item));
	const said = [about === "" ? "" : `(${about})`, condition].filter(Boolean);
	const aside = said.map((part) => `  ${part}`).join("");
	const room =
		columns === undefined
			? Number.POSITIVE_INFINITY
			: columns - width - 4 - stringWidth(aside);
	const isNarrow = room < MIN_TEXT;
	const textRoom = isNarrow ? (columns ?? 0) - width - 4 : room;
	const line = fitLine(trimmed(lineOf(item)), Math.max(MIN_TEXT, textRoom));
	const indent = " ".repeat(width + 4);
	const rows = isNarrow
		? [
				`  ${at}  ${colored(line, view)}`,
				`${indent}${colors.dim(aside.trim())}`,
			]
		: [`  ${at}  ${colored(line, view)}${colors.dim(aside)}`];
	const summary = item.enrichment?.summary;
	if (summary) rows.push(`${indent}${colors.dim(`“${printable(summary)}”`)}`);
	if (explained) rows.push(`${indent}${colors.dim(explained)}`);
	return rows;
}

/**
 * Says why a row is one: what its score consists of, as in `0.9 = 1 × (0.4 + 1 × (name 0.5))  user,
 * name`, or how its name leads to the symbol.
 */
function explanationOf(item: NavItem, view: View): string | undefined {
	return scoreOf(item) ?? (stepsOf(item, view) || undefined);
}

function scoreOf({ score, explanation }: NavItem): string | undefined {
	if (explanation === undefined) return undefined;
	const { terms, document, share, factor, ...file } = explanation;
	const parts = Object.entries(file).filter(([, part]) => part > 0);
	const sum = parts.map(([name, part]) => `${name} ${part}`).join(" + ");
	const added = sum === "" ? "" : ` + ${share} × (${sum})`;
	return `${score} = ${factor} × (${document}${added})  ${terms.map(printable).join(", ")}`;
}

function position({ line, start_utf16 }: NavItem): string {
	return `${line}:${start_utf16 + 1}`;
}

/** Says what a row is and what encloses it: `call in shop.cart.Cart.total`. */
function aboutOf({ kind, symbol, evidence }: NavItem): string {
	const name = symbol === null ? "" : printable(displaySymbol(symbol));
	if (kind === "definition") return name;
	const around = name === "" ? "" : `in ${name}`;
	const by = evidence === "compiler" ? "by a compiler" : "";
	const said = kind === "text" ? "" : kind;
	return [said, around, by].filter(Boolean).join(" ");
}

function colored({ before, match, after }: MarkedLine, view: View): string {
	const { bold, red } = view.colors;
	return `${before}${match === "" ? "" : bold(red(match))}${after}`;
}

/** Returns the line of a row with control characters replaced. */
function lineOf(item: NavItem): MarkedLine {
	const { before, match, after } = markedLine(item);
	return {
		before: printable(before),
		match: printable(match),
		after: printable(after),
	};
}

function trimmed({ before, match, after }: MarkedLine): MarkedLine {
	return { before: before.trimStart(), match, after: after.trimEnd() };
}
