import { relative } from "node:path";
import { pathToFileURL } from "node:url";
import stringWidth from "fast-string-width";
import pc from "picocolors";
import supportsHyperlinks from "supports-hyperlinks";
import type { MarkedLine } from "../../core/marked-line.js";
import { printable, printableLines } from "./printable.js";
import { absolutePath, type Repositories } from "./repositories.js";

export { printable, printableLines };

/** How answers look on the output they go to. */
export interface View {
	repositories: Repositories;
	colors: ReturnType<typeof pc.createColors>;
	/** The width of the terminal in columns; `undefined` for lines of any length. */
	columns: number | undefined;
	layout: Layout;
	/** Whether paths are links. */
	hasLinks: boolean;
}

/** Rows below the name of their file, each on one line, or as editors parse them. */
export type Layout = "grouped" | "lines" | "vimgrep";

export type ColorChoice = "auto" | "always" | "never";

/** Returns the view of standard output. */
export function newView(
	repositories: Repositories,
	{ color, layout }: { color: ColorChoice; layout: Layout },
): View {
	const { columns } = process.stdout;
	const isTTY = isTerminal();
	return {
		repositories,
		colors: colorsFor(color),
		// A terminal of unknown width says 0.
		columns: isTTY && columns > 0 ? columns : undefined,
		layout,
		hasLinks: isTTY && supportsHyperlinks.stdout,
	};
}

/** Returns the colours of a choice; `auto` follows the terminal, `NO_COLOR` and `FORCE_COLOR`. */
export function colorsFor(color: ColorChoice): View["colors"] {
	if (color === "auto") return pc.createColors(isColorful());
	return pc.createColors(color === "always");
}

function isColorful(): boolean {
	const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
	if (NO_COLOR) return false;
	if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0";
	return isTerminal() && TERM !== "dumb";
}

/** Node.js declares `isTTY` as a boolean; on a pipe it is `undefined`. */
function isTerminal(): boolean {
	return process.stdout.isTTY === true;
}

/** Returns the path of a file of the repository as a person types it in the working folder. */
export function shownPath({ repositories }: View, file: string): string {
	return displayPath(absolutePath(repositories, file));
}

/** Returns an absolute path, or the path from the working folder if that is shorter. */
export function displayPath(path: string): string {
	const shorter = relative(process.cwd(), path);
	return printable(shorter.length < path.length ? shorter : path);
}

/** Returns `path`, `path:line` or `path:line:column`, as a link where the terminal knows links. */
export function place(
	view: View,
	file: string,
	line?: number,
	column?: number,
): string {
	const { magenta, green } = view.colors;
	const parts = [magenta(shownPath(view, file))];
	if (line !== undefined) parts.push(green(String(line)));
	if (column !== undefined) parts.push(String(column));
	return linked(view, parts.join(":"), file, line, column);
}

/** Returns text as a link to a place, in the editor that the terminal belongs to if it has one. */
export function linked(
	{ repositories, hasLinks }: View,
	text: string,
	file: string,
	line = 1,
	column = 1,
): string {
	if (!hasLinks) return text;
	const url = pathToFileURL(absolutePath(repositories, file));
	const isVsCode = process.env.TERM_PROGRAM === "vscode";
	const href = isVsCode
		? `vscode://file${url.pathname}:${line}:${column}`
		: url.href;
	return `\u001B]8;;${href}\u0007${text}\u001B]8;;\u0007`;
}

/** Returns the line within some columns, with the marked part in sight. */
export function fitLine(line: MarkedLine, columns: number): MarkedLine {
	const { before, match, after } = line;
	if (stringWidth(before + match + after) <= columns) return line;
	const shownMatch = fitEnd(match, columns);
	const room = Math.max(0, columns - stringWidth(shownMatch));
	// Half of the room is for the text before, and more if the text after is short.
	const roomBefore = Math.max(room >> 1, room - stringWidth(after));
	const shownBefore = cutStart(before, roomBefore);
	const roomAfter = room - stringWidth(shownBefore);
	return {
		before: shownBefore,
		match: shownMatch,
		after: fitEnd(after, roomAfter),
	};
}

/** Returns the start of a text within some columns. */
export function fitEnd(text: string, columns: number): string {
	if (stringWidth(text) <= columns) return text;
	return `${within([...text], columns - 1).join("")}…`;
}

function cutStart(text: string, columns: number): string {
	if (stringWidth(text) <= columns) return text;
	return `…${within([...text].reverse(), columns - 1)
		.reverse()
		.join("")}`;
}

/** Returns the first letters that fit. */
function within(letters: string[], columns: number): string[] {
	let room = columns;
	const end = letters.findIndex((letter) => {
		room -= stringWidth(letter);
		return room < 0;
	});
	return end < 0 ? letters : letters.slice(0, end);
}
