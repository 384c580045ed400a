import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type {
	DirEntry,
	Failure,
	FileStamp,
	GitHead,
	Host,
	IgnoreRules,
	Watcher,
} from "../../core/host.js";
import { Folders } from "./folders.js";
import { readGitHead } from "./git/head.js";
import { gitIgnoreRules } from "./git/ignore-rules.js";
import { readDirs, readMany } from "./read.js";
import { removeBelow } from "./remove.js";
import { stat } from "./stat.js";
import { FolderWatch } from "./watch.js";
import { writeBelow } from "./write.js";

/** Settings of {@link nodeHost}. */
export interface NodeHostOptions {
	/** Omits `write` and `remove`, so that the index stays in memory. */
	readOnly?: boolean | null | undefined;
}

/** Host whose answers are ready when its methods return. */
export interface NodeHost extends Host {
	root: string;
	gitHead(): GitHead;
	readDirs(paths: string[]): (DirEntry[] | Failure)[];
	readMany(
		paths: string[],
		options: { max_bytes: number },
	): (Uint8Array | Failure)[];
	stat(paths: string[]): (FileStamp | Failure)[];
	write?(
		path: string,
		bytes: Uint8Array,
		options?: { exclusive?: boolean },
	): void;
	remove?(path: string): void;
	now(): string;
	ignoreRules(): IgnoreRules[];
	/**
	 * Watches in a worker thread, which does not keep the process running. On Linux, on local file
	 * systems, `token` proves freshness until the watcher fails; elsewhere it is `null`, and `onChange`
	 * is called all the same. The watcher does not see changes through memory mapped for writing,
	 * through another hard link of a file, or by mounts.
	 */
	watch(onChange: () => void): Watcher;
}

/**
 * Host for a folder on disk, given as a path (made absolute at once) or a `file:` URL.
 *
 * The host reads everything on request; it only remembers, for one turn of the event loop, which
 * folders lie inside the root. It follows links that stay inside the real root, and does not list
 * named pipes, sockets and devices. A root that does not exist is a `missing` folder, not an error.
 *
 * @throws Error where `root` is no path at all: another kind of URL, or text with a NUL character
 */
export function nodeHost(
	root: string | URL,
	options?: NodeHostOptions | null,
): NodeHost {
	const top = resolve(typeof root === "string" ? root : fileURLToPath(root));
	if (top.includes("\0")) {
		throw new Error("The root of a host cannot contain a NUL character");
	}
	// Folders are checked once in a turn of the event loop, which no other code of this process can
	// interrupt: the many calls of a query would otherwise check the same folders again.
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
	const host: NodeHost = {
		root: top,
		gitHead: () => readGitHead(top),
		readDirs: (paths) => {
			watch?.before(folders(), paths);
			return readDirs(folders(), paths);
		},
		readMany: (paths, { max_bytes }) => readMany(folders(), paths, max_bytes),
		stat: (paths) => stat(folders(), paths),
		now: () => new Date().toISOString(),
		ignoreRules: () => gitIgnoreRules(top),
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
