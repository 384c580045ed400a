import type { NavItem } from "../generated/glue.js";

/** The units that a long line keeps before its match, and the mark where it is cut. */
const KEPT_BEFORE = 100;
const CUT = "…";

/** The line of a row, divided at its match. */
export interface MarkedLine {
	before: string;
	match: string;
	after: string;
}

/** The parts of a row that say what its line is. */
export type RowWithLine = Pick<
	NavItem,
	"line" | "start_utf16" | "end_utf16" | "snippet"
>;

/**
 * Divides the line of a row at its match, for highlighting. A long line is cut in the snippet, so
 * the columns of the row do not fit it as they are.
 *
 * @example
 * ```js
 * import { markedLine, open } from "ragnav";
 * import { memoryHost } from "ragnav/hosts/memory";
 *
 * const nav = await open(memoryHost({ "a.txt": "one two three" }));
 * const [row] = (await nav.search("two")).items;
 * console.log(markedLine(row)); // { before: 'one ', match: 'two', after: ' three' }
 * nav.close();
 * ```
 */
export function markedLine(row: RowWithLine): MarkedLine {
	const { shown, isCut } = shownLine(row);
	const { start_utf16, end_utf16 } = row;
	const start = isCut ? KEPT_BEFORE + CUT.length : start_utf16;
	const end = start + end_utf16 - start_utf16;
	return {
		before: shown.slice(0, start),
		match: shown.slice(start, end),
		after: shown.slice(end),
	};
}

/**
 * Returns the number of bytes of UTF-8 before the match on its line. What a row lacks of a long
 * line counts as ASCII, so the result may be too small, but never too large.
 */
export function bytesBeforeMatch(row: RowWithLine): number {
	const { isCut } = shownLine(row);
	const { before } = markedLine(row);
	const known = isCut ? before.slice(CUT.length) : before;
	const lacking = row.start_utf16 - known.length;
	return lacking + new TextEncoder().encode(known).byteLength;
}

/** Returns the line of a row as its snippet has it, and whether it lacks its start. */
function shownLine({ line, start_utf16, snippet }: RowWithLine) {
	const lines = snippet.text.split("\n");
	const shown = lines[line - snippet.location.start_line] ?? "";
	const isCut = shown.startsWith(CUT) && start_utf16 > KEPT_BEFORE;
	return { shown, isCut };
}
