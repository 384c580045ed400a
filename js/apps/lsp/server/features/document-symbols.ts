import type {
	DocumentSymbol,
	DocumentSymbolParams,
	SymbolInformation,
} from "vscode-languageserver";
import type { OutlineItem } from "../../../../core/api.js";
import type { CallOptions } from "../../../../core/driver.js";
import { describeCondition, nameWithin } from "../../../../core/plain-words.js";
import type { Feature } from "../feature.js";
import { type FilesOfRequest, flattened } from "../files-of-request.js";
import { askedFile, type Session } from "../session.js";
import { containerOfSymbol, SYMBOL_KINDS } from "../symbols.js";

/** Lists the definitions of a document as a tree. */
export const DOCUMENT_SYMBOLS: Feature = {
	capabilities: () => ({ documentSymbolProvider: { label: "ragnav" } }),
	register: ({ connection, handler }) => {
		connection.onDocumentSymbol(handler("Outline", listSymbols));
	},
};

async function listSymbols(
	session: Session,
	{ textDocument }: DocumentSymbolParams,
	call: CallOptions,
): Promise<DocumentSymbol[] | SymbolInformation[]> {
	const asked = await askedFile(session, textDocument, call);
	if (asked === undefined) return [];
	const { path, files } = asked;
	const items = await files.outline(path);
	const { documentSymbol } = session.client.textDocument ?? {};
	return documentSymbol?.hierarchicalDocumentSymbolSupport
		? Promise.all(items.map((item) => treeOf(files, item)))
		: Promise.all(flattened(items).map((item) => flatSymbol(files, item)));
}

async function treeOf(
	files: FilesOfRequest,
	item: OutlineItem,
	container?: OutlineItem,
): Promise<DocumentSymbol> {
	const { range, name } = await files.place(item);
	const children = item.children.map((child) => treeOf(files, child, item));
	return {
		name: nameWithin(item, container),
		detail: describeCondition(item),
		kind: SYMBOL_KINDS[item.kind],
		range,
		selectionRange: name,
		children: await Promise.all(children),
	};
}

async function flatSymbol(
	files: FilesOfRequest,
	item: OutlineItem,
): Promise<SymbolInformation> {
	const { uri, range } = await files.place(item);
	return {
		name: item.name,
		kind: SYMBOL_KINDS[item.kind],
		location: { uri, range },
		containerName: containerOfSymbol(item.symbol),
	};
}
