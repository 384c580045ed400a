// The part of an editor's API that the host uses, over a folder on disk.
import {
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { join, posix, relative } from "node:path";
import type { VscodeApi, VscodeUri } from "../../../js/hosts/vscode/api.js";
import { git } from "./helpers.js";

/** A document, perhaps with unsaved text. */
export interface FakeDocument {
	uri: VscodeUri;
	isDirty: boolean;
	version: number;
	getText(): string;
}

export function uriOf(path: string): VscodeUri {
	return {
		scheme: "file",
		authority: "",
		path,
		toString: () => `file://${path}`,
	};
}

/** An error of the editor's file system. */
function editorError(code: string): Error {
	return Object.assign(new Error(`${code} (FileSystemError)`), { code });
}

function typeOf(file: string): number {
	const found = lstatSync(file);
	if (!found.isSymbolicLink())
		return found.isDirectory() ? 2 : found.isFile() ? 1 : 0;
	const target = statSync(file, { throwIfNoEntry: false });
	return 64 | (target?.isDirectory() ? 2 : target?.isFile() ? 1 : 0);
}

function there(file: string): string {
	if (!existsSync(file)) throw editorError("FileNotFound");
	return file;
}

/** Creates the `vscode` module of an extension. */
export function fakeVscode(exports?: unknown) {
	const textDocuments: FakeDocument[] = [];
	const listeners = new Set<() => void>();
	const vscode: VscodeApi = {
		workspace: {
			textDocuments,
			fs: {
				async readDirectory({ path }: VscodeUri) {
					if (!statSync(there(path)).isDirectory())
						throw editorError("FileNotADirectory");
					return readdirSync(path).map((name): [string, number] => [
						name,
						typeOf(join(path, name)),
					]);
				},
				async readFile({ path }: VscodeUri) {
					return new Uint8Array(readFileSync(there(path)));
				},
				async stat({ path }: VscodeUri) {
					const { size, mtimeMs, ctimeMs } = statSync(there(path));
					return {
						type: typeOf(path),
						size,
						mtime: Math.floor(mtimeMs),
						ctime: Math.floor(ctimeMs),
					};
				},
				async writeFile({ path }: VscodeUri, bytes: Uint8Array) {
					writeFileSync(path, bytes);
				},
				async rename(
					from: VscodeUri,
					to: VscodeUri,
					options?: { overwrite?: boolean },
				) {
					if (!options?.overwrite && existsSync(to.path))
						throw editorError("FileExists");
					renameSync(from.path, to.path);
				},
				async delete({ path }: VscodeUri) {
					rmSync(there(path));
				},
				async createDirectory({ path }: VscodeUri) {
					mkdirSync(path, { recursive: true });
				},
			},
			createFileSystemWatcher: () => {
				const own = new Set<() => void>();
				const on = (listener: () => void) => {
					own.add(listener);
					listeners.add(listener);
				};
				return {
					onDidChange: on,
					onDidCreate: on,
					onDidDelete: on,
					dispose: () => {
						for (const listener of own) listeners.delete(listener);
					},
				};
			},
		},
		extensions: {
			getExtension: (id: string) =>
				id === "vscode.git" && exports !== undefined
					? { isActive: true, exports }
					: undefined,
		},
		Uri: {
			joinPath: (base: VscodeUri, ...segments: string[]) =>
				uriOf(posix.join(base.path, ...segments)),
		},
		RelativePattern: class {},
	};
	return { vscode, textDocuments, listeners };
}

/** The values of the git extension's `Status` by the letters of git. */
const STATUSES: Record<string, number> = { A: 1, M: 5, D: 6, R: 3 };

/** Creates the exports of the git extension for a repository on disk. */
export function fakeGitExtension(root: string) {
	const run = (...args: string[]) => git(root, ...args);
	const changesOf = (...args: string[]) => {
		const fields = run("diff", "--name-status", "-M", ...args).split("\n");
		return fields.filter(Boolean).map((line) => {
			const [letter = "", from = "", to] = line.split("\t");
			return {
				originalUri: uriOf(join(root, from)),
				renameUri: to === undefined ? undefined : uriOf(join(root, to)),
				status: STATUSES[letter[0] ?? ""] ?? 5,
			};
		});
	};
	const untracked = () =>
		run("ls-files", "--others", "--exclude-standard")
			.split("\n")
			.filter(Boolean)
			.map((path) => ({
				originalUri: uriOf(join(root, path)),
				renameUri: undefined,
				status: 7,
			}));
	const repository = {
		rootUri: uriOf(root),
		state: {
			HEAD: { commit: run("rev-parse", "HEAD").trim() },
			workingTreeChanges: [] as ReturnType<typeof untracked>,
		},
		async status() {
			repository.state.workingTreeChanges = untracked();
		},
		getCommit: async (name: string) => ({
			hash: run("rev-parse", "--verify", "--quiet", `${name}^{commit}`).trim(),
		}),
		getMergeBase: async (one: string, other: string) =>
			run("merge-base", one, other).trim(),
		diffWith: async (commit: string) => changesOf(commit),
		diffIndexWith: async (commit: string) => changesOf("--cached", commit),
		diffBetween: async (one: string, other: string) =>
			changesOf(`${one}...${other}`),
		buffer: async (commit: string, path: string) =>
			new TextEncoder().encode(
				run("cat-file", "blob", `${commit}:${relative(root, path)}`),
			),
		getRefs: async () =>
			run("for-each-ref", "--format=%(refname:short)")
				.split("\n")
				.filter(Boolean)
				.map((name) => ({ name })),
		log: async ({ maxEntries }: { maxEntries: number }) =>
			run("log", `-${maxEntries}`, "--format=%H%x09%s")
				.split("\n")
				.filter(Boolean)
				.map((line) => {
					const [hash = "", message = ""] = line.split("\t");
					return { hash, message };
				}),
	};
	return { getAPI: () => ({ repositories: [repository] }) };
}
