import type { FoldingRange, FoldingRangeParams } from "vscode-languageserver";
import type { CallOptions } from "../../../../core/driver.js";
import type { Feature } from "../feature.js";
import { flattened } from "../files-of-request.js";
import { askedFile, type Session } from "../session.js";

/** Folds definitions: from the line of their name to the end of their body. */
export const FOLDING: Feature = {
	capabilities: () => ({ foldingRangeProvider: true }),
	register: ({ connection, handler }) => {
		connection.onFoldingRanges(handler("Outline", foldDefinitions));
	},
};

async function foldDefinitions(
	session: Session,
	{ textDocument }: FoldingRangeParams,
	call: CallOptions,
): Promise<FoldingRange[]> {
	const asked = await askedFile(session, textDocument, call);
	if (asked === undefined) return [];
	const { path, files } = asked;
	return flattened(await files.outline(path))
		.filter(({ start_line, end_line }) => end_line > start_line)
		.map(({ start_line, end_line }) => ({
			startLine: start_line - 1,
			endLine: end_line - 1,
		}));
}
