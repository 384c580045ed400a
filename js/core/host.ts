/**
 * What ragnav asks of the place a repository lives in.
 *
 * Every path is relative to the host's root and uses `/`; `""` is the root itself. A method may
 * answer at once or with a promise. `readDirs`, `readMany` and `stat` answer in the order they were
 * asked and report what they cannot read as a {@link Failure}; whatever else throws becomes an `ERROR`
 * envelope with the code `HOST_FAILED` (for `gitHead`: a route with that reason).
 */
export interface Host {
	/** Where the repository is, for messages and `IndexStatus.repo` only. */
	root?: string | null | undefined;
	/** The commit that is checked out: a full object id, or `null` where there is none. */
	gitHead(): MaybePromise<GitHead | string | null>;
	/** The entries of each folder, in any order; links are named, not followed. */
	readDirs(paths: string[]): MaybePromise<(DirEntry[] | Failure)[]>;
	/** The bytes of each file; one larger than `max_bytes` is `too_large`. Never leaves the root. */
	readMany(
		paths: string[],
		options: { max_bytes: number },
	): MaybePromise<(Uint8Array | Failure)[]>;
	/**
	 * What tells each file from an earlier content of it, without reading it. A link inside the root
	 * stands for the file it leads to, as for `readMany`; what is no regular file is `io`.
	 */
	stat?(paths: string[]): MaybePromise<(FileStamp | Failure)[]>;
	/**
	 * Writes a file atomically: a reader sees the old bytes or the new ones. Only paths under
	 * `.llmc/` are accepted. With `exclusive` it fails where the file exists.
	 */
	write?(
		path: string,
		bytes: Uint8Array,
		options?: { exclusive?: boolean },
	): MaybePromise<void>;
	/** Removes a file; without it as without `write` the index lives in memory. Only paths under `.llmc/` are accepted; a file that is not there is no error. */
	remove?(path: string): MaybePromise<void>;
	/** The time in UTC as ISO 8601 writes it: `2024-01-31T12:00:00.000Z`. */
	now?(): string;
	/** Unsaved editor buffers: to every question they are the files. Asked for once a question. */
	overlay?(): MaybePromise<EditorBuffer[]>;
	/**
	 * Ignore rules that no listing shows, weakest first. A string is one line of the user's own rules. Rules of a
	 * repository, even without lines, say that the root lies in one.
	 */
	ignoreRules?(): MaybePromise<(string | IgnoreRules)[]>;
	/**
	 * Watches the folders that `readDirs` lists from now on. `onChange` is told that something changed, soon after it has, once for
	 * many changes; also of a moved HEAD, where the host can.
	 */
	watch?(onChange: () => void): Watcher;
}

/** Who says that nothing has changed, so that files need not be looked at again. */
export interface Watcher {
	/**
	 * An opaque text, or `null` for who cannot vouch (any more). Where two are equal that were taken at two times, nothing has changed
	 * in between in any folder that `readDirs` listed, from the moment on at which it was listed: no entry, and no content or metadata
	 * of a file in it. All that had happened when `token` was called counts, also where nobody was told of it yet. Who may have missed
	 * something gives another text, or `null` for good. What happens under `.llmc/` need not count.
	 */
	token(): MaybePromise<string | null>;
	/** Why it cannot vouch, for people; `null` while it can. */
	readonly reason?: string | null | undefined;
	/** Ends it: `onChange` is told nothing more, and `token` gives `null`. */
	close(): void;
}

export type MaybePromise<T> = T | Promise<T>;

/** What reads files. */
export type Reader = Pick<Host, "readMany">;

/** Whether an answer is still to come. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
	return typeof (value as Promise<T> | null)?.then === "function";
}

export interface GitHead {
	head: string | null;
	/** The repository's root as seen from the host's: `""` when they are one, `"../.."` when it is above. */
	git_root?: string | null | undefined;
}

export interface DirEntry {
	/** The entry's own name, no path; U+FFFD for bytes that are no UTF-8, by which ragnav knows that it leads nowhere. */
	name: string;
	kind: "file" | "dir" | "link";
	/** `size`, `stamp` and `racy` of a file as {@link FileStamp} has them, from hosts that know them anyway. */
	size?: number | undefined;
	stamp?: string | undefined;
	racy?: boolean | undefined;
}

/** What tells a file's content from an earlier one, for as long as the file is not read. */
export interface FileStamp {
	/** Bytes. */
	size: number;
	/** Opaque. Where stamp and size are what they were, so is the content, unless `racy`. */
	stamp: string;
	/**
	 * The file was changed so shortly before that a further change might leave the stamp as it is:
	 * an equal stamp proves nothing then. Default: it was not.
	 */
	racy?: boolean | undefined;
}

export interface Failure {
	error: "missing" | "denied" | "too_large" | "io";
	message?: string | undefined;
}

/** The unsaved text of a file in an editor. */
export interface EditorBuffer {
	/** The file, relative to the root; it need not be saved yet. */
	path: string;
	/** The editor's version of the text: another text has another version. */
	version: number;
	text: string;
}

/** Lines of one gitignore file of the repository, from above the root or from its git folder. */
export interface IgnoreRules {
	/** The way from the folder the rules belong to down to the root; `""` when they are one. */
	prefix: string;
	lines: string[];
	/** Whether they are the user's own, which hold in every repository. Default: they are of the repository that the root lies in. */
	global?: boolean | undefined;
}
