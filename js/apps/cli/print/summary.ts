import { wrapAnsi } from "fast-wrap-ansi";
import { countWords, formatCount } from "../../../core/counts.js";
import {
	describeFreshness,
	describeSkipReason,
} from "../../../core/plain-words.js";
import { describeSince } from "../../../core/since-words.js";
import { sureness } from "../../../core/sureness.js";
import type {
	Completeness,
	Doubt,
	RagToolMeta,
	Skipped,
} from "../../../entries/node.js";
import { printable, printableLines, type View } from "../view.js";

/** An answer that has pages. */
export interface PagedAnswer {
	meta: RagToolMeta;
	items: readonly unknown[];
	total: number | null;
	truncated: boolean;
	cursor: string | null;
	skipped: readonly Skipped[];
	completeness: Completeness;
	doubts: readonly Doubt[];
	/** Only answers about a symbol have them. */
	suggestions?: readonly string[];
	/** The definitions of the symbol, if the rows are something else. */
	definitions?: readonly unknown[];
}

/** Skipped files that a summary names. */
const MAX_NAMED = 3;

/**
 * Returns the lines that say how many rows there are, how fresh they are, and how to go on. `noun`
 * names what a row is.
 */
export function pageSummary(
	answer: PagedAnswer,
	view: View,
	noun = "row",
): string[] {
	const { items, total, truncated, cursor, meta } = answer;
	const shown = countWords(items.length, noun);
	const rows = !truncated
		? shown
		: total === null
			? `${shown}, and there may be more`
			: `${formatCount(items.length)} of ${countWords(total, noun)}`;
	const next = cursor === null ? [] : [`next page: --cursor ${cursor}`];
	return [
		...skippedLine(answer, view),
		...summaryLines(meta, `${rows}${printable(sureness(answer))}`, view),
		...next.map(view.colors.dim),
	];
}

/** Returns the line that says how many things there are and how fresh they are. */
export function summaryLines(
	meta: RagToolMeta,
	rows: string,
	view: View,
): string[] {
	const { bold, red, yellow, dim } = view.colors;
	const { text, tone } = describeFreshness(meta);
	if (tone === "error") {
		const code = red(bold(`ERROR ${meta.error_code}:`));
		return [`${code} ${printableLines(forTerminal(text))}`];
	}
	const words = printable(text.replace(/\.$/, ""));
	const files = meta.files === null ? "" : ` ${dim(fileCounts(meta.files))}`;
	const shown = tone === "warning" ? yellow(words) : words;
	const differs = meta.since === null ? [] : [describeSince(meta.since)];
	return [
		...differs.map((line) => `since the receipt: ${printable(line)}`),
		...wrapped(`${bold(rows)} · ${shown}${files}`, view),
	];
}

/** Options have other names on the command line than in programs. */
function forTerminal(message: string): string {
	return message.replace(
		/\b(timeout_ms|max_(?:file_bytes|files|folders|depth|read_bytes|memory_bytes))\b/g,
		(name) => `--${name.replaceAll("_", "-")}`,
	);
}

function wrapped(text: string, { columns }: View): string[] {
	return (columns === undefined ? text : wrapAnsi(text, columns)).split("\n");
}

function fileCounts(files: NonNullable<RagToolMeta["files"]>): string {
	const skipped = files.skipped === 0 ? "" : `, ${files.skipped} skipped`;
	return `(${countWords(files.graph + files.live, "file")}${skipped})`;
}

function skippedLine({ skipped, meta }: PagedAnswer, view: View): string[] {
	if (skipped.length === 0) return [];
	const names = skipped
		.slice(0, MAX_NAMED)
		.map(
			({ file, reason }) =>
				`${printable(file)} (${describeSkipReason(reason)})`,
		);
	const total = meta.files?.skipped ?? skipped.length;
	const more = total - names.length;
	const named = skipped.length < total ? skipped.length : "all";
	const rest = more > 0 ? `, and ${more} more (--json names ${named})` : "";
	return [view.colors.dim(`skipped: ${names.join(", ")}${rest}`)];
}
