import type {
	TypeHierarchyItem,
	TypeHierarchyPrepareParams,
	TypeHierarchySubtypesParams,
	TypeHierarchySupertypesParams,
} from "vscode-languageserver";
import type { CallOptions } from "../../../../core/driver.js";
import { aboutName } from "../failures.js";
import type { Feature } from "../feature.js";
import { askedItem, hierarchyItems } from "../hierarchy-items.js";
import { subtypes, supertypes } from "../related-definitions.js";
import { askedName, type Session } from "../session.js";
import { isType } from "../symbols.js";

/** Follows inheritance from a type to those above and below it. */
export const TYPE_HIERARCHY: Feature = {
	capabilities: () => ({ typeHierarchyProvider: { workDoneProgress: true } }),
	register: ({ connection, handler }) => {
		const { typeHierarchy } = connection.languages;
		typeHierarchy.onPrepare(handler("Finding the type", prepare));
		typeHierarchy.onSupertypes(handler("Finding supertypes", above));
		typeHierarchy.onSubtypes(handler("Finding subtypes", below));
	},
};

async function prepare(
	session: Session,
	params: TypeHierarchyPrepareParams,
	call: CallOptions,
): Promise<TypeHierarchyItem[] | null> {
	const asked = await askedName(session, params, call);
	if (asked === undefined) return null;
	const { repository, files, place } = asked;
	const answer = aboutName(await repository.nav.definition(place, call));
	const types = answer?.items.filter(({ kind }) => isType(kind)) ?? [];
	return types.length === 0 ? null : hierarchyItems(files, types);
}

async function above(
	session: Session,
	{ item }: TypeHierarchySupertypesParams,
	call: CallOptions,
): Promise<TypeHierarchyItem[]> {
	const { files, definition } = await askedItem(session, item, call);
	const types = await supertypes(files, definition, session.settings);
	return hierarchyItems(files, types);
}

async function below(
	session: Session,
	{ item }: TypeHierarchySubtypesParams,
	call: CallOptions,
): Promise<TypeHierarchyItem[]> {
	const { files, definition } = await askedItem(session, item, call);
	const { inside } = await subtypes(files, definition, session.settings);
	return hierarchyItems(
		files,
		inside.map((found) => found.definition),
	);
}
