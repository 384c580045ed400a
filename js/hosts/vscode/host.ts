import { messageOf } from "../../core/errors.js";
import type {
	DirEntry,
	EditorBuffer,
	Failure,
	FileStamp,
	Host,
	Watcher,
} from "../../core/host.js";
import { checkOptions } from "../../core/known-options.js";
import { notAFile, refused } from "../shared/file-failure.js";
import {
	folderOf,
	pathProblem,
	requireWritable,
} from "../shared/relative-path.js";
import {
	FILE,
	FOLDER,
	LINK,
	type VscodeApi,
	type VscodeFileStat,
	type VscodeUri,
} from "./api.js";
import { VscodeCommits } from "./commits.js";
import { vscodeGitHead } from "./git.js";

export type {
	VscodeApi,
	VscodeDocument,
	VscodeFileStat,
	VscodeFileSystem,
	VscodeFileWatcher,
	VscodeUri,
} from "./api.js";

/** The settings of {@link vscodeHost}. */
export interface VscodeHostOptions {
	/** Omits `write` and `remove`, so that the index stays in memory. */
	readOnly?: boolean | null | undefined;
}

const OPTIONS = {
	readOnly: true,
} satisfies Record<keyof VscodeHostOptions, true>;

/**
 * Two changes of a file within this time, in milliseconds, may have equal stamps: file systems
 * differ in the resolution of their times.
 */
const RACY_MS = 2_000;

const MISSING_CODES = ["FileNotFound", "EntryNotFound", "FileNotADirectory"];
const DENIED_CODES = ["NoPermissions"];

/**
 * Returns a host for a folder of an editor's workspace, on desktop and in browsers, over
 * `workspace.fs` with any file system. Unsaved documents are overlays of their files. `vscode` is
 * the editor's module, `folder` a `Uri` such as that of a workspace folder.
 *
 * Commits come from the editor's git extension, if it is active.
 *
 * An extension cannot see ignore rules from above the folder or the user's own, so they do not
 * apply.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for an unknown option.
 *
 * @example
 * ```js
 * import { open } from "ragnav";
 * import { vscodeHost } from "ragnav/hosts/vscode";
 * import * as vscode from "vscode";
 *
 * const [folder] = vscode.workspace.workspaceFolders;
 * const nav = await open(vscodeHost(vscode, folder.uri));
 * console.log((await nav.locate("price_of")).items[0].file); // shop/prices.py
 * nav.close();
 * ```
 */
export function vscodeHost(
	vscode: VscodeApi,
	folder: VscodeUri,
	options?: VscodeHostOptions | null,
): Host {
	checkOptions(options, OPTIONS);
	const { fs } = vscode.workspace;
	const uriOf = uriIn(vscode, folder);
	const links = new LinkCheck(
		async (path) => (await fs.stat(uriOf(path))).type,
	);

	const checked = async <T>(
		path: string,
		work: () => Promise<T | Failure>,
	): Promise<T | Failure> => {
		const problem = pathProblem(path);
		if (problem !== null) return refused(problem);
		try {
			if (await links.leadsAway(path)) return refused("leads through a link");
			return await work();
		} catch (thrown) {
			return failureOf(thrown);
		}
	};
	const all = <T>(
		paths: string[],
		one: (path: string) => Promise<T | Failure>,
	): Promise<(T | Failure)[]> =>
		Promise.all(paths.map((path) => checked(path, () => one(path))));

	const commits = new VscodeCommits(vscode, folder);
	const host: Host = {
		root: folder.toString(),
		gitHead: () =>
			vscodeGitHead(vscode, folder, (path) => readText(fs, uriOf(path))),
		readDirs: (paths) =>
			all(paths, async (path) =>
				(await fs.readDirectory(uriOf(path))).flatMap(entryOf),
			),
		readMany: (paths, { max_bytes }) =>
			all(paths, async (path) => {
				const found = await fs.stat(uriOf(path));
				const failure = unreadable(found, max_bytes);
				return failure ?? fs.readFile(uriOf(path));
			}),
		stat: (paths) =>
			all(paths, async (path) => {
				const found = await fs.stat(uriOf(path));
				return unreadable(found) ?? stampOf(found);
			}),
		now: () => new Date().toISOString(),
		overlay: () => unsaved(vscode, folder),
		watch: (onChange) => watch(vscode, folder, onChange),
		changes: (request) => commits.changes(request),
		readObjects: (ids, { max_bytes }) => commits.readObjects(ids, max_bytes),
	};
	if (options?.readOnly) return host;
	return { ...host, ...writerOf(fs, uriOf) };
}

type FileSystem = VscodeApi["workspace"]["fs"];
type UriOf = ReturnType<typeof uriIn>;

/** Returns the function that converts a path in a folder to its URI. */
function uriIn({ Uri }: VscodeApi, folder: VscodeUri) {
	return (path: string) =>
		(path === "" ? folder : Uri.joinPath(folder, ...path.split("/"))) as never;
}

