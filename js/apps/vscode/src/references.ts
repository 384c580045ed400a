import * as vscode from "vscode";
import type { NavItem } from "../../../entries/slim.js";
import {
	type Navigators,
	type Repository,
	signalOf,
	uriOf,
} from "./navigators.js";
import { symbolAt } from "./symbol-at.js";

/** Provides the references of the symbol at the cursor. */
export class References implements vscode.ReferenceProvider {
	readonly #navigators: Navigators;
	readonly #limit: () => number;

	constructor(navigators: Navigators, limit: () => number) {
		this.#navigators = navigators;
		this.#limit = limit;
	}

	async provideReferences(
		document: vscode.TextDocument,
		position: vscode.Position,
		{ includeDeclaration }: vscode.ReferenceContext,
		token: vscode.CancellationToken,
	): Promise<vscode.Location[]> {
		const repository = await this.#navigators.of(document.uri);
		if (repository === undefined) return [];
		const at = await symbolAt(repository, document, position);
		if (at === undefined || token.isCancellationRequested) return [];
		const answer = await repository.nav.whereUsed(at.symbol, {
			limit: this.#limit(),
			signal: signalOf(token),
		});
		const uses = answer.items.map((item) => locationOf(repository, item));
		if (!includeDeclaration) return uses;
		const declared = answer.definitions.map(
			({ file, start_line }) =>
				new vscode.Location(
					uriOf(repository, file),
					new vscode.Position(start_line - 1, 0),
				),
		);
		return [...declared, ...uses];
	}
}

/** Returns the location of a row. */
export function locationOf(
	repository: Repository,
	item: NavItem,
): vscode.Location {
	return new vscode.Location(uriOf(repository, item.file), rangeOf(item));
}

export function rangeOf({
	line,
	start_utf16,
	end_utf16,
}: NavItem): vscode.Range {
	return new vscode.Range(line - 1, start_utf16, line - 1, end_utf16);
}
