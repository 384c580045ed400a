import * as vscode from "vscode";
import {
	type Host,
	init,
	type Navigator,
	open,
	type StalePolicy,
} from "../../../entries/slim.js";
import { vscodeHost } from "../../../hosts/vscode/host.js";

/** A folder of the workspace with its navigator. */
export interface Repository {
	folder: vscode.WorkspaceFolder;
	nav: Navigator;
}

/** The navigators of the workspace's folders, opened at their first query. */
export class Navigators implements vscode.Disposable {
	readonly #dist: vscode.Uri;
	#loaded: Promise<void> | undefined;
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
		return open(this.#hostOf(folder), {
			stale_policy: settings.get<StalePolicy>("stalePolicy") ?? null,
		});
	}

	#hostOf({ uri }: vscode.WorkspaceFolder): Host {
		const readOnly =
			vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false;
		return vscodeHost(vscode as never, uri, { readOnly });
	}

	async #load(): Promise<void> {
		const core = vscode.Uri.joinPath(this.#dist, "core.wasm");
		await init(await readBytes(core), {
			grammars: (file) =>
				readBytes(vscode.Uri.joinPath(this.#dist, "languages", file)),
		});
	}

	#closeAll(): void {
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
