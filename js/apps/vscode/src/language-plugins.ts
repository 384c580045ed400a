import * as vscode from "vscode";
import type { LanguagePlugin } from "../../../entries/slim.js";
import {
	parseLanguagesFile,
	unusable,
} from "../../languages/languages-file.js";

/**
 * Reads the further languages of the user's settings. A grammar is code, so the setting has the scope
 * `machine`: the settings of a workspace cannot name one.
 *
 * @throws RagnavError `INVALID_ARGUMENT` if the file, or one that it names, cannot be read
 */
export async function readLanguagePlugins(): Promise<LanguagePlugin[]> {
	const settings = vscode.workspace.getConfiguration("ragnav");
	const file = settings.get<string>("languagesFile")?.trim();
	if (!file) return [];
	const place = uriOfSetting(file);
	const read = async (uri: vscode.Uri) => {
		try {
			return await vscode.workspace.fs.readFile(uri);
		} catch (thrown) {
			const why = thrown instanceof Error ? thrown.message : String(thrown);
			throw unusable(file, why);
		}
	};
	const readText = async (uri: vscode.Uri) =>
		new TextDecoder().decode(await read(uri));
	const entries = parseLanguagesFile(await readText(place), file);
	return Promise.all(
		entries.map(async ({ wasm, tags, locals, ...entry }) => ({
			...entry,
			wasm: (await read(beside(place, wasm))) as BufferSource,
			tags: await readText(beside(place, tags)),
			locals: locals && (await readText(beside(place, locals))),
		})),
	);
}

/** An absolute path; where the editor has no disk, a URI. One letter is a drive, and no scheme. */
function uriOfSetting(file: string): vscode.Uri {
	const isUri = /^[a-z][a-z0-9+.-]+:/i.test(file);
	return isUri ? vscode.Uri.parse(file, true) : vscode.Uri.file(file);
}

/** Returns where a path of the file leads. */
function beside(file: vscode.Uri, path: string): vscode.Uri {
	if (/^(?:[\\/]|[a-z]:)/i.test(path)) {
		const isOnDisk = file.scheme === "file";
		return isOnDisk ? vscode.Uri.file(path) : file.with({ path });
	}
	const folder = vscode.Uri.joinPath(file, "..");
	return vscode.Uri.joinPath(folder, path.replaceAll("\\", "/"));
}
