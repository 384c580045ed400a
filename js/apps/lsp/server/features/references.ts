import type { Location, ReferenceParams } from "vscode-languageserver";
import type { CallOptions } from "../../../../core/driver.js";
import { aboutName } from "../failures.js";
import type { Feature } from "../feature.js";
import { allReferences } from "../pages.js";
import { askedName, type Session } from "../session.js";

/** Lists the references to a name. */
export const REFERENCES: Feature = {
	capabilities: () => ({ referencesProvider: { workDoneProgress: true } }),
	register: ({ connection, handler }) => {
		connection.onReferences(handler("Finding references", findReferences));
	},
};

async function findReferences(
	session: Session,
	{ context, ...params }: ReferenceParams,
	call: CallOptions,
): Promise<Location[] | null> {
	const asked = await askedName(session, params, call);
	if (asked === undefined) return null;
	const { repository, files, place } = asked;
	const { references } = session.settings;
	const found = await allReferences(repository, place, references, call);
	if (aboutName(found.answer) === undefined) return null;
	const uses = found.rows.map((row) => files.rowLocation(row));
	if (!context?.includeDeclaration) return uses;
	const { definitions } = found.answer;
	const declared = definitions.map((item) => files.location(item));
	return [...(await Promise.all(declared)), ...uses];
}
