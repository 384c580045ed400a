import type { Definition } from "../../../core/api.js";
import type { TextLines } from "./text-lines.js";

/** The lines of documentation that are looked at. */
const MAX_LINES = 60;

/** A line of a comment, with its text. */
const COMMENT =
	/^\s*(?:\/\/[/!]?|#(?!\[|!|\w)|--+|;;+|\/\*+!?|\*+(?!\/))\s?(.*)$/;
/** A line between a comment and its definition: a decorator, an attribute or an annotation. */
const ATTRIBUTE = /^\s*(?:@|#\[|\[\w)/;
/** The mark that opens a documentation string within a definition, also one of Elixir. */
const QUOTES = /^\s*(?:@moduledoc\s+)?[rRuU]?("""|''')/;
/** The mark that opens a documentation string above a definition of Elixir. */
const DOC_ABOVE = /^\s*@(?:type)?doc\s+~?S?"""$/;

/**
 * Returns the documentation of a definition, by its text alone: the string with which its body
 * begins, as in Python, or the comment directly above it. It is `""` if there is none.
 */
export function docstringOf(
	lines: TextLines,
	{ start_line, end_line }: Pick<Definition, "start_line" | "end_line">,
): string {
	return (
		stringInside(lines, start_line, end_line) ??
		stringAbove(lines, start_line) ??
		commentAbove(lines, start_line)
	);
}

/** Returns the text between triple quotes at the beginning of a body. */
function stringInside(
	lines: TextLines,
	start: number,
	end: number,
): string | undefined {
	const first = firstLineOfBody(lines, start, end);
	const [opening, quotes] = QUOTES.exec(lines.line(first)) ?? [];
	if (opening === undefined || quotes === undefined) return undefined;
	const last = Math.min(end, first + MAX_LINES);
	const text = [lines.line(first).slice(opening.length)];
	for (let line = first + 1; line < last; line += 1)
		text.push(lines.line(line));
	const [inside = ""] = text.join("\n").split(quotes);
	return withoutIndent(inside);
}

/** Returns the index of the line after the one that ends the header of a definition in Python. */
function firstLineOfBody(lines: TextLines, start: number, end: number): number {
	for (let line = start - 1; line < end; line += 1) {
		if (/:\s*(?:#.*)?$/.test(lines.line(line))) return line + 1;
	}
	return start;
}

/** Returns the text between triple quotes directly above a definition. */
function stringAbove(lines: TextLines, start: number): string | undefined {
	const last = start - 2;
	if (lines.line(last).trim() !== '"""') return undefined;
	const text: string[] = [];
	for (let line = last - 1; line >= Math.max(0, last - MAX_LINES); line -= 1) {
		if (DOC_ABOVE.test(lines.line(line))) {
			return withoutIndent(["", ...text].join("\n"));
		}
		text.unshift(lines.line(line));
	}
	return undefined;
}

function commentAbove(lines: TextLines, start: number): string {
	const found: string[] = [];
	let line = start - 2;
	while (line >= 0 && ATTRIBUTE.test(lines.line(line))) line -= 1;
	for (; line >= 0 && found.length < MAX_LINES; line -= 1) {
		const text = commentText(lines.line(line));
		if (text === undefined) break;
		found.unshift(text);
		if (/^\s*\/\*/.test(lines.line(line))) break;
	}
	return found.join("\n").trim();
}

/** Returns the text of a line of a comment; `undefined` for other lines. */
function commentText(line: string): string | undefined {
	if (/^\s*\*+\/\s*$/.test(line)) return "";
	return COMMENT.exec(line)?.[1]?.replace(/\s*\*+\/\s*$/, "");
}

/** Removes the common indentation of all lines but the first. */
function withoutIndent(text: string): string {
	const [first = "", ...others] = text.split("\n");
	const indents = others
		.filter((line) => line.trim() !== "")
		.map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
	const indent = Math.min(...indents, Number.MAX_SAFE_INTEGER);
	const rest = others.map((line) => line.slice(indent).trimEnd());
	return [first.trim(), ...rest].join("\n").trim();
}