/** Returns the text of a file; `null` if it is missing. */
async function readText(fs: FileSystem, uri: never): Promise<string | null> {
	try {
		return new TextDecoder().decode(await fs.readFile(uri));
	} catch (thrown) {
		if (failureOf(thrown).error === "missing") return null;
		throw thrown;
	}
}

function writerOf(
	fs: FileSystem,
	uriOf: UriOf,
): Required<Pick<Host, "write" | "remove">> {
	return {
		write: async (path, bytes, { exclusive = false } = {}) => {
			requireWritable(path, "write");
			await fs.createDirectory(uriOf(folderOf(path)));
			const temporary = uriOf(`${path}.${crypto.randomUUID()}`);
			await fs.writeFile(temporary, bytes);
			try {
				await fs.rename(temporary, uriOf(path), { overwrite: !exclusive });
			} catch (thrown) {
				await fs.delete(temporary, { useTrash: false });
				throw thrown;
			}
		},
		remove: async (path) => {
			requireWritable(path, "remove");
			try {
				await fs.delete(uriOf(path), { useTrash: false });
			} catch (thrown) {
				if (failureOf(thrown).error !== "missing") throw thrown;
			}
		},
	};
}

function entryOf([name, type]: [string, number]): DirEntry[] {
	if (type & LINK) return [{ name, kind: "link" }];
	if (type & FOLDER) return [{ name, kind: "dir" }];
	return type & FILE ? [{ name, kind: "file" }] : [];
}

function unreadable(
	{ type, size }: VscodeFileStat,
	max_bytes = Number.POSITIVE_INFINITY,
): Failure | undefined {
	if (!(type & FILE)) return notAFile();
	return size > max_bytes ? { error: "too_large" } : undefined;
}

function stampOf({ size, mtime, ctime }: VscodeFileStat): FileStamp {
	return {
		size,
		stamp: `${mtime}-${ctime}`,
		racy: Date.now() - mtime < RACY_MS,
	};
}

/** Maps the codes of the editor's `FileSystemError` to failures. */
function failureOf(thrown: unknown): Failure {
	const code = String((thrown as { code?: unknown } | null)?.code ?? "");
	const named = (codes: string[]) =>
		codes.some((known) => code === known || code.startsWith(`${known} `));
	if (named(MISSING_CODES)) return { error: "missing" };
	if (named(DENIED_CODES)) return { error: "denied" };
	return { error: "io", message: messageOf(thrown) };
}

/** Returns the unsaved documents of a folder. */
function unsaved({ workspace }: VscodeApi, folder: VscodeUri): EditorBuffer[] {
	const prefix = folder.path.endsWith("/") ? folder.path : `${folder.path}/`;
	const own = workspace.textDocuments.filter(
		({ isDirty, uri }) =>
			isDirty &&
			uri.scheme === folder.scheme &&
			uri.authority === folder.authority &&
			uri.path.startsWith(prefix),
	);
	return own.map((document) => ({
		path: document.uri.path.slice(prefix.length),
		version: document.version,
		text: document.getText(),
	}));
}

/** Watches a folder. The editor reports changes late, so the token is `null` and proves nothing. */
function watch(
	{ workspace, RelativePattern }: VscodeApi,
	folder: VscodeUri,
	onChange: () => void,
): Watcher {
	const reason = "the editor tells of changes only some time after them";
	if (!workspace.createFileSystemWatcher || !RelativePattern) {
		return {
			token: () => null,
			reason: "the editor watches no files",
			close() {},
		};
	}
	const pattern = new RelativePattern(folder as never, "**/*");
	const watcher = workspace.createFileSystemWatcher(pattern as never);
	watcher.onDidChange(onChange);
	watcher.onDidCreate(onChange);
	watcher.onDidDelete(onChange);
	return { token: () => null, reason, close: () => watcher.dispose() };
}

/** Detects paths that lead through links. Checks each folder once in a turn of the event loop. */
class LinkCheck {
	readonly #typeOf: (path: string) => Promise<number>;
	#known: Map<string, Promise<boolean>> | undefined;

	constructor(typeOf: (path: string) => Promise<number>) {
		this.#typeOf = typeOf;
	}

	/** Reports whether a path leads through a link; a missing file does not. */
	async leadsAway(path: string): Promise<boolean> {
		if (path === "") return false;
		return (await this.leadsAway(folderOf(path))) || this.#isLink(path);
	}

	#isLink(path: string): Promise<boolean> {
		if (this.#known === undefined) {
			this.#known = new Map();
			setTimeout(() => {
				this.#known = undefined;
			});
		}
		let known = this.#known.get(path);
		if (known === undefined) {
			known = this.#typeOf(path).then(
				(type) => (type & LINK) !== 0,
				() => false,
			);
			this.#known.set(path, known);
		}
		return known;
	}
}
