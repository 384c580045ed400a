import { type BigIntStats, statSync } from "node:fs";
import { sep } from "node:path";
import { Worker } from "node:worker_threads";
import type { FileStamp, Watcher } from "../../core/host.js";
import { pathProblem, WRITABLE_PREFIX } from "../shared/relative-path.js";
import { type Folders, isPlace, ON_WINDOWS } from "./folders.js";
import { readGitHead } from "./git/head.js";
import { findRepository } from "./git/repository.js";
import { LinkedFiles } from "./linked-files.js";
import {
	FAULTS,
	type Notice,
	type Request,
	STATE,
	type WorkerData,
	workerSource,
} from "./watch-worker.js";

/** The time in milliseconds after which a worker that does not respond counts as dead. */
const ANSWER_MS = 5000;

/** The number of files with several hard links that are compared each time at most. */
const MAX_LINKED = 1000;

/**
 * The `f_type` of local file systems: ext, xfs, btrfs, tmpfs, ramfs, overlayfs, zfs, f2fs,
 * bcachefs, jfs, vfat, exfat, ntfs3.
 */
const LOCAL_TYPES = [
	0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x858458f6, 0x794c7630,
	0x2fc12fc1, 0xf2f52010, 0xca451a4e, 0x3153464a, 0x4d44, 0x2011bab0,
	0x7366746e,
];

const REASONS: Record<number, string> = {
	[FAULTS.tooManyFolders]:
		"there are more folders than the system lets be watched (fs.inotify.max_user_watches)",
	[FAULTS.tooManyWatchers]:
		"the system lets no more be watched (fs.inotify.max_user_instances, or open files)",
	[FAULTS.remote]:
		"a folder lies on a file system that others may change without this system's knowing",
	[FAULTS.failed]: "a folder could not be watched",
};

/**
 * Watches the folders that a host lists, with one worker for all watchers of the host.
 *
 * The token proves freshness on Linux only, where a change is in the inotify queue once the system
 * call that made it returns. The watcher does not see changes that bypass the watched folders:
 * memory mapped for writing, a hard link that another folder got after the file was examined, a
 * mount.
 */
