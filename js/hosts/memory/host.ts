import type {
	DirEntry,
	Failure,
	FileStamp,
	GitHead,
	Host,
	IgnoreRules,
	Watcher,
} from "../../core/host.js";
import { notAFile, refused } from "../shared/file-failure.js";
import { pathProblem, requireWritable } from "../shared/relative-path.js";
import { MemoryFiles } from "./files.js";

/** Settings of {@link memoryHost}; `head` and `ignoreRules` are read at each question. */
export interface MemoryHostOptions {
	/** Name for messages. */
	root?: string | null | undefined;
	/** Commit that counts as checked out; none when absent. */
	head?: string | GitHead | null | undefined;
	/** Rules from outside the root, weakest first. */
	ignoreRules?: (string | IgnoreRules)[] | null | undefined;
	/** Omits `write` and `remove`. */
	readOnly?: boolean | null | undefined;
	/** Replaces the clock; returns the time in UTC in ISO 8601. */
	now?: (() => string) | null | undefined;
}

/** Host whose answers are ready when its methods return, with its files at hand. */
export interface MemoryHost extends Host {
	/** The files themselves: changing this map changes what the host answers next. */
	readonly files: Map<string, Uint8Array>;
	gitHead(): GitHead | string | null;
	readDirs(paths: string[]): (DirEntry[] | Failure)[];
	readMany(
		paths: string[],
		options: { max_bytes: number },
	): (Uint8Array | Failure)[];
	/** A stamp holds until its file is set again, even to equal bytes; no two hosts share a stamp. */
	stat(paths: string[]): (FileStamp | Failure)[];
	write?(
		path: string,
		bytes: Uint8Array,
		options?: { exclusive?: boolean },
	): void;
	remove?(path: string): void;
	now(): string;
	ignoreRules(): (string | IgnoreRules)[];
	/**
	 * The token proves freshness as long as files change through `files` only. `onChange` is called
	 * before a change returns.
	 */
	watch(onChange: () => void): Watcher;
}

/** Files by relative path; a string stands for its UTF-8 bytes. */
export type MemoryFilesInput =
	| Record<string, string | Uint8Array>
	| ReadonlyMap<string, string | Uint8Array>;

/**
 * Host over files in memory, which may be changed between questions through `files`.
 *
 * The folders follow every `set`, `delete` and `clear` of the map, so a listing costs no more than
 * its own entries. Bytes are handed over as they are, not copied: change a file by setting it.
 * Folders exist while they hold a file; the root always does.
 *
 * @throws Error for a path that is not relative and normalised, or that is a file and a folder at
 * once; `files.set` throws the same
 */
export function memoryHost(
	files: MemoryFilesInput,
	options?: MemoryHostOptions | null,
): MemoryHost {
	const root = options?.root;
	const stored = new MemoryFiles();
	const encoder = new TextEncoder();
	const given = files instanceof Map ? files : Object.entries(files);
	for (const [path, content] of given) {
		stored.set(
			path,
			typeof content === "string" ? encoder.encode(content) : content,
		);
	}
	const host: MemoryHost = {
		...(typeof root === "string" ? { root } : {}),
		files: stored,
		gitHead: () => options?.head ?? null,
		readDirs: (paths) => paths.map((path) => stored.list(path)),
		readMany: (paths, { max_bytes }) =>
			paths.map((path) => read(stored, path, max_bytes)),
		stat: (paths) =>
			paths.map((path) => stored.stamp(path) ?? absence(stored, path)),
		now: () => options?.now?.() ?? new Date().toISOString(),
		ignoreRules: () => options?.ignoreRules ?? [],
		watch: (onChange) => watched(stored, onChange),
	};
	if (options?.readOnly) return host;
	host.write = (path, bytes, { exclusive = false } = {}) => {
		requireWritable(path, "write");
		if (exclusive && stored.has(path)) {
			throw new Error(
				`Cannot write ${JSON.stringify(path)}: it exists already`,
			);
		}
		// The caller may reuse the memory behind its bytes after this call.
		stored.set(path, bytes.slice());
	};
	host.remove = (path) => {
		requireWritable(path, "remove");
		if (stored.hasFolder(path)) {
			throw new Error(`Cannot remove ${JSON.stringify(path)}: it is a folder`);
		}
		stored.delete(path);
	};
	return host;
}

function watched(files: MemoryFiles, onChange: () => void): Watcher {
	let isClosed = false;
	const end = files.listen(onChange);
	return {
		token: () => (isClosed ? null : files.state),
		get reason() {
			return isClosed ? "the watcher was closed" : null;
		},
		close: () => {
			isClosed = true;
			end();
		},
	};
}

function read(
	files: MemoryFiles,
	path: string,
	max_bytes: number,
): Uint8Array | Failure {
	const bytes = files.get(path);
	if (bytes === undefined) return absence(files, path);
	return bytes.length > max_bytes ? { error: "too_large" } : bytes;
}

function absence(files: MemoryFiles, path: string): Failure {
	const problem = pathProblem(path);
	if (problem !== null) return refused(problem);
	return files.hasFolder(path) ? notAFile() : { error: "missing" };
}
