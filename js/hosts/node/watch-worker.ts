import type { FSWatcher } from "node:fs";
import type { sep } from "node:path";
import type { MessagePort } from "node:worker_threads";

/**
 * Indexes into the memory that the worker shares: the last answered request, the number of changes,
 * the fault.
 */
export const ANSWERED = 0;
export const CHANGES = 1;
export const FAULT = 2;

/** The permanent faults, as numbers in the shared memory. */
export const FAULTS = {
	none: 0,
	tooManyFolders: 1,
	tooManyWatchers: 2,
	remote: 3,
	failed: 4,
} as const;

/** A request to the worker. Its response counts every change before the request. */
export interface Request {
	seq: number;
	/** The real paths of the folders that the host lists next. */
	places?: string[];
	/** Whether a walk begins with these folders. */
	isWalk?: boolean;
	/** Whether the root is another folder than before, so that all watches are obsolete. */
	isReplaced?: boolean;
	/** The folder of git's HEAD: changes there are reported, and not counted. */
	headFolder?: string | null;
}

/** A message that the worker sends by itself. */
export type Notice = "changed" | "head";

/** The arguments of the worker. */
export interface WorkerArguments {
	port: MessagePort;
	state: Int32Array;
	/** The types of local file systems; `null` if the type is not checked. */
	localTypes: number[] | null;
	sep: typeof sep;
	FAULTS: typeof FAULTS;
}

/**
 * Watches folders in a worker thread.
 *
 * The event loop of the thread has its own inotify queue. The kernel drops events when a queue is
 * full, and libuv does not report it. A queue with events of these folders only cannot overflow
 * before one of them is counted; a queue shared with other watchers of the process could.
 *
 * The worker runs the source text of this function, which therefore uses its arguments only.
 */
export function watchInWorker(
	fs: typeof import("node:fs"),
	{ port, state, localTypes, sep, FAULTS }: WorkerArguments,
): void {
	const ANSWERED = 0;
	const CHANGES = 1;
	const FAULT = 2;
	/** The number of walks without a folder after which its watch ends. */
	const MAX_AGE = 16;
	/**
	 * One of so many changes beside HEAD is counted, so that these alone cannot overflow the queue
	 * unnoticed.
	 */
	const HEAD_CHANGES = 64;
	const watched = new Map<string, { watcher: FSWatcher; walk: number }>();
	const pending = new Set<Notice>();
	let walk = 0;
	let headChanges = 0;
	let head: { folder: string; watcher: FSWatcher } | undefined;

	const notify = (notice: Notice) => {
		if (pending.size === 0) {
			setImmediate(() => {
				for (const one of pending) port.postMessage(one);
				pending.clear();
			});
		}
		pending.add(notice);
	};
	const changed = () => {
		Atomics.add(state, CHANGES, 1);
		notify("changed");
	};
	const fail = (fault: number) => {
		Atomics.compareExchange(state, FAULT, FAULTS.none, fault);
	};
	const unwatch = (place: string) => {
		watched.get(place)?.watcher.close();
		watched.delete(place);
	};
	/** Ends the watches of a folder that may have been replaced, and of all folders below it. */
	const unwatchBelow = (place: string) => {
		if (!watched.has(place)) return;
		const prefix = place.endsWith(sep) ? place : place + sep;
		for (const other of [...watched.keys()]) {
			if (other === place || other.startsWith(prefix)) unwatch(other);
		}
	};
	const isLocal = (place: string) =>
		localTypes === null || localTypes.includes(fs.statfsSync(place).type);
	const watch = (place: string) => {
		const known = watched.get(place);
		if (known !== undefined) {
			known.walk = walk;
			return;
		}
		try {
			const watcher = fs.watch(place, { persistent: false });
			watched.set(place, { watcher, walk });
			const own = place.slice(place.lastIndexOf(sep) + 1);
			watcher.on("change", (event, name) => {
				changed();
				if (event !== "rename") return;
				// inotify reports a removed folder under its own name.
				if (name === null || name === own) unwatchBelow(place);
				else
					unwatchBelow(
						place.endsWith(sep) ? place + name : `${place}${sep}${name}`,
					);
			});
			watcher.on("error", () => fail(FAULTS.failed));
			if (!isLocal(place)) fail(FAULTS.remote);
		} catch (error) {
			// Listing this folder fails as well, or the folder has just been created.
			changed();
			const { code } = error as NodeJS.ErrnoException;
			if (code === "ENOSPC") fail(FAULTS.tooManyFolders);
			else if (code === "EMFILE" || code === "ENFILE") {
				fail(FAULTS.tooManyWatchers);
			} else if (
				!["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(`${code}`)
			) {
				fail(FAULTS.failed);
			}
		}
	};
	const unwatchOld = () => {
		const old = [...watched].filter(
			([, { walk: last }]) => walk - last > MAX_AGE,
		);
		for (const [place] of old) unwatch(place);
		if (old.length > 0) changed();
	};
	const watchHead = (folder: string | null) => {
		if (head?.folder === folder) return;
		head?.watcher.close();
		head = undefined;
		if (folder === null) return;
		try {
			const watcher = fs.watch(folder, { persistent: false });
			watcher.on("change", () => {
				notify("head");
				headChanges++;
				if (headChanges % HEAD_CHANGES === 0) Atomics.add(state, CHANGES, 1);
			});
			watcher.on("error", () => watcher.close());
			head = { folder, watcher };
		} catch {
			// Queries read HEAD in any case.
		}
	};
	const answer = (seq: number) => {
		Atomics.store(state, ANSWERED, seq);
		Atomics.notify(state, ANSWERED);
	};

	port.on("message", (request: Request) => {
		const { seq, places, isWalk, isReplaced, headFolder } = request;
		if (isReplaced) {
			for (const place of [...watched.keys()]) unwatch(place);
			changed();
		}
		if (places === undefined) {
			// The first runs in this turn of the loop, the second after a whole turn, in which libuv
			// read the queue until it was empty.
			setImmediate(() => setImmediate(answer, seq));
			return;
		}
		if (isWalk) {
			walk++;
			unwatchOld();
		}
		if (headFolder !== undefined) watchHead(headFolder);
		for (const place of places) watch(place);
		answer(seq);
	});
}
