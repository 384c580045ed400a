import type {
	Position,
	Range,
	SelectionRange,
	SelectionRangeParams,
} from "vscode-languageserver";
import type { OutlineItem } from "../../../../core/api.js";
import type { CallOptions } from "../../../../core/driver.js";
import { invalidParams } from "../failures.js";
import type { Feature } from "../feature.js";
import { flattened } from "../files-of-request.js";
import { askedFile, checkedPosition, type Session } from "../session.js";
import { rangeInLine, type TextLines } from "../text-lines.js";

/** Extends a selection: the name, its line, the definitions around it, and the document. */
export const SELECTION: Feature = {
	capabilities: () => ({ selectionRangeProvider: true }),
	register: ({ connection, handler }) => {
		connection.onSelectionRanges(handler("Outline", extendSelections));
	},
};

async function extendSelections(
	session: Session,
	{ textDocument, positions }: SelectionRangeParams,
	call: CallOptions,
): Promise<SelectionRange[] | null> {
	if (!Array.isArray(positions))
		throw invalidParams("positions must be a list");
	const asked = await askedFile(session, textDocument, call);
	if (asked === undefined) return null;
	const checked = positions.map((position) => checkedPosition(asked, position));
	const items = flattened(await asked.files.outline(asked.path));
	return checked.map((at) => nested(rangesAround(asked.lines, items, at)));
}

/** Returns the ranges around a position, outer ones first. */
function rangesAround(
	lines: TextLines,
	items: readonly OutlineItem[],
	position: Position,
): Range[] {
	const line = position.line + 1;
	const around = items
		.filter(
			({ start_line, end_line }) => start_line <= line && line <= end_line,
		)
		.map(({ start_line, end_line }) =>
			lines.rangeOfLines(start_line - 1, end_line - 1),
		);
	const text = lines.line(position.line);
	const start = text.length - text.trimStart().length;
	const code = rangeInLine(position.line, start, text.trimEnd().length);
	const name = lines.nameAt(position);
	return [
		lines.rangeOfLines(0, lines.count - 1),
		...around,
		...(holds(code, position) ? [code] : []),
		name ?? { start: position, end: position },
	];
}

function holds({ start, end }: Range, { character }: Position): boolean {
	return start.character <= character && character <= end.character;
}

/** Returns the innermost range, each with the next outer one as its parent. */
function nested(ranges: readonly Range[]): SelectionRange {
	const [outer, ...inner] = ranges;
	let selection: SelectionRange = { range: outer ?? rangeInLine(0, 0, 0) };
	for (const range of inner) selection = { range, parent: selection };
	return selection;
}
