import type { Range, SymbolKind } from "vscode-languageserver";
import type { Definition } from "../../../core/api.js";
import type { CallOptions } from "../../../core/driver.js";
import { failure, invalidParams } from "./failures.js";
import { FilesOfRequest, flattened } from "./files-of-request.js";
import type { Session } from "./session.js";
import { containerOfSymbol, nameOfSymbol, SYMBOL_KINDS } from "./symbols.js";

/** An item of a hierarchy of calls or types. */
export interface HierarchyItem {
	name: string;
	kind: SymbolKind;
	detail: string;
	uri: string;
	range: Range;
	selectionRange: Range;
	/** What names the definition when it has moved. */
	data: { symbol: string; ordinal: number };
}

/** Returns a definition as an item of a hierarchy. */
export async function hierarchyItem(
	files: FilesOfRequest,
	definition: Definition,
): Promise<HierarchyItem> {
	const { symbol, kind, ordinal } = definition;
	const { uri, range, name } = await files.place(definition);
	return {
		name: nameOfSymbol(symbol),
		kind: SYMBOL_KINDS[kind],
		detail: containerOfSymbol(symbol),
		uri,
		range,
		selectionRange: name,
		data: { symbol, ordinal },
	};
}

/** Returns definitions as items of a hierarchy. */
export function hierarchyItems(
	files: FilesOfRequest,
	definitions: readonly Definition[],
): Promise<HierarchyItem[]> {
	return Promise.all(definitions.map((one) => hierarchyItem(files, one)));
}

/** The definition of an item that the client sent back. */
export interface AskedItem {
	files: FilesOfRequest;
	definition: Definition;
}

/**
 * Finds the definition of an item in the current text, also after it has moved in its file.
 *
 * @throws ResponseError if the item is none of this server's, or its definition is gone
 */
export async function askedItem(
	{ workspace }: Session,
	item: { uri: string; data?: unknown },
	call: CallOptions,
): Promise<AskedItem> {
	const data = (item?.data ?? {}) as Partial<HierarchyItem["data"]>;
	if (typeof item?.uri !== "string" || typeof data.symbol !== "string") {
		throw invalidParams("the item is none that this server sent");
	}
	const { repository, path } = await workspace.requireFile(item.uri);
	const files = new FilesOfRequest(repository, call);
	const all = flattened(await files.outline(path)).filter(
		({ symbol }) => symbol === data.symbol,
	);
	const definition =
		all.find(({ ordinal }) => ordinal === data.ordinal) ?? all[0];
	if (definition !== undefined) return { files, definition };
	throw failure(
		"STALE_CURSOR",
		`${path} no longer defines ${nameOfSymbol(data.symbol)}; ask again at a name`,
	);
}
