import type { Request, Session, Step } from "../generated/glue.js";
import { onAbort } from "./abort.js";
import {
	type DocumentStore,
	respondOf,
	type StoreRequest,
} from "./document-store.js";
import type { Embed } from "./embedding.js";
import { fromCore, messageOf, noCommits, RagnavError } from "./errors.js";
import {
	type Failure,
	type Host,
	isPromise,
	type MaybePromise,
	type Reader,
	type Watcher,
} from "./host.js";
import type { Usage } from "./limits.js";
import type { Complete } from "./model.js";
import { plainResponse } from "./plain-response.js";
import type { WalkShare } from "./shared-walks.js";
import { type OffsetAt, offsetsOf } from "./time-zone.js";
import { HelperPanic, type HelperPool } from "./workers/pool.js";

/** The options that every query takes besides its own. */
export interface CallOptions {
	/** Cancels the query; it answers `ERROR` / `CANCELLED`. */
	signal?: AbortSignal | null | undefined;
	/**
	 * The time limit in milliseconds; above it, the query answers `ERROR` / `TIMEOUT`. Default: the
	 * navigator's limit; none for builds.
	 */
	timeout_ms?: number | null | undefined;
	/** Receives the progress of the query, at most once for about a mebibyte of work. */
	onProgress?: ((progress: Progress) => void) | null | undefined;
}

/** The progress of a query. */
export interface Progress {
	/** The number of files done. */
	done: number;
	/** The number of all files, if it is known. */
	total: number | null;
	/** `files` are verified, searched or indexed; `documents` are built and embedded. */
	phase: "files" | "documents";
}

/** What a query uses besides the host. */
export interface QueryPorts {
	/** The running queries: for each a function that ends it with `CLOSED`. */
	closers?: Set<() => void> | undefined;
	/** Receives the write of an interrupted query that the host has not completed. */
	unfinished?: Unfinished | undefined;
	/** Proves that the host's files have not changed. */
	watcher?: Watcher | undefined;
	/** Shares a walk with concurrent queries if there is no watcher. */
	walkShare?: WalkShare | undefined;
	/** Sends a request to a language model. */
	model?: Complete | undefined;
	/** Embeds texts. */
	embed?: Embed | undefined;
	/** Replaces the embedded document store. */
	store?: DocumentStore | undefined;
	/** The time zone. Default: this machine's. */
	offsetAt?: OffsetAt | undefined;
	/** Loads a grammar into the instance of the core that runs the query. */
	loadGrammar?: ((language: string) => MaybePromise<void>) | undefined;
	/** The workers of this query; they stop with it. */
	helpers?: HelperPool | undefined;
	/** Counts the resources that the query uses. */
	usage?: Usage | undefined;
}

/** What an interrupted query has not completed. */
export interface Unfinished {
	/** A write or removal that the host may still perform. */
	write?: Promise<unknown>;
}

/** Thrown if the core itself stopped. Its instance must not be used again. */
export class CorePanic extends Error {}

/** The stamp of every file on a host without stamps; the core reads the files instead. */
const NO_STAMP: Failure = { error: "io" };

/**
 * The time in milliseconds that an interrupted build waits for the host, once it has begun to
 * write.
 */
const GRACE_MS = 2000;

/** The message of queries on a closed navigator. */
export const CLOSED_MESSAGE = "the navigator is closed; open another one";

/** The longest delay of a timer in milliseconds, about 25 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The time in milliseconds after which the driver lets the event loop run. */
const TURN_MS = 25;

/**
 * Sends a session's requests to the host until the session ends.
 *
 * @throws {RagnavError} `CANCELLED`, `TIMEOUT`, `LIMIT_EXCEEDED` or `CLOSED`.
 * @throws {CorePanic} if the core stopped on a defect.
 */
export async function drive<T>(
	session: Session,
	host: Host,
	options: CallOptions,
	{ closers, unfinished = {}, ...others }: QueryPorts = {},
): Promise<T> {
	const interruption = new Interruption(options, unfinished);
	const place = { host, ...others };
	closers?.add(interruption.close);
	let turnBegan = performance.now();
	try {
		let step = take(() => session.start());
		while (step.state === "need") {
			if (performance.now() - turnBegan > TURN_MS) {
				await nextTurn();
				turnBegan = performance.now();
			}
			interruption.check();
			step = await respond(session, step.request, place, options, interruption);
		}
		interruption.check();
		return step.value as T;
	} finally {
		closers?.delete(interruption.close);
		interruption.end();
		others.helpers?.stop();
		release(session);
	}
}

