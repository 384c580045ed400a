import type { Ask, Session, Step } from "../generated/glue.js";
import {
	type DocumentStore,
	replyOf,
	type StoreRequest,
} from "./document-store.js";
import type { Embed } from "./embedding.js";
import { fromCore, messageOf, RagnavError } from "./errors.js";
import {
	type Failure,
	type Host,
	isPromise,
	type MaybePromise,
	type Reader,
	type Watcher,
} from "./host.js";
import type { Instant } from "./instants.js";
import type { Taken } from "./limits.js";
import type { Complete } from "./model.js";
import { plainAnswer } from "./plain-answer.js";
import { type OffsetAt, offsetsOf } from "./time-zone.js";
import { HelperPanic, type HelperPool } from "./workers/pool.js";

/** What every question takes beside its own options. */
export interface CallOptions {
	/** Cancels the question: it answers `ERROR` / `CANCELLED`. */
	signal?: AbortSignal | null | undefined;
	/** Milliseconds after which the question answers `ERROR` / `TIMEOUT`. Default: the navigator's; none for builds. */
	timeout_ms?: number | null | undefined;
	/** Is told how far the question is, at most once for about a mebibyte of work. */
	onProgress?: ((progress: Progress) => void) | null | undefined;
}

/** How far a question is. */
export interface Progress {
	/** Files done. */
	done: number;
	/** Files in all, where that is known. */
	total: number | null;
	/** What is done with them: `files` are looked at, searched or indexed; of `documents` are made, and embedded. */
	phase: "files" | "documents";
}

/** What stands around a question. */
export interface Around {
	/** Gets, for as long as the question runs, a function that ends it with `CLOSED`. */
	closers?: Set<() => void> | undefined;
	/** Gets what the host was still doing when the question was interrupted. */
	left?: LeftBehind | undefined;
	/** Who vouches for the host's files. */
	watcher?: Watcher | undefined;
	/** Shares what this question and others look at, where nobody watches. */
	instant?: Instant | undefined;
	/** Asks a language model. */
	model?: Complete | undefined;
	/** Makes vectors of texts. */
	embed?: Embed | undefined;
	/** Is asked for documents in place of the embedded store. */
	store?: DocumentStore | undefined;
	/** The time zone; default: this machine's. */
	offsetAt?: OffsetAt | undefined;
	/** Who works for this question alone and is stopped with it. */
	helpers?: HelperPool | undefined;
	/** Counts what the question takes. */
	taken?: Taken | undefined;
}

/** What an interrupted question leaves behind. */
export interface LeftBehind {
	/** A change of the host's files that may still come about. */
	pending?: Promise<unknown>;
}

/** Thrown where the core itself stopped: its instance must not be used again. */
export class CorePanic extends Error {}

/** What a host without stamps says of every file: its content decides. */
const NO_STAMP: Failure = { error: "io" };

/** How long an answer of the host is waited for, in milliseconds, by a question that should not be interrupted any more but was. */
const GRACE_MS = 2000;

/** What a closed navigator answers. */
export const CLOSED_MESSAGE = "the navigator is closed; open another one";

/** The longest time a timer can be set to, in milliseconds: some 25 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** How long the core may hold the thread before other work gets a turn, in milliseconds. */
const TURN_MS = 25;

/**
 * Answers a session's asks from the host until it is done.
 *
 * @throws {RagnavError} `CANCELLED`, `TIMEOUT`, `LIMIT_EXCEEDED` or `CLOSED`.
 * @throws {CorePanic} where the core stopped on a defect.
 */
