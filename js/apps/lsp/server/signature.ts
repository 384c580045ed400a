import type { Definition } from "../../../core/api.js";
import type { TextLines } from "./text-lines.js";

/** The lines of a signature that are shown. */
const MAX_LINES = 20;

/**
 * Returns the lines with which a definition begins, until its body: up to the line on which all
 * brackets are closed, without an opening brace at its end.
 */
export function signatureOf(
	lines: TextLines,
	{ start_line, end_line }: Pick<Definition, "start_line" | "end_line">,
): string {
	const shown: string[] = [];
	const last = Math.min(end_line, start_line + MAX_LINES - 1);
	for (let line = start_line; line <= last; line += 1) {
		shown.push(lines.line(line - 1));
		if (hasClosedBrackets(shown.join("\n"))) break;
	}
	const code = withoutIndent(shown).join("\n");
	return code.replace(/\s*\{\s*$/, "").trimEnd();
}

function hasClosedBrackets(text: string): boolean {
	const opened = text.match(/[([]/g)?.length ?? 0;
	const closed = text.match(/[)\]]/g)?.length ?? 0;
	return opened <= closed;
}

function withoutIndent(lines: readonly string[]): string[] {
	const [indent = ""] = /^\s*/.exec(lines[0] ?? "") ?? [];
	return lines.map((line) =>
		line.startsWith(indent) ? line.slice(indent.length) : line.trimStart(),
	);
}
