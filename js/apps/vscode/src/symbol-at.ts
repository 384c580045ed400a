import type * as vscode from "vscode";
import type { Definition } from "../../../entries/slim.js";
import { pathIn, type Repository } from "./navigators.js";

/** What the cursor is on: a definition's own name, or a name that is used. */
export interface SymbolAt {
	/** A full id or a bare name. */
	symbol: string;
	/** The definition whose name it is. */
	definition: Definition | undefined;
}

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/u;

/** The symbol at a position; `undefined` where no name is. */
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