export class FolderWatch {
	readonly #top: string;
	readonly #onToken: () => void;
	readonly #listeners = new Set<() => void>();
	readonly #state = new Int32Array(new SharedArrayBuffer(12));
	readonly #worker: Worker | undefined;
	/** Distinguishes the tokens of this watch from those of others. */
	readonly #own = Array.from(
		crypto.getRandomValues(new Uint32Array(3)),
		(number) => number.toString(36),
	).join("");
	readonly #linked = new LinkedFiles();
	#seq = 0;
	#head: string | null = null;
	#root: string | undefined;
	#failure: string | null = reasonWithoutProof();

	/** `onToken` clears the host's memory of folders, which may be older than the token. */
	constructor(top: string, onToken: () => void) {
		this.#top = top;
		this.#onToken = onToken;
		if (!canWatch()) return;
		try {
			this.#worker = this.#startWorker();
		} catch (error) {
			this.#failure = `the watcher's thread cannot run: ${String(error)}`;
		}
	}

	/** Adds a watcher; `onEnd` is called when the last one closes. */
	join(onChange: () => void, onEnd: () => void): Watcher {
		// The same function may be registered twice.
		const listener = () => onChange();
		this.#listeners.add(listener);
		const watch = this;
		return {
			token: () => (watch.#listeners.has(listener) ? watch.#token() : null),
			get reason() {
				return watch.#reason();
			},
			close: () => {
				if (!watch.#listeners.delete(listener)) return;
				if (watch.#listeners.size > 0) return;
				watch.#end("the watcher was closed");
				onEnd();
			},
		};
	}

	/** Watches folders, except those of the index. Must be called before they are listed. */
	before(folders: Folders, paths: string[]): void {
		if (this.#worker === undefined) return;
		const valid = paths.filter(
			(path) =>
				pathProblem(path, ON_WINDOWS) === null &&
				!`${path}/`.startsWith(WRITABLE_PREFIX),
		);
		const places = valid.map((path) => folders.resolve(path)).filter(isPlace);
		const isWalk = paths.includes("");
		const root = this.#rootIdentity();
		const isReplaced = this.#root !== undefined && this.#root !== root;
		this.#root = root;
		this.#request({
			places,
			isWalk,
			isReplaced,
			...(isWalk ? { headFolder: this.#headFolder() } : {}),
		});
	}

	/** Takes note of a file that changes through other names than those in the watched folders. */
	addLinked(place: string, stamp: FileStamp): void {
		this.#linked.add(place, stamp);
		if (this.#linked.count > MAX_LINKED)
			this.#failure ??= `more than ${MAX_LINKED} files have several hard links`;
	}

	#token(): string | null {
		if (this.#reason() !== null) return null;
		this.#onToken();
		const changes = this.#request({}) + this.#linked.changes();
		const root = this.#rootIdentity();
		return this.#reason() === null && root !== ""
			? `${this.#own}-${changes}-${root}`
			: null;
	}

	#reason(): string | null {
		return (
			this.#failure ?? REASONS[Atomics.load(this.#state, STATE.fault)] ?? null
		);
	}

	/** Returns the identity of the root folder: no folder above the root is watched. */
	#rootIdentity(): string {
		try {
			const { dev, ino }: BigIntStats = statSync(this.#top, { bigint: true });
			return `${dev.toString(36)}.${ino.toString(36)}`;
		} catch {
			return "";
		}
	}

	/** Sends a request and waits for the worker; returns the number of changes so far. */
	#request(request: Omit<Request, "seq">): number {
		const seq = ++this.#seq;
		try {
			this.#worker?.postMessage({ seq, ...request });
			while (Atomics.load(this.#state, STATE.answered) !== seq) {
				const waited = Atomics.wait(
					this.#state,
					STATE.answered,
					seq - 1,
					ANSWER_MS,
				);
				if (waited === "timed-out") throw new Error("it does not answer");
			}
		} catch (error) {
			this.#end(`the watcher's thread failed: ${String(error)}`);
		}
		return Atomics.load(this.#state, STATE.changes);
	}

	#startWorker(): Worker {
		const localTypes = process.platform === "linux" ? LOCAL_TYPES : null;
		const state = this.#state;
		const worker = new Worker(workerSource(), {
			eval: true,
			execArgv: [],
			name: "ragnav watch",
			workerData: {
				state,
				localTypes,
				sep,
				STATE,
				FAULTS,
			} satisfies WorkerData,
		});
		worker.on("message", (notice: Notice) => this.#receive(notice));
		worker.on("error", (error) => {
			this.#end(`the watcher's thread failed: ${String(error)}`);
		});
		worker.unref();
		return worker;
	}

	#receive(notice: Notice): void {
		if (notice === "head") {
			const before = this.#head;
			this.#headFolder();
			if (this.#head === before) return;
		}
		for (const listener of [...this.#listeners]) listener();
	}

	/** Reads HEAD, and returns the folder it lies in. */
	#headFolder(): string | null {
		try {
			this.#head = readGitHead(this.#top).head;
			return findRepository(this.#top)?.gitDir ?? null;
		} catch {
			return null;
		}
	}

	#end(why: string): void {
		this.#failure ??= why;
		void this.#worker?.terminate();
	}
}

/** Reports whether this is Node: other runtimes implement `fs.watch` differently. */
function canWatch(): boolean {
	const { bun, deno } = process.versions;
	return bun === undefined && deno === undefined;
}

function reasonWithoutProof(): string | null {
	if (!canWatch()) return "only Node's own watcher is known to tell in time";
	return process.platform === "linux"
		? null
		: "this system tells of changes some time after they happened";
}
