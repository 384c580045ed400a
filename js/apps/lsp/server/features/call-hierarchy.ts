import {
	type CallHierarchyIncomingCall,
	type CallHierarchyIncomingCallsParams,
	type CallHierarchyItem,
	type CallHierarchyOutgoingCall,
	type CallHierarchyOutgoingCallsParams,
	type CallHierarchyPrepareParams,
	SymbolKind,
} from "vscode-languageserver";
import type { LineageItem } from "../../../../core/api.js";
import type { CallOptions } from "../../../../core/driver.js";
import { nameOf } from "../../../../hosts/shared/relative-path.js";
import { aboutName } from "../failures.js";
import type { Feature } from "../feature.js";
import { type FilesOfRequest, rangeOfRow } from "../files-of-request.js";
import { grouped } from "../grouped.js";
import {
	askedItem,
	hierarchyItem,
	hierarchyItems,
} from "../hierarchy-items.js";
import { callees, callers } from "../related-definitions.js";
import { askedName, type Session } from "../session.js";
import { rangeInLine } from "../text-lines.js";

/** Follows calls from a definition to its callers and callees. */
export const CALL_HIERARCHY: Feature = {
	capabilities: () => ({ callHierarchyProvider: { workDoneProgress: true } }),
	register: ({ connection, handler }) => {
		const { callHierarchy } = connection.languages;
		callHierarchy.onPrepare(handler("Finding the definition", prepare));
		callHierarchy.onIncomingCalls(handler("Finding callers", incomingCalls));
		callHierarchy.onOutgoingCalls(handler("Finding callees", outgoingCalls));
	},
};

async function prepare(
	session: Session,
	params: CallHierarchyPrepareParams,
	call: CallOptions,
): Promise<CallHierarchyItem[] | null> {
	const asked = await askedName(session, params, call);
	if (asked === undefined) return null;
	const { repository, files, place } = asked;
	const answer = aboutName(await repository.nav.definition(place, call));
	return hierarchyItems(files, answer?.items ?? []);
}

async function incomingCalls(
	session: Session,
	{ item }: CallHierarchyIncomingCallsParams,
	call: CallOptions,
): Promise<CallHierarchyIncomingCall[]> {
	const { files, definition } = await askedItem(session, item, call);
	const { settings } = session;
	const { inside, outside } = await callers(files, definition, settings);
	const found = inside.map(async ({ definition, rows }) => ({
		from: await hierarchyItem(files, definition),
		fromRanges: rows.map(rangeOfRow),
	}));
	return [...(await Promise.all(found)), ...callsOfModules(files, outside)];
}

/** Returns the calls at module level, which no definition encloses, for each file. */
function callsOfModules(
	{ repository }: FilesOfRequest,
	rows: readonly LineageItem[],
): CallHierarchyIncomingCall[] {
	const byFile = grouped(rows, ({ file }) => file);
	return [...byFile].map(([file, ofFile]) => {
		const start = rangeInLine(0, 0, 0);
		return {
			from: {
				name: nameOf(file),
				kind: SymbolKind.Module,
				detail: file,
				uri: repository.uriOf(file),
				range: start,
				selectionRange: start,
			},
			fromRanges: ofFile.map(rangeOfRow),
		};
	});
}

async function outgoingCalls(
	session: Session,
	{ item }: CallHierarchyOutgoingCallsParams,
	call: CallOptions,
): Promise<CallHierarchyOutgoingCall[]> {
	const { files, definition } = await askedItem(session, item, call);
	const found = await callees(files, definition, session.settings);
	const calls = found.map(async ({ definition, rows }) => ({
		to: await hierarchyItem(files, definition),
		fromRanges: rows.map(rangeOfRow),
	}));
	return Promise.all(calls);
}
