import * as vscode from "vscode";
import type { NavItem } from "../../../entries/slim.js";
import { pathIn, type Repository } from "./navigators.js";

/** Returns a position as queries take it: `src/app.py:12:5`, counted from 1. */
export function placeOf(
	repository: Repository,
	document: vscode.TextDocument,
	{ line, character }: vscode.Position,
): string {
	const file = pathIn(repository, document.uri);
	return `${file}:${line + 1}:${character + 1}`;
}

/** Returns the range of the match in a row. */
export function rangeOf({
	line,
	start_utf16,
	end_utf16,
}: Pick<NavItem, "line" | "start_utf16" | "end_utf16">): vscode.Range {
	return new vscode.Range(line - 1, start_utf16, line - 1, end_utf16);
}
