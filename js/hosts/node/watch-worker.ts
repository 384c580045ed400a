import type { FSWatcher } from "node:fs";
import type { sep } from "node:path";
import type { MessagePort } from "node:worker_threads";

/**
 * Indexes into the memory that the worker shares: the last answered request, the number of changes,
 * the fault.
 */
export const STATE = { answered: 0, changes: 1, fault: 2 } as const;

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

/** The data that the worker starts with. */
export interface WorkerData {
	state: Int32Array;
	/** The types of local file systems; `null` if the type is not checked. */
	localTypes: number[] | null;
	sep: typeof sep;
	STATE: typeof STATE;
	FAULTS: typeof FAULTS;
}

/** What the functions of the worker use: a function that runs from its source has nothing else. */
interface WorkerArguments extends WorkerData {
	fs: typeof import("node:fs");
	port: MessagePort;
}

type Counter = ReturnType<typeof newCounter>;

const PARTS = { newCounter, newFolderWatches, newHeadWatch };

/**
 * Returns the source text of a worker that watches folders. It consists of the texts of the
 * functions below, which therefore use their arguments only.
 *
 * The event loop of the thread has its own inotify queue. The kernel drops events when a queue is
 * full, and libuv does not report it. A queue with events of these folders only cannot overflow
 * before one of them is counted; a queue shared with other watchers of the process could.
 */
export function workerSource(): string {
	const parts = Object.entries(PARTS).map(([name, part]) => `${name}: ${part}`);
	// Bundlers that keep the names of functions insert calls of `__name`.
	return `const __name = (it) => it;
const { parentPort: port, workerData } = require("node:worker_threads");
const given = { fs: require("node:fs"), port, ...workerData };
(${respondToRequests})(given, { ${parts.join(",\n")} });`;
}

function respondToRequests(
	given: WorkerArguments,
	{ newCounter, newFolderWatches, newHeadWatch }: typeof PARTS,
): void {
	const { port, state, STATE } = given;
	const counter = newCounter(given);
	const folders = newFolderWatches(given, counter);
	const watchHead = newHeadWatch(given, counter);
	const answer = (seq: number) => {
		Atomics.store(state, STATE.answered, seq);
		Atomics.notify(state, STATE.answered);
	};
	port.on("message", (request: Request) => {
		const { seq, places, isWalk, isReplaced, headFolder } = request;
		if (isReplaced) folders.unwatchAll();
		if (places === undefined) {
			// The first runs in this turn of the loop, the second after a whole turn, in which libuv
			// read the queue until it was empty.
			setImmediate(() => setImmediate(answer, seq));
			return;
		}
		if (isWalk) folders.beginWalk();
		if (headFolder !== undefined) watchHead(headFolder);
		for (const place of places) folders.watch(place);
		answer(seq);
	});
}

/** Returns the functions that count changes, tell the host of them, and record a fault. */
function newCounter({ port, state, STATE, FAULTS }: WorkerArguments) {
	const pending = new Set<Notice>();
	const send = () => {
		for (const notice of pending) port.postMessage(notice);
		pending.clear();
	};
	const notify = (notice: Notice) => {
		if (pending.size === 0) setImmediate(send);
		pending.add(notice);
	};
	const count = () => {
		Atomics.add(state, STATE.changes, 1);
	};
	return {
		count,
		notify,
		changed: () => {
			count();
			notify("changed");
		},
		/** The first fault stays. */
		fail: (fault: number) => {
			Atomics.compareExchange(state, STATE.fault, FAULTS.none, fault);
		},
	};
}

/** Returns the functions that watch folders and end their watches. */
function newFolderWatches(
	{ fs, localTypes, sep, FAULTS }: WorkerArguments,
	{ changed, fail }: Counter,
) {
	/** The number of walks without a folder after which its watch ends. */
	const MAX_AGE = 16;
	const watched = new Map<string, { watcher: FSWatcher; walk: number }>();
	let walk = 0;

	const startOf = (place: string) =>
		place.endsWith(sep) ? place : place + sep;
	const isLocal = (place: string) =>
		localTypes === null || localTypes.includes(fs.statfsSync(place).type);
	const unwatch = (place: string) => {
		watched.get(place)?.watcher.close();
		watched.delete(place);
	};
	/** Ends the watches of a folder that may have been replaced, and of all folders below it. */
	const unwatchBelow = (place: string) => {
		if (!watched.has(place)) return;
		const start = startOf(place);
		for (const other of [...watched.keys()]) {
			if (other === place || other.startsWith(start)) unwatch(other);
		}
	};
	const onChange = (place: string, event: string, name: unknown) => {
		changed();
		if (event !== "rename") return;
		// inotify reports a removed folder under its own name.
		const own = place.slice(place.lastIndexOf(sep) + 1);
		const isOwn = name === null || name === own;
		unwatchBelow(isOwn ? place : `${startOf(place)}${name}`);
	};
	const start = (place: string) => {
		const watcher = fs.watch(place, { persistent: false });
		watched.set(place, { watcher, walk });
		watcher.on("change", (event, name) => onChange(place, event, name));
		watcher.on("error", () => fail(FAULTS.failed));
		if (!isLocal(place)) fail(FAULTS.remote);
	};
	/** A folder that is missing or closed to this user cannot be listed either. */
	const faultOf = ({ code }: NodeJS.ErrnoException) => {
		if (code === "ENOSPC") return FAULTS.tooManyFolders;
		if (code === "EMFILE" || code === "ENFILE") return FAULTS.tooManyWatchers;
		const closed = ["ENOENT", "ENOTDIR", "EACCES", "EPERM"];
		return closed.includes(`${code}`) ? FAULTS.none : FAULTS.failed;
	};
	return {
		watch: (place: string) => {
			const known = watched.get(place);
			if (known !== undefined) {
				known.walk = walk;
				return;
			}
			try {
				start(place);
			} catch (error) {
				// The folder may have just been created.
				changed();
				fail(faultOf(error as NodeJS.ErrnoException));
			}
		},
		/** Ends the watches of folders that the last walks did not meet. */
		beginWalk: () => {
			walk++;
			const all = [...watched];
			const old = all.filter(([, { walk: last }]) => walk - last > MAX_AGE);
			for (const [place] of old) unwatch(place);
			if (old.length > 0) changed();
		},
		unwatchAll: () => {
			for (const place of [...watched.keys()]) unwatch(place);
			changed();
		},
	};
}

/** Returns the function that watches the folder of HEAD in place of the one before. */
function newHeadWatch(
	{ fs }: WorkerArguments,
	{ count, notify }: Counter,
): (folder: string | null) => void {
	/**
	 * One of so many changes beside HEAD is counted, so that these alone cannot overflow the queue
	 * unnoticed.
	 */
	const HEAD_CHANGES = 64;
	let headChanges = 0;
	let head: { folder: string; watcher: FSWatcher } | undefined;
	const onChange = () => {
		notify("head");
		headChanges++;
		if (headChanges % HEAD_CHANGES === 0) count();
	};
	return (folder) => {
		if (head?.folder === folder) return;
		head?.watcher.close();
		head = undefined;
		if (folder === null) return;
		try {
			const watcher = fs.watch(folder, { persistent: false });
			watcher.on("change", onChange);
			watcher.on("error", () => watcher.close());
			head = { folder, watcher };
		} catch {
			// Queries read HEAD in any case.
		}
	};
}
