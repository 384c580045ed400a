import type * as vscode from "vscode";
import type { Definition } from "../../../entries/slim.js";
import { pathIn, type Repository } from "./navigators.js";

/** The symbol at the cursor: the name of a definition, or a reference. */
export interface SymbolAt {
	/** A full id or a bare name. */
	symbol: string;
	/** The definition, if the cursor is on its name. */
	definition: Definition | undefined;
}

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/u;

/** Returns the symbol at a position; `undefined` if there is no name. */
export async function symbolAt(
	repository: Repository,
	document: vscode.TextDocument,
	position: vscode.Position,
): Promise<SymbolAt | undefined> {
	const range = document.getWordRangeAtPosition(position, NAME);
	if (range === undefined) return undefined;
	const name = document.getText(range);
	const line = position.line + 1;
	const file = pathIn(repository, document.uri);
	const { items } = await repository.nav.identify(file, line);
	const definition = items.find(
		({ symbol, start_line }) =>
			start_line === line && symbol.split(".").at(-1) === name,
	);
	return { symbol: definition?.symbol ?? name, definition };
}
