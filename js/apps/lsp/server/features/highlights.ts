import {
	type DocumentHighlight,
	DocumentHighlightKind,
	type DocumentHighlightParams,
} from "vscode-languageserver";
import type { CallOptions } from "../../../../core/driver.js";
import { aboutName } from "../failures.js";
import type { Feature } from "../feature.js";
import { rangeOfRow } from "../files-of-request.js";
import { allReferences } from "../pages.js";
import { askedName, type Session } from "../session.js";

/** Highlights a symbol in its document: where it is defined, and what refers to it. */
export const HIGHLIGHTS: Feature = {
	capabilities: () => ({
		documentHighlightProvider: { workDoneProgress: true },
	}),
	register: ({ connection, handler }) => {
		connection.onDocumentHighlight(handler("Finding references", findUses));
	},
};

async function findUses(
	session: Session,
	params: DocumentHighlightParams,
	call: CallOptions,
): Promise<DocumentHighlight[] | null> {
	const asked = await askedName(session, params, call);
	if (asked === undefined) return null;
	const { repository, path, files, place } = asked;
	const { references } = session.settings;
	const found = await allReferences(repository, place, references, call);
	if (aboutName(found.answer) === undefined) return null;
	const uses = found.rows
		.filter(({ file }) => file === path)
		.map((row) => ({
			range: rangeOfRow(row),
			kind: DocumentHighlightKind.Text,
		}));
	const definitions = found.answer.definitions
		.filter(({ file }) => file === path)
		.map(async (definition) => ({
			range: (await files.place(definition)).name,
			kind: DocumentHighlightKind.Write,
		}));
	return [...(await Promise.all(definitions)), ...uses];
}
