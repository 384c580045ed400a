import type {
	Failure,
	FileStamp,
	GitHead,
	IgnoreRules,
	Watcher,
} from "../../core/host.js";
import { checkOptions } from "../../core/known-options.js";
import { notAFile, refused } from "../shared/file-failure.js";
import { pathProblem, requireWritable } from "../shared/relative-path.js";
import type { SynchronousHost } from "../shared/synchronous-host.js";
import { MemoryFiles } from "./files.js";

export type { SynchronousHost } from "../shared/synchronous-host.js";

/**
 * The settings of {@link memoryHost}. Each query reads `head` and `ignoreRules` again, so a program
 * may change them.
 */
export interface MemoryHostOptions {
	/** The name of the repository in messages. */
	root?: string | null | undefined;
	/** The commit that counts as checked out. Default: none. */
	head?: string | GitHead | null | undefined;
	/** The ignore rules from outside the root, weakest first. */
	ignoreRules?: (string | IgnoreRules)[] | null | undefined;
	/** Omits `write` and `remove`. */
	readOnly?: boolean | null | undefined;
	/** Replaces the clock; returns the time in UTC in ISO 8601. */
	now?: (() => string) | null | undefined;
}

const OPTIONS = {
	root: true,
	head: true,
	ignoreRules: true,
	readOnly: true,
	now: true,
} satisfies Record<keyof MemoryHostOptions, true>;

/**
 * A synchronous host with access to its files.
 *
 * @example
 * ```js
 * import { memoryHost } from "ragnav/hosts/memory";
 *
 * const host = memoryHost({ "a.py": "x = 1\n" });
 * host.files.set("b.py", new TextEncoder().encode("y = 2\n"));
 * console.log([...host.files.keys()].join()); // a.py,b.py
 * ```
 */
export interface MemoryHost extends SynchronousHost {
	/** The files by path. A change of this map is a change of the repository. */
	readonly files: Map<string, Uint8Array>;
	/**
	 * Returns the stamp of each file. Setting a file changes its stamp, even for equal bytes. No two
	 * hosts share a stamp.
	 */
	stat(paths: string[]): (FileStamp | Failure)[];
	/**
	 * Watches the files. The token proves freshness if programs set new bytes in `files` and never
	 * modify bytes in place. The host calls `onChange` before a change returns.
	 */
	watch(onChange: () => void): Watcher;
}

/** The files by relative path; a string stands for its UTF-8 bytes. */
export type MemoryFilesInput =
	| Record<string, string | Uint8Array>
	| ReadonlyMap<string, string | Uint8Array>;

/**
 * Returns a host over files in memory. A program changes them between queries through `files`.
 *
 * The host updates the folders at every `set`, `delete` and `clear`, so a listing costs no more
 * than its entries. It does not copy bytes: set a file to change it. A folder exists while it
 * contains a file; the root always exists.
 *
 * @throws Error for a path that is not relative and normalised, or that is a file and a folder at
 * the same time; `files.set` throws it too
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for an unknown option.
 *
 * @example
 * ```js
 * import { open } from "ragnav";
 * import { memoryHost } from "ragnav/hosts/memory";
 *
 * const nav = await open(memoryHost({ "a.py": "def greet():\n    pass\n" }));
 * console.log((await nav.locate("greet")).items[0].symbol); // sym:a.greet
 * nav.close();
 * ```
 */
export function memoryHost(
	files: MemoryFilesInput,
	options?: MemoryHostOptions | null,
): MemoryHost {
	checkOptions(options, OPTIONS);
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
		watch: (onChange) => watchFiles(stored, onChange),
	};
	if (options?.readOnly) return host;
	host.write = (path, bytes, { exclusive = false } = {}) => {
		requireWritable(path, "write");
		if (exclusive && stored.has(path)) {
			throw new Error(
				`Cannot write ${JSON.stringify(path)}: it exists already`,
			);
		}
		// The caller may reuse the memory of its bytes after this call.
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

function watchFiles(files: MemoryFiles, onChange: () => void): Watcher {
	let isClosed = false;
	const stop = files.listen(onChange);
	return {
		token: () => (isClosed ? null : files.state),
		get reason() {
			return isClosed ? "the watcher was closed" : null;
		},
		close: () => {
			isClosed = true;
			stop();
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
