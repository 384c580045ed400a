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
	/** Leaves out `write` and `remove`, so that an index stays in memory. */
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
	 * Watches in a thread of its own, which keeps no process running. On Linux, on file systems of this machine, it vouches until it
	 * fails; elsewhere `token` is `null` and `onChange` is told all the same. Memory that is mapped for writing, another hard link of a
	 * file and mounts change files without its knowing.
	 */
	watch(onChange: () => void): Watcher;
}

/**
 * Host for a folder on disk, given as a path (made absolute at once) or a `file:` URL.
 *
 * Everything is read when it is asked for; what is kept is which folders were found inside the root,
 * for one turn of the event loop. Links are read while they stay inside the real root. Named pipes,
 * sockets and devices are not listed. A root that does not exist is a `missing` folder, not an error here.
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
	// Folders are checked once a turn of the event loop, which no other code of this process can
	// interrupt: the many calls of a question would otherwise ask for the same ones again and again.
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
