import { SymbolKind } from "vscode-languageserver";
import { type DefinitionKind, displaySymbol } from "../../../core/api.js";

/** The protocol's kind of each kind of definition. */
export const SYMBOL_KINDS: Readonly<Record<DefinitionKind, SymbolKind>> = {
	class: SymbolKind.Class,
	function: SymbolKind.Function,
	method: SymbolKind.Method,
	interface: SymbolKind.Interface,
	enum: SymbolKind.Enum,
	type: SymbolKind.Struct,
	namespace: SymbolKind.Namespace,
	module: SymbolKind.Module,
};

/** The kinds of definitions that others may inherit from. */
const TYPE_KINDS: ReadonlySet<DefinitionKind> = new Set([
	"class",
	"interface",
	"enum",
	"type",
]);

export function isType(kind: DefinitionKind): boolean {
	return TYPE_KINDS.has(kind);
}

/** Returns the name of a symbol without those around it. */
export function nameOfSymbol(symbol: string): string {
	return displaySymbol(symbol.slice(symbol.lastIndexOf(".") + 1));
}

/** Returns the names around a symbol; `""` without any. */
export function containerOfSymbol(symbol: string): string {
	return displaySymbol(symbol.slice(0, Math.max(0, symbol.lastIndexOf("."))));
}
