import * as vscode from "vscode";
import type { PlannedEdit } from "../../../entries/slim.js";
import { type Navigators, type Repository, uriOf } from "./navigators.js";
import { placeOf } from "./place.js";

const TITLE = "ragnav: Rename Symbol";

/**
 * Prompts for a new name of the symbol at the cursor, and renames it in all files, unsaved text
 * included. A plan that is refused changes nothing.
 *
 * It is a command and no provider, so that it does not replace that of a language server.
 *
 * @throws Error with the reason if the symbol cannot be renamed
 */
export async function renameSymbol(navigators: Navigators): Promise<void> {
	const editor = vscode.window.activeTextEditor;
	const repository = editor && (await navigators.of(editor.document.uri));
	if (editor === undefined || repository === undefined) {
		throw new Error(
			vscode.l10n.t("Put the cursor on a name in a file of a folder."),
		);
	}
	const { document, selection } = editor;
	const range = document.getWordRangeAtPosition(selection.active);
	const newName = await vscode.window.showInputBox({
		title: TITLE,
		prompt: vscode.l10n.t("The new name"),
		value: document.getText(range),
	});
	if (!newName) return;
	const place = placeOf(repository, document, selection.active);
	const plan = await repository.nav.renamePlan(place, newName);
	if (plan.meta.status === "ERROR") throw new Error(plan.meta.message ?? "");
	const [refusal] = plan.refusals;
	if (refusal !== undefined) throw new Error(refusal.message);
	await requireUnchanged(repository, plan.items);
	const edit = new vscode.WorkspaceEdit();
	for (const item of plan.items) {
		edit.replace(uriOf(repository, item.file), rangeOf(item), item.new_text);
	}
	for (const { file, moves_to } of plan.files) {
		if (moves_to === null) continue;
		edit.renameFile(uriOf(repository, file), uriOf(repository, moves_to));
	}
	if (!(await vscode.workspace.applyEdit(edit))) {
		throw new Error("the editor did not apply the edits");
	}
}

/** A person may have typed since the edits were planned. */
async function requireUnchanged(
	repository: Repository,
	items: readonly PlannedEdit[],
): Promise<void> {
	for (const item of items) {
		const uri = uriOf(repository, item.file);
		const document = await vscode.workspace.openTextDocument(uri);
		if (document.getText(rangeOf(item)) !== item.old_text) {
			throw new Error(`${item.file} has changed meanwhile; rename again`);
		}
	}
}

function rangeOf({ line, start_utf16, old_text }: PlannedEdit): vscode.Range {
	const end = start_utf16 + old_text.length;
	return new vscode.Range(line - 1, start_utf16, line - 1, end);
}
