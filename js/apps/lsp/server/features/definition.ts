import type {
	DefinitionParams,
	Location,
	LocationLink,
} from "vscode-languageserver";
import type { LocateResult } from "../../../../core/api.js";
import type { CallOptions } from "../../../../core/driver.js";
import type { Navigator } from "../../../../core/navigator.js";
import { aboutName } from "../failures.js";
import type { Feature } from "../feature.js";
import { askedName, type Session } from "../session.js";

/** Goes to the definitions of a name. */
export const DEFINITION: Feature = {
	capabilities: () => ({ definitionProvider: { workDoneProgress: true } }),
	register: ({ connection, handler }) => {
		const find = finder("definition", (nav, place, call) =>
			nav.definition(place, call),
		);
		connection.onDefinition(handler("Finding definitions", find));
	},
};

/** Goes to the types of what a name means. */
export const TYPE_DEFINITION: Feature = {
	capabilities: () => ({ typeDefinitionProvider: { workDoneProgress: true } }),
	register: ({ connection, handler }) => {
		const find = finder("typeDefinition", (nav, place, call) =>
			nav.typeDefinition(place, call),
		);
		connection.onTypeDefinition(handler("Finding types", find));
	},
};

/** Answers with the definitions that a question about a place finds. */
function finder(
	request: "definition" | "typeDefinition",
	ask: (
		nav: Navigator,
		place: string,
		call: CallOptions,
	) => Promise<LocateResult>,
) {
	return async (
		session: Session,
		params: DefinitionParams,
		call: CallOptions,
	): Promise<Location[] | LocationLink[] | null> => {
		const asked = await askedName(session, params, call);
		if (asked === undefined) return null;
		const { repository, files, place, range } = asked;
		const answer = aboutName(await ask(repository.nav, place, call));
		const items = answer?.items ?? [];
		const hasLinks = session.client.textDocument?.[request]?.linkSupport;
		return hasLinks
			? Promise.all(items.map((item) => files.link(item, range)))
			: Promise.all(items.map((item) => files.location(item)));
	};
}
