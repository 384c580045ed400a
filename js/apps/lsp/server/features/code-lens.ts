import type { CodeLens, CodeLensParams } from "vscode-languageserver";
import { describeCompleteness } from "../../../../core/api.js";
import { countWords } from "../../../../core/counts.js";
import type { CallOptions } from "../../../../core/driver.js";

import { succeeded } from "../failures.js";
import type { Feature } from "../feature.js";
import { flattened } from "../files-of-request.js";
import { askedItem } from "../hierarchy-items.js";
import { askedFile, type Session } from "../session.js";

/** Shows the number of references above definitions, to clients that choose it. */
export const CODE_LENS: Feature = {
	capabilities: ({ settings }) =>
		settings.codeLens ? { codeLensProvider: { resolveProvider: true } } : {},
	register: ({ connection, handler }) => {
		connection.onCodeLens(handler("Outline", listLenses));
		connection.onCodeLensResolve(handler("Counting references", countUses));
	},
};

async function listLenses(
	session: Session,
	{ textDocument }: CodeLensParams,
	call: CallOptions,
): Promise<CodeLens[]> {
	const asked = await askedFile(session, textDocument, call);
	if (asked === undefined) return [];
	const { path, files } = asked;
	const { uri } = textDocument;
	const lenses = flattened(await files.outline(path)).map(async (item) => {
		const { name } = await files.place(item);
		const { symbol, ordinal } = item;
		return { range: name, data: { uri, symbol, ordinal } };
	});
	return Promise.all(lenses);
}

async function countUses(
	session: Session,
	lens: CodeLens,
	call: CallOptions,
): Promise<CodeLens> {
	const { data } = lens;
	const asked = await askedItem(session, { uri: data?.uri, data }, call);
	const { files, definition } = asked;
	const { references } = session.settings;
	const answer = succeeded(
		await files.repository.nav.whereUsed(await files.subject(definition), {
			confidence: references,
			limit: 1,
			...call,
		}),
	);
	const { total } = answer;
	const count =
		total === null ? "many references" : countWords(total, "reference");
	const isProven = answer.completeness === "proven";
	const title = isProven ? count : `${count}, ${describeCompleteness(answer)}`;
	return { ...lens, command: { title, command: "" } };
}
