import type { ImplementationParams, Location } from "vscode-languageserver";
import type { Definition } from "../../../../core/api.js";
import type { CallOptions } from "../../../../core/driver.js";
import { aboutName } from "../failures.js";
import type { Feature } from "../feature.js";
import type { FilesOfRequest } from "../files-of-request.js";
import { allSubtypes, overrides } from "../related-definitions.js";
import { askedName, type Session } from "../session.js";
import type { Settings } from "../settings.js";
import { isType } from "../symbols.js";

/** Lists the types that inherit from a type, and the methods that override a method. */
export const IMPLEMENTATION: Feature = {
	capabilities: () => ({ implementationProvider: { workDoneProgress: true } }),
	register: ({ connection, handler }) => {
		const title = "Finding implementations";
		connection.onImplementation(handler(title, findImplementations));
	},
};

async function findImplementations(
	session: Session,
	params: ImplementationParams,
	call: CallOptions,
): Promise<Location[] | null> {
	const asked = await askedName(session, params, call);
	if (asked === undefined) return null;
	const { repository, files, place } = asked;
	const answer = aboutName(await repository.nav.definition(place, call));
	const found: Location[] = [];
	for (const definition of answer?.items ?? []) {
		const { settings } = session;
		found.push(...(await implementations(files, definition, settings)));
	}
	return found;
}

async function implementations(
	files: FilesOfRequest,
	definition: Definition,
	settings: Settings,
): Promise<Location[]> {
	if (isType(definition.kind)) return inheriting(files, definition, settings);
	if (definition.kind !== "method") return [];
	const methods = await overrides(files, definition, settings);
	return Promise.all(methods.map((method) => files.location(method)));
}

async function inheriting(
	files: FilesOfRequest,
	type: Definition,
	settings: Settings,
): Promise<Location[]> {
	const { types, outside } = await allSubtypes(files, type, settings);
	return [
		...(await Promise.all(types.map((one) => files.location(one)))),
		...outside.map((row) => files.rowLocation(row)),
	];
}
