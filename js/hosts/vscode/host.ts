import { messageOf } from "../../core/errors.js";
import type {
	DirEntry,
	EditorBuffer,
	Failure,
	FileStamp,
	Host,
	Watcher,
} from "../../core/host.js";
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
import { vscodeGitHead } from "./git.js";

export type {
	VscodeApi,
	VscodeDocument,
	VscodeFileStat,
	VscodeFileSystem,
	VscodeFileWatcher,
	VscodeUri,
} from "./api.js";

/** Settings of {@link vscodeHost}. */
export interface VscodeHostOptions {
	/** Leaves out `write` and `remove`, so that an index stays in memory. Default: it does where the file system says that it cannot be written. */
	readOnly?: boolean | null | undefined;
}

/** Two changes of a file within this time may leave one stamp, in milliseconds: file systems differ in how fine they are. */
const RACY_MS = 2_000;

const MISSING_CODES = ["FileNotFound", "EntryNotFound", "FileNotADirectory"];
const DENIED_CODES = ["NoPermissions"];

/**
 * Host for a folder of an editor's workspace: on desktop and in browsers, over `workspace.fs`, whatever file system it is of. Unsaved
 * documents are the files. `vscode` is the editor's module, `folder` a `Uri` such as that of a workspace folder.
 *
 * Ignore rules from above the folder and the user's own are not known to an editor's extension and do not hold.
 */
export function vscodeHost(
	vscode: VscodeApi,
	folder: VscodeUri,
	options?: VscodeHostOptions | null,
): Host {
	const { fs } = vscode.workspace;
	const uriOf = (path: string) =>
		(path === ""
			? folder
			: vscode.Uri.joinPath(folder, ...path.split("/"))) as never;
	const links = new LinkCheck(
		async (path) => (await fs.stat(uriOf(path))).type,
	);

	const readText = async (path: string) => {
		try {
			return new TextDecoder().decode(await fs.readFile(uriOf(path)));
		} catch (thrown) {
			if (failureOf(thrown).error === "missing") return null;
			throw thrown;
		}
	};
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

	const host: Host = {
		root: folder.toString(),
		gitHead: () => vscodeGitHead(vscode, folder, readText),
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
	};
	if (options?.readOnly) return host;
	host.write = async (path, bytes, { exclusive = false } = {}) => {
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
	};
	host.remove = async (path) => {
		requireWritable(path, "remove");
		try {
			await fs.delete(uriOf(path), { useTrash: false });
		} catch (thrown) {
			if (failureOf(thrown).error !== "missing") throw thrown;
		}
	};
	return host;
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

/** The editor's errors have codes that are its own. */
function failureOf(thrown: unknown): Failure {
	const code = String((thrown as { code?: unknown } | null)?.code ?? "");
	const named = (codes: string[]) =>
		codes.some((known) => code === known || code.startsWith(`${known} `));
	if (named(MISSING_CODES)) return { error: "missing" };
	if (named(DENIED_CODES)) return { error: "denied" };
	return { error: "io", message: messageOf(thrown) };
}

/** The unsaved documents of a folder. */
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

/** Tells of changes some time after them, so its word proves nothing. */
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

/** Whether paths lead through links, each folder looked at once for the asks of one turn. */
class LinkCheck {
	readonly #typeOf: (path: string) => Promise<number>;
	#known: Map<string, Promise<boolean>> | undefined;

	constructor(typeOf: (path: string) => Promise<number>) {
		this.#typeOf = typeOf;
	}

	/** Files that are not there lead nowhere. */
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
