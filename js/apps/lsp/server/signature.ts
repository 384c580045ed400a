import type { Definition } from "../../../core/api.js";
import type { TextLines } from "./text-lines.js";

/** The lines of a signature that are shown. */
const MAX_LINES = 20;
/** Texts and comments, whose brackets are none of the code. */
const TEXT_OR_COMMENT = /"[^"\n]*"|(?:\/\/|# ).*$/gm;

/**
 * Returns the lines with which a definition begins, until its body: up to the line on which the name
 * has stood and all brackets are closed, without an opening brace at its end.
 *
 * @param nameLine the line of the name, from 1: in C++ a return type may stand above it
 */
export function signatureOf(
	lines: TextLines,
	{ start_line, end_line }: Pick<Definition, "start_line" | "end_line">,
	nameLine: number,
): string {
	const shown: string[] = [];
	const last = Math.min(end_line, start_line + MAX_LINES - 1);
	for (let line = start_line; line <= last; line += 1) {
		shown.push(lines.line(line - 1));
		if (line >= nameLine && hasClosedBrackets(shown.join("\n"))) break;
	}
	const code = withoutIndent(shown).join("\n");
	return code.replace(/\s*\{\s*$/, "").trimEnd();
}

function hasClosedBrackets(text: string): boolean {
	const code = text.replace(TEXT_OR_COMMENT, "");
	const opened = code.match(/[([]/g)?.length ?? 0;
	const closed = code.match(/[)\]]/g)?.length ?? 0;
	return opened <= closed;
}

function withoutIndent(lines: readonly string[]): string[] {
	const [indent = ""] = /^\s*/.exec(lines[0] ?? "") ?? [];
	return lines.map((line) =>
		line.startsWith(indent) ? line.slice(indent.length) : line.trimStart(),
	);
}
