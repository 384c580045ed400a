import * as vscode from "vscode";
import {
	type Host,
	init,
	type LanguagePlugin,
	type Navigator,
	type OpenOptions,
	open,
	type StalePolicy,
} from "../../../entries/slim.js";
import { vscodeHost } from "../../../hosts/vscode/host.js";
import { readLanguagePlugins } from "./language-plugins.js";

/** A folder of the workspace with its navigator. */
export interface Repository {
	folder: vscode.WorkspaceFolder;
	nav: Navigator;
}

/** The navigators of the workspace's folders, opened at their first query. */
export class Navigators implements vscode.Disposable {
	readonly #dist: vscode.Uri;
	#loaded: Promise<void> | undefined;
	#plugins: Promise<LanguagePlugin[]> | undefined;
	readonly #open = new Map<string, Promise<Navigator>>();
	readonly #listening: vscode.Disposable[];

	constructor(dist: vscode.Uri) {
		this.#dist = dist;
		this.#listening = [
			vscode.workspace.onDidChangeWorkspaceFolders(({ removed }) => {
				for (const { uri } of removed) this.#close(uri.toString());
			}),
			vscode.workspace.onDidChangeConfiguration((change) => {
				if (change.affectsConfiguration("ragnav")) this.#closeAll();
			}),
		];
	}

	/** Returns all folders. */
	async all(): Promise<Repository[]> {
		const folders = vscode.workspace.workspaceFolders ?? [];
		return Promise.all(folders.map((folder) => this.#repository(folder)));
	}

	/** Returns the navigator of a folder, and the host through which it reads. */
	async ofFolder(uri: string): Promise<{ nav: Navigator; host: Host }> {
		const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(uri));
		if (folder === undefined) throw new Error(`${uri} is no open folder`);
		const { nav } = await this.#repository(folder);
		return { nav, host: this.#hostOf(folder) };
	}

	/** Returns the further languages; none if their file cannot be used, which it shows. */
	plugins(): Promise<LanguagePlugin[]> {
		this.#plugins ??= this.#readPlugins();
		return this.#plugins;
	}

	/** Returns the folder of a file. */
	async of(uri: vscode.Uri): Promise<Repository | undefined> {
		const folder = vscode.workspace.getWorkspaceFolder(uri);
		return folder && this.#repository(folder);
	}

	dispose(): void {
		for (const listening of this.#listening) listening.dispose();
		this.#closeAll();
	}

	async #repository(folder: vscode.WorkspaceFolder): Promise<Repository> {
		const key = folder.uri.toString();
		let nav = this.#open.get(key);
		if (nav === undefined) {
			nav = this.#new(folder);
			this.#open.set(key, nav);
			nav.catch(() => this.#open.delete(key));
		}
		return { folder, nav: await nav };
	}

	async #new(folder: vscode.WorkspaceFolder): Promise<Navigator> {
		this.#loaded ??= this.#load();
		await this.#loaded;
		const settings = vscode.workspace.getConfiguration("ragnav", folder.uri);
		const stale_policy = settings.get<StalePolicy>("stalePolicy") ?? null;
		const scip = settings.get<string[]>("scip") ?? null;
		const options: OpenOptions = { stale_policy, scip };
		const languages = await this.plugins();
		const host = this.#hostOf(folder);
		if (languages.length === 0) return open(host, options);
		try {
			return await open(host, { ...options, languages });
		} catch (thrown) {
			// One wrong name must not take away all other languages.
			showFailure(thrown);
			return open(host, options);
		}
	}

	#hostOf({ uri }: vscode.WorkspaceFolder): Host {
		const readOnly =
			vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false;
		return vscodeHost(vscode as never, uri, { readOnly });
	}

	async #readPlugins(): Promise<LanguagePlugin[]> {
		try {
			return await readLanguagePlugins();
		} catch (thrown) {
			showFailure(thrown);
			return [];
		}
	}

	async #load(): Promise<void> {
		const core = vscode.Uri.joinPath(this.#dist, "core.wasm");
		await init(await readBytes(core), {
			grammars: (file) =>
				readBytes(vscode.Uri.joinPath(this.#dist, "languages", file)),
		});
	}

	#closeAll(): void {
		this.#plugins = undefined;
		for (const key of this.#open.keys()) this.#close(key);
	}

	#close(key: string): void {
		const nav = this.#open.get(key);
		this.#open.delete(key);
		nav?.then(
			(opened) => opened.close(),
			() => undefined,
		);
	}
}

function showFailure(thrown: unknown): void {
	const why = thrown instanceof Error ? thrown.message : String(thrown);
	void vscode.window.showErrorMessage(`ragnav: ${why}`);
}

async function readBytes(uri: vscode.Uri): Promise<BufferSource> {
	return (await vscode.workspace.fs.readFile(uri)) as BufferSource;
}

/** Returns the URI of a file in a folder. */
export function uriOf({ folder }: Repository, file: string): vscode.Uri {
	return vscode.Uri.joinPath(folder.uri, ...file.split("/"));
}

/** Returns a file's path inside its folder. */
export function pathIn({ folder }: Repository, uri: vscode.Uri): string {
	const prefix = folder.uri.path.endsWith("/")
		? folder.uri.path
		: `${folder.uri.path}/`;
	return uri.path.slice(prefix.length);
}

/** Returns a signal that aborts when the editor's token is cancelled. */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
	const controller = new AbortController();
	if (token.isCancellationRequested) controller.abort();
	token.onCancellationRequested(() => controller.abort());
	return controller.signal;
}