export async function drive<T>(
	session: Session,
	host: Host,
	options: CallOptions,
	{ closers, left = {}, ...others }: Around = {},
): Promise<T> {
	const interruption = new Interruption(options, left);
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
			step = await answer(session, step.ask, place, options, interruption);
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

/** What became of the question is told, also where its core stopped: such a core lets go of nothing, and its memory goes with it. */
function release(session: Session): void {
	try {
		session.free();
	} catch {
		// The question's own end is what its caller is told.
	}
}

/** Whom a question asks. */
interface Place extends Omit<Around, "closers" | "left"> {
	host: Host;
}

async function answer(
	session: Session,
	ask: Ask,
	place: Place,
	options: CallOptions,
	interruption: Interruption,
): Promise<Step> {
	let value: unknown;
	try {
		if (ask.ask === "commit") {
			interruption.defer();
		}
		const given = perform(ask, place, options);
		const changes = ask.ask === "write" || ask.ask === "remove";
		const answered = isPromise(given)
			? await interruption.orElse(given, changes)
			: given;
		value = plainAnswer(ask.ask, answered);
	} catch (thrown) {
		interruption.check();
		if (thrown instanceof HelperPanic) throw new CorePanic(thrown.message);
		return take(() => session.fail(messageOf(thrown)));
	}
	interruption.exceed(place.taken?.exceeded);
	interruption.check();
	return take(() => session.answer(value));
}

function perform(
	ask: Ask,
	place: Place,
	options: CallOptions,
): MaybePromise<unknown> {
	const { host, watcher, instant, helpers, model, embed, store } = place;
	switch (ask.ask) {
		case "git_head":
			return host.gitHead();
		case "read_dirs":
			return host.readDirs(ask.paths);
		case "read_many":
			return reading(place).readMany(ask.paths, {
				max_bytes: ask.max_bytes,
			});
		case "overlay":
			return host.overlay?.() ?? [];
		case "ignore_rules":
			return host.ignoreRules?.() ?? [];
		case "watch":
			return watcher ? watcher.token() : (instant?.word() ?? null);
		case "write":
			if (host.write === undefined) {
				throw new Error("the host has no `write`");
			}
			return host.write(ask.path, joined(ask.parts), {
				exclusive: ask.exclusive,
			});
		case "remove":
			if (host.remove === undefined) {
				throw new Error("the host has no `remove`");
			}
			return host.remove(ask.path);
		case "stat":
			return host.stat?.(ask.paths) ?? ask.paths.map(() => NO_STAMP);
		case "now":
			return host.now?.() ?? new Date().toISOString();
		case "commit":
			return null;
		case "extract":
			return (
				helpers?.extract(ask, reading(place), (files) =>
					options.onProgress?.({
						...ask.progress,
						done: ask.progress.done + files,
					}),
				) ?? null
			);
		case "model":
			if (model === undefined) {
				throw new Error("there is no model");
			}
			return model(ask.body, ask.timeout_ms);
		case "embed":
			if (embed === undefined) {
				throw new Error("nothing embeds texts here");
			}
			return embed(ask.texts);
		case "store":
			if (store === undefined) {
				throw new Error("there is no store but the embedded one");
			}
			return replyOf(store, ask.request as StoreRequest);
		case "wait":
			return new Promise((resolve) => setTimeout(resolve, ask.ms, null));
		case "offsets":
			return ask.instants.map(place.offsetAt ?? offsetsOf(null));
		case "yield":
			options.onProgress?.({
				done: ask.done,
				total: ask.total,
				phase: ask.phase,
			});
			return null;
	}
}

/** Joins the parts of a file that the core keeps apart. */
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

function reading({ host, taken }: Place): Reader {
	return taken?.reading(host) ?? host;
}

function take(step: () => Step): Step {
	try {
		return step();
	} catch (thrown) {
		throw fromCore(thrown) ?? new CorePanic(messageOf(thrown));
	}
}

/** A turn of the event loop, so that timers, signals and the page get theirs. */
function nextTurn(): Promise<void> {
	// Node alone has it, and the types here are those of browsers.
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

/** The caller's signal and deadline, also for hosts whose promises never settle. */
class Interruption {
	readonly #signal: AbortSignal | null | undefined;
	readonly #timeout: number | null | undefined;
	readonly #timer: ReturnType<typeof setTimeout> | undefined;
	readonly #deadline: number;
	#failure: RagnavError | undefined;
	#isDeferred = false;
	#interrupt: (failure: RagnavError) => void = () => undefined;

	readonly #left: LeftBehind;

	constructor({ signal, timeout_ms }: CallOptions, left: LeftBehind) {
		this.#left = left;
		this.#signal = signal;
		this.#timeout = timeout_ms;
		this.#deadline =
			performance.now() + (timeout_ms ?? Number.POSITIVE_INFINITY);
		if (signal?.aborted) {
			this.#cancel();
		}
		signal?.addEventListener("abort", this.#cancel);
		// Timers beyond their range would ring at once.
		if (typeof timeout_ms === "number" && timeout_ms <= MAX_TIMER_MS) {
			this.#timer = setTimeout(this.#timeOut, timeout_ms);
		}
	}

	/** Throws where the question shall end. */
	check(): void {
		// A host that answers at once leaves the timer no turn.
		if (performance.now() >= this.#deadline) {
			this.#timeOut();
		}
		if (this.#failure !== undefined && !this.#isDeferred) {
			throw this.#failure;
		}
	}

	/** Ends the question where it met a limit. */
	exceed(limit: RagnavError | undefined): void {
		if (limit !== undefined) this.#end(limit);
	}

	/** Lets the question come to its end, unless its host leaves it waiting. */
	defer(): void {
		this.check();
		this.#isDeferred = true;
	}

	/** The promise's value, unless the question ends before it settles; what `changes` files may still do so then. */
	orElse<T>(promise: Promise<T>, changes: boolean): Promise<T> {
		return new Promise((resolve, reject) => {
			let grace: ReturnType<typeof setTimeout> | undefined;
			const settled = () => clearTimeout(grace);
			const leave = (failure: RagnavError) => {
				this.#isDeferred = false;
				if (changes) this.#left.pending = promise;
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
			// Also of what has `then` and is no promise of this realm.
			Promise.resolve(promise).then(resolve, reject).finally(settled);
		});
	}

	/** Forgets timer and listener. */
	end(): void {
		clearTimeout(this.#timer);
		this.#signal?.removeEventListener("abort", this.#cancel);
	}

	/** Ends the question because its navigator was closed. */
	readonly close = () => {
		this.#end(new RagnavError("CLOSED", CLOSED_MESSAGE));
	};

	readonly #cancel = () => {
		const message = "the question was cancelled by its signal";
		this.#end(new RagnavError("CANCELLED", message));
	};

	readonly #timeOut = () => {
		const message = `the question took longer than ${this.#timeout} ms; raise timeout_ms or narrow the question`;
		this.#end(new RagnavError("TIMEOUT", message));
	};

	#end(failure: RagnavError): void {
		this.#failure ??= failure;
		this.#interrupt(this.#failure);
	}
}
