/**
 * The access to a repository: its files, its commit and, optionally, more.
 *
 * Every path is relative to the host's root and uses `/`; `""` is the root itself. A method may
 * return its result or a promise. `readDirs`, `readMany` and `stat` return one result for each
 * path, in the order of the paths, and a {@link Failure} for a path that they cannot read. Any
 * exception becomes an `ERROR` envelope with the code `HOST_FAILED` (for `gitHead`: a route with
 * that reason).
 *
 * @example
 * ```js
 * import { open } from "ragnav";
 *
 * const text = new TextEncoder().encode("def greet():\n    pass\n");
 * const missing = { error: "missing" };
 * const list = (path) => (path === "" ? [{ name: "a.py", kind: "file" }] : missing);
 * const nav = await open({
 *   gitHead: () => null,
 *   readDirs: (paths) => paths.map(list),
 *   readMany: (paths) => paths.map((path) => (path === "a.py" ? text : missing)),
 * });
 * console.log((await nav.locate("greet")).items[0].symbol); // sym:a.greet
 * nav.close();
 * ```
 */
export interface Host {
	/** The location of the repository, for messages and `IndexStatus.repo` only. */
	root?: string | null | undefined;
	/** Returns the commit that is checked out, as a full object id; `null` if there is none. */
	gitHead(): MaybePromise<GitHead | string | null>;
	/** Lists the entries of each folder, in any order. It names links and does not follow them. */
	readDirs(paths: string[]): MaybePromise<(DirEntry[] | Failure)[]>;
	/** Reads each file inside the root; a file larger than `max_bytes` is `too_large`. */
	readMany(
		paths: string[],
		options: { max_bytes: number },
	): MaybePromise<(Uint8Array | Failure)[]>;
	/**
	 * Returns the stamp of each file without reading it. For a link inside the root it is the stamp of
	 * the target, as `readMany` reads it. Anything but a regular file is `io`.
	 */
	stat?(paths: string[]): MaybePromise<(FileStamp | Failure)[]>;
	/**
	 * Returns the times of each file, or `null` if they are not known. Only navigators with SCIP
	 * indexes call it, to tell files that changed after an index was written.
	 */
	fileTimes?(paths: string[]): MaybePromise<(FileTimes | null)[]>;
	/**
	 * Writes a file atomically: a reader sees the old bytes or the new ones. It accepts only paths
	 * under `.llmc/`. With `exclusive` it fails if the file exists.
	 */
	write?(
		path: string,
		bytes: Uint8Array,
		options?: { exclusive?: boolean },
	): MaybePromise<void>;
	/**
	 * Removes a file. It accepts only paths under `.llmc/`; a missing file is no error. If the host
	 * lacks `remove` or `write`, the index stays in memory.
	 */
	remove?(path: string): MaybePromise<void>;
	/** Returns the time in UTC in ISO 8601: `2024-01-31T12:00:00.000Z`. */
	now?(): string;
	/** Returns the unsaved editor buffers, which replace their files. Each query calls it once. */
	overlay?(): MaybePromise<EditorBuffer[]>;
	/**
	 * Returns ignore rules from outside the root, weakest first. A string is one line of the user's
	 * own rules. Rules of a repository, even without lines, tell that the root lies in one.
	 */
	ignoreRules?(): MaybePromise<(string | IgnoreRules)[]>;
	/**
	 * Returns the latest commits of the branch that is checked out, newest first, without merges.
	 * Only queries with the option `history` call it.
	 */
	history?(options: { max_commits: number }): MaybePromise<Commit[]>;
	/**
	 * Returns the files that differ between two states of the repository; `null` if there is no such
	 * commit. Only `impact` and `trace` call it.
	 */
	changes?(request: ChangesRequest): MaybePromise<Changes | null>;
	/**
	 * Returns the commits after one up to another, oldest first, each with the files that it changes;
	 * `null` if the way is not known, or if there are more than `max_commits`. Where branches join, one
	 * way through them is enough. Only `trace` calls it.
	 */
	commitsBetween?(
		request: CommitsBetweenRequest,
	): MaybePromise<CommitChanges[] | null>;
	/**
	 * Returns the contents of objects of commits, in their order. Only `impact` and `trace` call it.
	 */
	readObjects?(
		ids: string[],
		options: { max_bytes: number },
	): MaybePromise<(Uint8Array | Failure)[]>;
	/**
	 * Watches the folders that `readDirs` lists from now on. The host calls `onChange` soon after a
	 * change, once for many changes, and also for a new HEAD if it can.
	 */
	watch?(onChange: () => void): Watcher;
	/** Returns the state of each repository, from a host over several of them. */
	roots?(): RootState[];
}

/**
 * The proof that no listed folder has changed, so that ragnav need not verify its files again.
 *
 * @example
 * ```js
 * import { memoryHost } from "ragnav/hosts/memory";
 *
 * const host = memoryHost({ "a.py": "x = 1\n" });
 * const watcher = host.watch(() => {});
 * const before = watcher.token();
 * console.log(watcher.token() === before); // true
 * host.files.delete("a.py");
 * console.log(watcher.token() === before); // false
 * watcher.close();
 * console.log(watcher.token(), watcher.reason); // null the watcher was closed
 * ```
 */
