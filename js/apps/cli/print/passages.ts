import stringWidth from "fast-string-width";
import { countWords } from "../../../core/counts.js";
import {
	groupByFile,
	type MarkedText,
	markedPassage,
	passageName,
} from "../../../core/marked-passage.js";

import type { AgentResult, Passage } from "../../../entries/node.js";
import type { RowPlace } from "../terminal.js";
import { fitEnd, linked, place, printable, type View } from "../view.js";
import type { Printed } from "./queries.js";
import { summaryLines } from "./summary.js";

/** The fewest columns that a sentence about a passage is cut to. */
const MIN_SENTENCE = 20;

/** Prints passages below the name of their file. */
export function printPassages(result: AgentResult, view: View): Printed {
	const { dim } = view.colors;
	const groups = groupByFile(result.items);
	const width = Math.max(0, ...result.items.map((item) => lineOf(item).length));
	const rows = groups.flatMap(({ path, passages }, at) => {
		const gap = at === 0 ? [] : [""];
		const heading = path === null ? [] : [place(view, path)];
		const lines = passages.flatMap((one) => passageLines(one, view, width));
		return [...gap, ...heading, ...lines];
	});
	if (result.omitted > 0) {
		const more = countWords(result.omitted, "passage");
		rows.push(dim(`… and ${more} that do not fit (--budget)`));
	} else if (result.truncated) {
		rows.push(dim("… the first text is cut (--budget)"));
	}
	const count = countWords(result.items.length, "passage");
	const summary = summaryLines(result.meta, count, view);
	return { rows, summary: [...warningLines(result, view), ...summary] };
}

/** Returns a line for each warning about how the question was understood. */
function warningLines({ meta }: AgentResult, { colors }: View): string[] {
	const warnings = meta.plan?.warnings ?? [];
	return warnings.map(({ message }) =>
		colors.yellow(`warning: ${printable(message)}`),
	);
}

/** Returns the places of passages in the order in which they are printed. */
export function passagePlaces({ items }: AgentResult): RowPlace[] {
	const printed = groupByFile(items).flatMap(({ passages }) => passages);
	return printed.map(({ citation }) => ({
		file: citation?.path,
		line: citation?.start_line ?? 1,
	}));
}

function passageLines(passage: Passage, view: View, width: number): string[] {
	const indent = " ".repeat(width + 4);
	const lines = markedPassage(passage).map((line) => coloured(line, view));
	while (lines.at(-1)?.trim() === "") lines.pop();
	return [
		headingOf(passage, view, width),
		...lines.map((line) => `${indent}${line}`.trimEnd()),
	];
}

/** Returns the line that says what a passage is: `  12  Cart.total  method of Cart — Adds up.` */
function headingOf(passage: Passage, view: View, width: number): string {
	const { bold, green, yellow, dim } = view.colors;
	const { citation, match, about, summary } = passage;
	const number = lineOf(passage).padStart(width);
	const path = citation?.path;
	const line = citation?.start_line ?? 1;
	const at = path ? linked(view, green(number), path, line) : number;
	const name = printable(passageName(passage));
	const news =
		match === null || match === "exact" ? "" : yellow(`  (${match})`);
	const said = printable(about);
	const head = `  ${at}  ${bold(name)}  ${dim(said)}${news}`;
	if (summary === null) return head;
	const room =
		(view.columns ?? Number.POSITIVE_INFINITY) - stringWidth(head) - 3;
	if (room < MIN_SENTENCE) return head;
	return `${head}${dim(` — ${fitEnd(printable(summary), room)}`)}`;
}

function lineOf({ citation }: Passage): string {
	return String(citation?.start_line ?? "");
}

function coloured(line: MarkedText[], view: View): string {
	const { bold, red } = view.colors;
	const parts = line.map(({ text, isTerm }) => {
		const shown = printable(text);
		return isTerm ? bold(red(shown)) : shown;
	});
	return parts.join("");
}
