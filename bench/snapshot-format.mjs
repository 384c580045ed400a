/**
 * An occurrence in a snapshot: its line from 1, its columns from 0, what it is (`definition`,
 * `reference` and others) and its symbol.
 *
 * @typedef {{ line: number, start: number, end: number, role: string, symbol: string }} Occurrence
 */

/** Carets below a line of source, what they mark, and its symbol. */
const MARK = /^(\/\/|#)(\s*)(\^+) ([a-z_]+) +(\S.*)$/;

/**
 * Reads the snapshot of a file: its lines, each followed by comments that say what is in it, as
 * `scip snapshot` of https://github.com/scip-code/scip writes them. Newer snapshots indent the source
 * by the length of a comment's start. In older ones that hides the first columns.
 *
 * @param {string} snapshot
 * @param {string} source the text of the file
 * @returns {Occurrence[] | undefined} `undefined` if the snapshot is of another text
 */
export function readSnapshot(snapshot, source) {
	const lines = source.split("\n");
	const indent = indentOf(snapshot, lines);
	/** @type {Occurrence[]} */
	const found = [];
	let read = 0;
	for (const text of snapshot.split("\n")) {
		const mark = MARK.exec(text);
		const line = lines[read - 1] ?? "";
		if (mark === null) {
			const own = " ".repeat(indent) + (lines[read] ?? "");
			if (read < lines.length && text.trimEnd() === own.trimEnd()) read += 1;
			continue;
		}
		const [, comment = "", blank = "", carets = "", role = "", symbol = ""] =
			mark;
		const first = comment.length + blank.length - indent;
		const end = first + carets.length;
		const isHidden = indent === 0 && blank === "";
		const start = isHidden ? nameStart(line, end) : first;
		found.push({ line: read, start, end, role, symbol: symbol.trim() });
	}
	const rest = lines.slice(read);
	return rest.every((line) => line.trim() === "") ? found : undefined;
}

/**
 * @param {string} snapshot
 * @param {string[]} lines
 */
function indentOf(snapshot, lines) {
	const first = lines.find((line) => line.trim() !== "") ?? "";
	const shown = snapshot.split("\n");
	const indents = [0, 1, 2];
	return indents.find((by) => shown.includes(" ".repeat(by) + first)) ?? 0;
}

/**
 * Returns where the name begins that ends at a column.
 *
 * @param {string} line
 * @param {number} end
 */
function nameStart(line, end) {
	const before = /[\w$#]*$/.exec(line.slice(0, end))?.[0] ?? "";
	return end - before.length;
}
