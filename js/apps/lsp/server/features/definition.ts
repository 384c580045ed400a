import type {
	DefinitionParams,
	Location,
	LocationLink,
} from "vscode-languageserver";
import type { CallOptions } from "../../../../core/driver.js";
import { aboutName } from "../failures.js";
import type { Feature } from "../feature.js";
import { askedName, type Session } from "../session.js";

/** Goes to the definitions of a name. */
export const DEFINITION: Feature = {
	capabilities: () => ({ definitionProvider: { workDoneProgress: true } }),
	register: ({ connection, handler }) => {
		connection.onDefinition(handler("Finding definitions", findDefinitions));
	},
};

async function findDefinitions(
	session: Session,
	params: DefinitionParams,
	call: CallOptions,
): Promise<Location[] | LocationLink[] | null> {
	const asked = await askedName(session, params, call);
	if (asked === undefined) return null;
	const { repository, files, place, range } = asked;
	const answer = aboutName(await repository.nav.definition(place, call));
	const items = answer?.items ?? [];
	const hasLinks = session.client.textDocument?.definition?.linkSupport;
	return hasLinks
		? Promise.all(items.map((item) => files.link(item, range)))
		: Promise.all(items.map((item) => files.location(item)));
}
