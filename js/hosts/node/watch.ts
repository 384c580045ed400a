import { type BigIntStats, statSync } from "node:fs";
import { sep } from "node:path";
import { Worker } from "node:worker_threads";
import type { Watcher } from "../../core/host.js";
import { pathProblem, WRITABLE_PREFIX } from "../shared/relative-path.js";
import { type Folders, isPlace, ON_WINDOWS } from "./folders.js";
import { readGitHead } from "./git/head.js";
import { findRepository } from "./git/repository.js";
import {
	ANSWERED,
	CHANGES,
	FAULT,
	FAULTS,
	type Request,
	type Told,
	watchInWorker,
} from "./watch-worker.js";

/** How long the worker may take, in milliseconds, before it counts as dead. */
const ANSWER_MS = 5000;

/** `f_type` of file systems in this machine's own kernel: ext, xfs, btrfs, tmpfs, ramfs, overlayfs, zfs, f2fs, bcachefs, jfs, vfat, exfat, ntfs3. */
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
 * The folders that a host lists, watched by one worker for all who watch this host.
 *
 * It vouches on Linux alone, where a change is in the inotify queue once the call that made it has returned. What changes a file without
 * going through a folder that is watched is not seen: memory that is mapped for writing, another hard link of the file, a mount.
 */
export class FolderWatch {
	readonly #top: string;
	readonly #onToken: () => void;
	readonly #listeners = new Set<() => void>();
	readonly #state = new Int32Array(new SharedArrayBuffer(12));
	readonly #worker: Worker | undefined;
	/** Tells the words of this watch from those of others. */
	readonly #own = Array.from(
		crypto.getRandomValues(new Uint32Array(3)),
		(number) => number.toString(36),
	).join("");
	#seq = 0;
	#head: string | null = null;
	#root: string | undefined;
	#failure: string | null = cannotVouch();

	/** `onToken` has the host forget what it remembers of folders: it may be of before. */
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

	/** One who watches; `onEnd` is called when it was the last. */
	join(onChange: () => void, onEnd: () => void): Watcher {
		// One function may watch twice.
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

	/** Watches folders, but for ragnav's own; to be called before they are listed. */
	before(folders: Folders, paths: string[]): void {
		if (this.#worker === undefined) return;
		const sound = paths.filter(
			(path) =>
				pathProblem(path, ON_WINDOWS) === null &&
				!`${path}/`.startsWith(WRITABLE_PREFIX),
		);
		const places = sound.map((path) => folders.resolve(path)).filter(isPlace);
		const isWalk = paths.includes("");
		const root = this.#rootNow();
		const isAnew = this.#root !== undefined && this.#root !== root;
		this.#root = root;
		this.#ask({
			places,
			isWalk,
			isAnew,
			...(isWalk ? { headFolder: this.#headFolder() } : {}),
		});
	}

	#token(): string | null {
		if (this.#reason() !== null) return null;
		this.#onToken();
		const changes = this.#ask({});
		const root = this.#rootNow();
		return this.#reason() === null && root !== ""
			? `${this.#own}-${changes}-${root}`
			: null;
	}

	#reason(): string | null {
		return this.#failure ?? REASONS[Atomics.load(this.#state, FAULT)] ?? null;
	}

	/** Which folder the root is, whatever stands under its name: no folder above it is watched. */
	#rootNow(): string {
		try {
			const { dev, ino }: BigIntStats = statSync(this.#top, { bigint: true });
			return `${dev.toString(36)}.${ino.toString(36)}`;
		} catch {
			return "";
		}
	}

	/** Waits for the worker; gives how much had changed then. */
	#ask(request: Omit<Request, "seq">): number {
		const seq = ++this.#seq;
		try {
			this.#worker?.postMessage({ seq, ...request });
			while (Atomics.load(this.#state, ANSWERED) !== seq) {
				const waited = Atomics.wait(this.#state, ANSWERED, seq - 1, ANSWER_MS);
				if (waited === "timed-out") throw new Error("it does not answer");
			}
		} catch (error) {
			this.#end(`the watcher's thread failed: ${String(error)}`);
		}
		return Atomics.load(this.#state, CHANGES);
	}

	#startWorker(): Worker {
		// Bundlers that keep the names of functions call this one.
		const source = `const __name = (it) => it;
const { parentPort: port, workerData } = require("node:worker_threads");
(${watchInWorker.toString()})(require("node:fs"), { port, ...workerData });`;
		const localTypes = process.platform === "linux" ? LOCAL_TYPES : null;
		const worker = new Worker(source, {
			eval: true,
			execArgv: [],
			name: "ragnav watch",
			workerData: { state: this.#state, localTypes, sep, FAULTS },
		});
		worker.on("message", (what: Told) => this.#hear(what));
		worker.on("error", (error) => {
			this.#end(`the watcher's thread failed: ${String(error)}`);
		});
		worker.unref();
		return worker;
	}

	#hear(what: Told): void {
		if (what === "head") {
			const before = this.#head;
			this.#headFolder();
			if (this.#head === before) return;
		}
		for (const listener of [...this.#listeners]) listener();
	}

	/** The folder with HEAD, and what it says by now. */
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

/** Other runtimes have a `fs.watch` of their own making. */
function canWatch(): boolean {
	const { bun, deno } = process.versions;
	return bun === undefined && deno === undefined;
}

function cannotVouch(): string | null {
	if (!canWatch()) return "only Node's own watcher is known to tell in time";
	return process.platform === "linux"
		? null
		: "this system tells of changes some time after they happened";
}