/** Frees a session. A core that stopped cannot free anything; its memory goes with the instance. */
function release(session: Session): void {
	try {
		session.free();
	} catch {
		// The caller receives the error that stopped the core.
	}
}

/** Everything that performs requests. */
interface Place extends Omit<QueryPorts, "closers" | "unfinished"> {
	host: Host;
}

async function respond(
	session: Session,
	request: Request,
	place: Place,
	options: CallOptions,
	interruption: Interruption,
): Promise<Step> {
	let value: unknown;
	try {
		if (request.name === "commit") {
			interruption.defer();
		}
		const given = perform(request, place, options);
		const changes = request.name === "write" || request.name === "remove";
		const response = isPromise(given)
			? await interruption.orElse(given, changes)
			: given;
		value = plainResponse(request.name, response);
	} catch (thrown) {
		interruption.check();
		if (thrown instanceof HelperPanic) throw new CorePanic(thrown.message);
		return take(() => session.fail(messageOf(thrown)));
	}
	interruption.exceed(place.usage?.exceeded);
	interruption.check();
	return take(() => session.respond(value));
}

function perform(
	request: Request,
	place: Place,
	options: CallOptions,
): MaybePromise<unknown> {
	const { host, watcher, walkShare, helpers, model, embed, store } = place;
	switch (request.name) {
		case "gitHead":
			return host.gitHead();
		case "readDirs":
			return host.readDirs(request.paths);
		case "readMany":
			return readerOf(place).readMany(request.paths, {
				max_bytes: request.max_bytes,
			});
		case "overlay":
			return host.overlay?.() ?? [];
		case "ignoreRules":
			return host.ignoreRules?.() ?? [];
		case "history":
			return host.history?.({ max_commits: request.max_commits }) ?? [];
		case "changes": {
			if (host.changes === undefined) throw noCommits();
			const { from, to, paths, unsaved } = request;
			return host.changes({ from, to: to ?? null, paths, unsaved });
		}
		case "commitsBetween": {
			const { from, to, max_commits } = request;
			return host.commitsBetween?.({ from, to, max_commits }) ?? null;
		}
		case "readObjects":
			if (host.readObjects === undefined) throw noCommits();
			return host.readObjects(request.ids, { max_bytes: request.max_bytes });
		case "watch":
			return watcher ? watcher.token() : (walkShare?.token() ?? null);
		case "write":
			if (host.write === undefined) {
				throw new Error("the host has no `write`; give it one to save files");
			}
			return host.write(request.path, joined(request.parts), {
				exclusive: request.exclusive,
			});
		case "remove":
			if (host.remove === undefined) {
				throw new Error(
					"the host has no `remove`; give it one to remove files",
				);
			}
			return host.remove(request.path);
		case "stat":
			return host.stat?.(request.paths) ?? request.paths.map(() => NO_STAMP);
		case "fileTimes":
			return host.fileTimes?.(request.paths) ?? request.paths.map(() => null);
		case "now":
			return host.now?.() ?? new Date().toISOString();
		case "commit":
			return null;
		case "extract":
			return (
				helpers?.extract(request, readerOf(place), (files) =>
					options.onProgress?.(advanced(request.progress, files)),
				) ?? null
			);
		case "loadGrammar":
			if (place.loadGrammar === undefined) {
				throw new Error(
					"this program loads no grammars; use an entry that does",
				);
			}
			return place.loadGrammar(request.language);
		case "model":
			if (model === undefined) {
				throw new Error("there is no model; give one as `llm`");
			}
			return model(request.body, request.timeout_ms);
		case "embed":
			if (embed === undefined) {
				throw new Error("nothing embeds texts here; pass `embed` to `open`");
			}
			return embed(request.texts);
		case "store":
			if (store === undefined) {
				throw new Error("there is no store but the embedded one");
			}
			return respondOf(store, request.request as StoreRequest);
		case "wait":
			return new Promise((resolve) => setTimeout(resolve, request.ms, null));
		case "offsets":
			return request.instants.map(place.offsetAt ?? offsetsOf(null));
		case "yield":
			options.onProgress?.(request.progress);
			return null;
	}
}

/** Adds files to a progress. Files that a build scans again do not count again. */
function advanced(progress: Progress, files: number): Progress {
	const { done, total } = progress;
	return { ...progress, done: Math.min(done + files, total ?? Infinity) };
}

/** Joins the parts of a file; the core never has the whole file in its memory. */
function joined(parts: Uint8Array[]): Uint8Array {
	const [only, ...others] = parts;
	if (only !== undefined && others.length === 0) return only;
	const size = parts.reduce((sum, part) => sum + part.byteLength, 0);
	const bytes = new Uint8Array(size);
	let at = 0;
	for (const part of parts) {
		bytes.set(part, at);
		at += part.byteLength;
	}
	return bytes;
}