export interface Watcher {
	/**
	 * Returns an opaque text, or `null` if the watcher proves nothing. Two equal tokens prove that in
	 * between no folder changed that `readDirs` had listed: no entry, and no content or metadata of a
	 * file in it.
	 *
	 * A token counts every change before the call, also those that `onChange` has not reported yet.
	 * If the watcher may have missed a change, it returns another text, or `null` for good. Changes
	 * under `.llmc/` need not count.
	 */
	token(): MaybePromise<string | null>;
	/** The reason why the watcher proves nothing, for people; `null` while it proves freshness. */
	readonly reason?: string | null | undefined;
	/** Stops watching: the host no longer calls `onChange`, and `token` returns `null`. */
	close(): void;
}

/** The state of one of several repositories, as the last query saw it. */
export interface RootState {
	/** Its name, with which the paths of its files begin. */
	name: string;
	/** The commit that is checked out; `null` if there is none or it is unknown. */
	head: string | null;
	/** The path up to the root of its git repository; `null` outside of one. */
	git_root: string | null;
	/** Why it is not, or not completely, a part of the answer; `null` if it is. */
	error_code: "REPO_NOT_FOUND" | "HOST_FAILED" | "INVALID_ARGUMENT" | null;
	/** What happened, and what to do; `null` without an error. */
	message: string | null;
}

/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/** The part of a host that reads files. */
export type Reader = Pick<Host, "readMany">;

/** Reports whether a value is a promise, of any realm. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
	return typeof (value as Promise<T> | null)?.then === "function";
}

/** The commit that is checked out, with the place of its repository. */
export interface GitHead {
	head: string | null;
	/** The path up from the host's root to the repository's: `""` if they are equal, or `"../.."`. */
	git_root?: string | null | undefined;
}

/** A commit of the history. */
export interface Commit {
	/** The paths of the files that it changed, relative to the host's root. */
	files: string[];
}

/** The two states of a repository that are compared. */
export interface ChangesRequest {
	/** The state before: a branch, a tag or a commit. */
	from: string;
	/** The state after: a branch, a tag, a commit or `staged`; `null` for the files as they are now. */
	to: string | null;
	/** The files to compare if `to` is `null`. */
	paths: string[];
	/**
	 * The files among `paths` with unsaved text. The response includes them even if the files on disk
	 * are as in the commit.
	 */
	unsaved: string[];
}

/** The difference between two states of a repository. */
export interface Changes {
	/** The full id of the commit before. */
	from: string;
	/** The full id of the commit after; `null` if the state is no commit. */
	to?: string | null;
	files: ChangedFile[];
}

/** Two commits, the first of which is before the other. */
export interface CommitsBetweenRequest {
	/** The commit before the first that is wanted. */
	from: string;
	/** The last commit that is wanted. */
	to: string;
	max_commits: number;
}

/** A commit with the files that it changes. */
export interface CommitChanges {
	/** Its full id. */
	id: string;
	files: ChangedFile[];
}

/** A file that differs between two states. */
export interface ChangedFile {
	/** The path, relative to the host's root. */
	path: string;
	/** The object id of its content before; `null` if there was no file. */
	before?: string | null;
	/** The object id of its content after; `null` if there is no file, and for files as they are now. */
	after?: string | null;
}

/** An entry of a folder. */
export interface DirEntry {
	/**
	 * The entry's own name, without a path. U+FFFD replaces bytes that are not UTF-8; ragnav does not
	 * read such an entry.
	 */
	name: string;
	kind: "file" | "dir" | "link";
	/** The {@link FileStamp} of a file, from hosts that know it without further work. */
	size?: number | undefined;
	stamp?: string | undefined;
	racy?: boolean | undefined;
}

/** The stamp of a file, which changes with its content. */
export interface FileStamp {
	/** The size in bytes. */
	size: number;
	/** An opaque text. If stamp and size are equal, the content is unchanged, unless `racy`. */
	stamp: string;
	/**
	 * Whether the last change is so recent that a further change could leave the stamp equal. Then an
	 * equal stamp proves nothing. Default `false`.
	 */
	racy?: boolean | undefined;
}

/** The times of a file, in milliseconds since 1970. */
export interface FileTimes {
	/** When its content was written. Programs can set it. */
	modified: number;
	/** When its content, name or mode was changed. */
	changed: number;
}

/** The reason why a host could not read a path. */
export interface Failure {
	error: "missing" | "denied" | "too_large" | "io";
	message?: string | undefined;
}

/** The unsaved text of a file in an editor. */
export interface EditorBuffer {
	/** The file's path, relative to the root. The file need not exist. */
	path: string;
	/** The editor's version of the text; it changes with the text. */
	version: number;
	text: string;
}

/** The lines of one ignore file from outside the root, or from the git folder. */
export interface IgnoreRules {
	/** The folder in which the rules hold. Default: the root. */
	folder?: string | undefined;
	/** The path from the folder of the rules down to that folder; `""` if they are equal. */
	prefix: string;
	lines: string[];
	/** Whether these are the user's own rules, for all repositories. Default `false`. */
	global?: boolean | undefined;
}
