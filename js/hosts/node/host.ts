import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type {
	Changes,
	ChangesRequest,
	Commit,
	CommitChanges,
	CommitsBetweenRequest,
	Failure,
	GitHead,
	IgnoreRules,
	Watcher,
} from "../../core/host.js";
import { checkOptions } from "../../core/known-options.js";
import type { SynchronousHost } from "../shared/synchronous-host.js";
import { fileTimes } from "./file-times.js";
import { Folders } from "./folders.js";
import { readChanges, readObjects } from "./git/commits.js";
import { commitsBetween } from "./git/commits-between.js";
import { readGitHead } from "./git/head.js";
import { HistoryReader } from "./git/history.js";
import { gitIgnoreRules } from "./git/ignore-rules.js";
import { readDirs, readMany } from "./read.js";
import { removeBelow } from "./remove.js";
import { stat } from "./stat.js";
import { FolderWatch } from "./watch.js";
import { writeBelow } from "./write.js";

export type { SynchronousHost } from "../shared/synchronous-host.js";

/** The settings of {@link nodeHost}. */
export interface NodeHostOptions {
	/** Omits `write` and `remove`, so that the index stays in memory. */
	readOnly?: boolean | null | undefined;
}

const OPTIONS = {
	readOnly: true,
} satisfies Record<keyof NodeHostOptions, true>;

/**
 * A synchronous host of a folder.
 *
 * @example
 * ```js
 * import { nodeHost } from "ragnav/hosts/node";
 *
 * const [listing] = nodeHost(".").readDirs(["shop"]);
 * console.log(listing.map(({ name }) => name).sort().join()); // cart.py,prices.py
 * ```
 */
export interface NodeHost extends SynchronousHost {
	root: string;
	gitHead(): GitHead;
	ignoreRules(): IgnoreRules[];
	/** Reads the commits with git, and again only after a new commit. */
	history(options: { max_commits: number }): Commit[];
	/** Compares states with git. It runs no program that the repository configures. */
	changes(request: ChangesRequest): Changes | null;
	/** Reads the commits with git, along first parents. */
	commitsBetween(request: CommitsBetweenRequest): CommitChanges[] | null;
	/** Reads objects with git. */
	readObjects(
		ids: string[],
		options: { max_bytes: number },
	): (Uint8Array | Failure)[];
	/**
	 * Watches in a worker thread, which does not keep the process running. On Linux, on local file
	 * systems, `token` proves freshness until the watcher fails. Elsewhere it is `null`, and the host
	 * still calls `onChange`. The watcher does not see changes through memory mapped for writing,
	 * through a hard link that a file got in another folder after it was examined, or by mounts.
	 */
	watch(onChange: () => void): Watcher;
}

/**
 * Returns a host for a folder on disk, given as a path or a `file:` URL. It makes a relative path
 * absolute at once.
 *
 * The host reads everything on request. For one turn of the event loop it remembers which folders
 * lie inside the root. It follows links that stay inside the real root, and does not list named
 * pipes, sockets and devices. A missing root is a `missing` folder, not an error.
 *
 * @throws Error if `root` is not a path: another kind of URL, or a text with a NUL character
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for an unknown option.
 *
 * @example
 * ```js
 * import { open } from "ragnav";
 * import { nodeHost } from "ragnav/hosts/node";
 *
 * const nav = await open(nodeHost("."));
 * console.log((await nav.search("price_of")).total); // 3
 * nav.close();
 * ```
 */
export function nodeHost(
	root: string | URL,
	options?: NodeHostOptions | null,
): NodeHost {
	checkOptions(options, OPTIONS);
	const top = resolve(typeof root === "string" ? root : fileURLToPath(root));
	if (top.includes("\0")) {
		throw new Error("The root of a host cannot contain a NUL character");
	}
	// A query makes many calls in one turn of the event loop, in which no other code of this process
	// runs. So the host checks each folder once in a turn.
	let checked: Folders | undefined;
	const folders = () => {
		if (checked?.usable) return checked;
		checked = new Folders(top);
		setImmediate(() => {
			checked = undefined;
		});
		return checked;
	};
	let watch: FolderWatch | undefined;
	const history = new HistoryReader(top);
	const host: NodeHost = {
		root: top,
		gitHead: () => readGitHead(top),
		readDirs: (paths) => {
			watch?.before(folders(), paths);
			return readDirs(folders(), paths);
		},
		readMany: (paths, { max_bytes }) => readMany(folders(), paths, max_bytes),
		stat: (paths) =>
			stat(folders(), paths, (place, stamp) => watch?.addLinked(place, stamp)),
		fileTimes: (paths) => fileTimes(folders(), paths),
		now: () => new Date().toISOString(),
		ignoreRules: () => gitIgnoreRules(top),
		history: ({ max_commits }) => history.read(max_commits),
		changes: (request) => readChanges(top, request),
		commitsBetween: (request) => commitsBetween(top, request),
		readObjects: (ids, { max_bytes }) => readObjects(top, ids, max_bytes),
		watch: (onChange) => {
			watch ??= new FolderWatch(top, () => {
				checked = undefined;
			});
			return watch.join(onChange, () => {
				watch = undefined;
			});
		},
	};
	if (options?.readOnly) return host;
	host.write = (path, bytes, { exclusive = false } = {}) =>
		writeBelow(top, path, bytes, exclusive);
	host.remove = (path) => removeBelow(top, path);
	return host;
}