function readerOf({ host, usage }: Place): Reader {
	return usage?.countReads(host) ?? host;
}

function take(step: () => Step): Step {
	try {
		return step();
	} catch (thrown) {
		throw fromCore(thrown) ?? new CorePanic(messageOf(thrown));
	}
}

/** Waits for a turn of the event loop, so that timers, signals and the page can run. */
function nextTurn(): Promise<void> {
	// Only Node has `setImmediate`, and the types here are those of browsers.
	const { setImmediate } = globalThis as {
		setImmediate?: (callback: () => void) => void;
	};
	if (setImmediate !== undefined) {
		return new Promise((resolve) => setImmediate(resolve));
	}
	return new Promise((resolve) => {
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = () => {
			port1.close();
			resolve();
		};
		port2.postMessage(null);
	});
}

/** Interrupts a query by its signal or deadline, also if a promise of the host never settles. */
class Interruption {
	readonly #forget: (() => void) | undefined;
	readonly #timeout: number | null | undefined;
	readonly #timer: ReturnType<typeof setTimeout> | undefined;
	readonly #deadline: number;
	#failure: RagnavError | undefined;
	#isDeferred = false;
	#interrupt: (failure: RagnavError) => void = () => undefined;

	readonly #unfinished: Unfinished;

	constructor({ signal, timeout_ms }: CallOptions, unfinished: Unfinished) {
		this.#unfinished = unfinished;
		this.#timeout = timeout_ms;
		this.#deadline =
			performance.now() + (timeout_ms ?? Number.POSITIVE_INFINITY);
		if (signal?.aborted) {
			this.#cancel();
		}
		if (signal) this.#forget = onAbort(signal, this.#cancel);
		// A timer with a longer delay would fire at once.
		if (typeof timeout_ms === "number" && timeout_ms <= MAX_TIMER_MS) {
			this.#timer = setTimeout(this.#timeOut, timeout_ms);
		}
	}

	/** Throws if the query was interrupted. */
	check(): void {
		// With a synchronous host the timer may never run.
		if (performance.now() >= this.#deadline) {
			this.#timeOut();
		}
		if (this.#failure !== undefined && !this.#isDeferred) {
			throw this.#failure;
		}
	}

	/** Interrupts the query if it exceeded a limit. */
	exceed(limit: RagnavError | undefined): void {
		if (limit !== undefined) this.#end(limit);
	}

	/** Lets the query complete despite an interruption, if the host responds in time. */
	defer(): void {
		this.check();
		this.#isDeferred = true;
	}

	/**
	 * Waits for a promise of the host, or rejects when the query is interrupted. With `changes`, a
	 * promise that has not settled then is an unfinished write.
	 */
	orElse<T>(promise: Promise<T>, changes: boolean): Promise<T> {
		return new Promise((resolve, reject) => {
			let grace: ReturnType<typeof setTimeout> | undefined;
			const settled = () => {
				clearTimeout(grace);
				this.#interrupt = () => undefined;
			};
			const leave = (failure: RagnavError) => {
				this.#isDeferred = false;
				if (changes) this.#unfinished.write = promise;
				reject(failure);
			};
			this.#interrupt = (failure) => {
				if (!this.#isDeferred) {
					leave(failure);
				} else {
					grace ??= setTimeout(leave, GRACE_MS, failure);
				}
			};
			if (this.#isDeferred && this.#failure !== undefined) {
				this.#interrupt(this.#failure);
			}
			// The host may return an object that only has `then`, or a promise of another realm.
			Promise.resolve(promise).then(
				(response) => {
					settled();
					resolve(response);
				},
				(thrown: unknown) => {
					settled();
					reject(thrown);
				},
			);
		});
	}

	/** Ends waiting for the timer and the signal. */
	end(): void {
		clearTimeout(this.#timer);
		this.#forget?.();
	}

	/** Interrupts the query because its navigator was closed. */
	readonly close = () => {
		this.#end(new RagnavError("CLOSED", CLOSED_MESSAGE));
	};

	readonly #cancel = () => {
		const message = "the query was cancelled by its signal";
		this.#end(new RagnavError("CANCELLED", message));
	};

	readonly #timeOut = () => {
		const message = `the query took longer than ${this.#timeout} ms; raise timeout_ms or narrow it`;
		this.#end(new RagnavError("TIMEOUT", message));
	};

	#end(failure: RagnavError): void {
		this.#failure ??= failure;
		this.#interrupt(this.#failure);
	}
}
