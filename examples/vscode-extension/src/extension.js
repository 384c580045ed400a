import { vscodeHost } from "ragnav/hosts/vscode";
import { init, open } from "ragnav/slim";
import * as vscode from "vscode";

/** @type {Promise<import("ragnav/slim").Navigator> | undefined} */
let opening;

/** @param {vscode.ExtensionContext} context */
export function activate(context) {
	context.subscriptions.push(
		vscode.commands.registerCommand("ragnavExample.whereUsed", () =>
			showReferences(context.extensionUri),
		),
		{ dispose: () => void opening?.then((nav) => nav.close()) },
	);
}

/** @param {vscode.Uri} extensionUri */
async function showReferences(extensionUri) {
	const editor = vscode.window.activeTextEditor;
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	const word = editor?.document.getWordRangeAtPosition(editor.selection.active);
	if (!editor || !folder || !word) return;
	opening ??= openNavigator(extensionUri, folder.uri);
	const nav = await opening;
	const { items, meta } = await nav.whereUsed(editor.document.getText(word));
	const picked = await vscode.window.showQuickPick(
		items.map((row) => ({
			label: `${row.file}:${row.line}`,
			description: row.symbol ?? "",
			row,
		})),
		{ title: `${items.length} references · ${meta.status}` },
	);
	if (!picked) return;
	const uri = vscode.Uri.joinPath(folder.uri, picked.row.file);
	const position = new vscode.Position(picked.row.line - 1, 0);
	await vscode.window.showTextDocument(uri, {
		selection: new vscode.Range(position, position),
	});
}

/**
 * An extension has no URL to load the core from: it reads the bytes beside itself.
 *
 * @param {vscode.Uri} extensionUri
 * @param {vscode.Uri} folder
 */
async function openNavigator(extensionUri, folder) {
	const dist = vscode.Uri.joinPath(extensionUri, "dist");
	const read = (...path) =>
		vscode.workspace.fs.readFile(vscode.Uri.joinPath(dist, ...path));
	await init(await read("core.wasm"), {
		grammars: (file) => read("languages", file),
	});
	return open(vscodeHost(vscode, folder));
}
