import * as vscode from "vscode";
import type { DefinitionKind, OutlineItem } from "../../../entries/slim.js";
import { type Navigators, pathIn, signalOf } from "./navigators.js";

const KINDS: Record<DefinitionKind, vscode.SymbolKind> = {
	class: vscode.SymbolKind.Class,
	function: vscode.SymbolKind.Function,
	method: vscode.SymbolKind.Method,
	interface: vscode.SymbolKind.Interface,
	enum: vscode.SymbolKind.Enum,
	type: vscode.SymbolKind.Struct,
	namespace: vscode.SymbolKind.Namespace,
};

/** Provides the outline of a document: its definitions as a tree. */
export class DocumentSymbols implements vscode.DocumentSymbolProvider {
	readonly #navigators: Navigators;

	constructor(navigators: Navigators) {
		this.#navigators = navigators;
	}

	async provideDocumentSymbols(
		document: vscode.TextDocument,
		token: vscode.CancellationToken,
	): Promise<vscode.DocumentSymbol[]> {
		const repository = await this.#navigators.of(document.uri);
		if (repository === undefined) return [];
		const file = pathIn(repository, document.uri);
		const signal = signalOf(token);
		const { items } = await repository.nav.outline(file, { signal });
		return items.map((item) => documentSymbol(document, item));
	}
}

function documentSymbol(
	document: vscode.TextDocument,
	item: OutlineItem,
): vscode.DocumentSymbol {
	const last = Math.min(item.end_line, document.lineCount) - 1;
	const first = document.lineAt(Math.min(item.start_line - 1, last)).range;
	const whole = new vscode.Range(first.start, document.lineAt(last).range.end);
	const symbol = new vscode.DocumentSymbol(
		item.name,
		"",
		KINDS[item.kind],
		whole,
		first,
	);
	symbol.children = item.children.map((child) =>
		documentSymbol(document, child),
	);
	return symbol;
}
