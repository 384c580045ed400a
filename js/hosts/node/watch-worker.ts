import type { FSWatcher } from "node:fs";
import type { sep } from "node:path";
import type { MessagePort } from "node:worker_threads";

/** Places in the memory that the worker shares: the last request that it has answered, how much has changed, what went wrong. */
export const ANSWERED = 0;
export const CHANGES = 1;
export const FAULT = 2;

/** What may go wrong for good, as it stands in the shared memory. */
export const FAULTS = {
	none: 0,
	tooManyFolders: 1,
	tooManyWatchers: 2,
	remote: 3,
	failed: 4,
} as const;

/** What the worker is asked. It has taken note of all that happened before, once it answers. */
export interface Request {
	seq: number;
	/** Folders that are about to be listed, by their real paths. */
	places?: string[];
	/** Whether a walk begins with them. */
	isWalk?: boolean;
	/** Whether the root is another folder than it was, so that nothing of before is watched. */
	isAnew?: boolean;
	/** The folder that git's HEAD lies in: changes there are told, and do not count for themselves. */
	headFolder?: string | null;
}

/** What the worker tells unasked. */
export type Told = "changed" | "head";

/** What the worker is given. */
export interface WorkerGiven {
	port: MessagePort;
	state: Int32Array;
	/** The types of file systems that nobody else changes, `null` where that is not asked. */
	localTypes: number[] | null;
	sep: typeof sep;
	FAULTS: typeof FAULTS;
}

/**
 * Watches folders, in a thread of its own.
 *
 * Its event loop has an inotify queue to itself. The kernel drops events when a queue is full, and libuv does not tell; but a queue
 * that holds nothing but events of these folders cannot be full without one of them having been counted. In a queue that is shared with
 * other watchers of the process it could.
 *
 * The source of this function is what the worker runs: it may use nothing but what it is given.
 */
export function watchInWorker(
	fs: typeof import("node:fs"),
	{ port, state, localTypes, sep, FAULTS }: WorkerGiven,
): void {
	const ANSWERED = 0;
	const CHANGES = 1;
	const FAULT = 2;
	/** Folders that were not listed by so many walks are let go. */
	const MAX_AGE = 16;
	/** Of so many changes where HEAD lies one counts, so that these alone cannot fill the queue unnoticed. */
	const HEAD_CHANGES = 64;
	const watched = new Map<string, { watcher: FSWatcher; walk: number }>();
	const told = new Set<Told>();
	let walk = 0;
	let headChanges = 0;
	let head: { folder: string; watcher: FSWatcher } | undefined;

	const tell = (what: Told) => {
		if (told.size === 0) {
			setImmediate(() => {
				for (const one of told) port.postMessage(one);
				told.clear();
			});
		}
		told.add(what);
	};
	const changed = () => {
		Atomics.add(state, CHANGES, 1);
		tell("changed");
	};
	const fail = (fault: number) => {
		Atomics.compareExchange(state, FAULT, FAULTS.none, fault);
	};
	const letGo = (place: string) => {
		watched.get(place)?.watcher.close();
		watched.delete(place);
	};
	/** What is at a place, and below it, may be something else by now. */
	const letGoBelow = (place: string) => {
		if (!watched.has(place)) return;
		const prefix = place.endsWith(sep) ? place : place + sep;
		for (const other of [...watched.keys()]) {
			if (other === place || other.startsWith(prefix)) letGo(other);
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
				// A folder that is gone itself is reported under its own name.
				if (name === null || name === own) letGoBelow(place);
				else
					letGoBelow(
						place.endsWith(sep) ? place + name : `${place}${sep}${name}`,
					);
			});
			watcher.on("error", () => fail(FAULTS.failed));
			if (!isLocal(place)) fail(FAULTS.remote);
		} catch (error) {
			// Whoever lists this folder fails as well, or it has just come to be.
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
	const letGoOld = () => {
		const old = [...watched].filter(
			([, { walk: last }]) => walk - last > MAX_AGE,
		);
		for (const [place] of old) letGo(place);
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
				tell("head");
				headChanges++;
				if (headChanges % HEAD_CHANGES === 0) Atomics.add(state, CHANGES, 1);
			});
			watcher.on("error", () => watcher.close());
			head = { folder, watcher };
		} catch {
			// Who asks is told of HEAD in any case.
		}
	};
	const answer = (seq: number) => {
		Atomics.store(state, ANSWERED, seq);
		Atomics.notify(state, ANSWERED);
	};

	port.on("message", (request: Request) => {
		const { seq, places, isWalk, isAnew, headFolder } = request;
		if (isAnew) {
			for (const place of [...watched.keys()]) letGo(place);
			changed();
		}
		if (places === undefined) {
			// The first comes in this turn of the loop, the second after a whole one, in which the queue was read until it was empty.
			setImmediate(() => setImmediate(answer, seq));
			return;
		}
		if (isWalk) {
			walk++;
			letGoOld();
		}
		if (headFolder !== undefined) watchHead(headFolder);
		for (const place of places) watch(place);
		answer(seq);
	});
}
