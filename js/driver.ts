import { fromCore, messageOf, RagnavError } from "./errors.js";
import type { Ask, Session, Step } from "./generated/glue.js";
import type { Host, MaybePromise } from "./host.js";

/** What every question takes beside its own options. */
export interface CallOptions {
	/** Cancels the question: it answers `ERROR` / `CANCELLED`. */
	signal?: AbortSignal | null | undefined;
	/** Milliseconds after which the question answers `ERROR` / `TIMEOUT`. Default: none. */
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
}

/** Thrown where the core itself stopped: its instance must not be used again. */
export class CorePanic extends Error {}

/** How long the core may hold the thread before other work gets a turn, in milliseconds. */
const TURN_MS = 25;

/**
 * Answers a session's asks from the host until it is done.
 *
 * @throws {RagnavError} `CANCELLED` or `TIMEOUT`.
 * @throws {CorePanic} where the core stopped on a defect.
 */
export async function drive<T>(
	session: Session,
	host: Host,
	options: CallOptions,
): Promise<T> {
	const interruption = new Interruption(options);
	let turnBegan = performance.now();
	try {
		let step = take(() => session.start());
		while (step.state === "need") {
			if (performance.now() - turnBegan > TURN_MS) {
				await nextTurn();
				turnBegan = performance.now();
			}
			interruption.check();
			step = await answer(session, step.ask, host, options, interruption);
		}
		return step.value as T;
	} finally {
		interruption.end();
		session.free();
	}
}

async function answer(
	session: Session,
	ask: Ask,
	host: Host,
	options: CallOptions,
	interruption: Interruption,
): Promise<Step> {
	let value: unknown;
	try {
		const given = perform(ask, host, options);
		value = isPromise(given) ? await interruption.orElse(given) : given;
	} catch (thrown) {
		interruption.check();
		return take(() => session.fail(messageOf(thrown)));
	}
	return take(() => session.answer(value));
}

function perform(
	ask: Ask,
	host: Host,
	options: CallOptions,
): MaybePromise<unknown> {
	switch (ask.ask) {
		case "git_head":
			return host.gitHead();
		case "read_dirs":
			return host.readDirs(ask.paths);
		case "read_many":
			return host.readMany(ask.paths, { max_bytes: ask.max_bytes });
		case "ignore_rules":
			return host.ignoreRules?.() ?? [];
		case "write":
			if (host.write === undefined) {
				throw new Error("the host has no `write`");
			}
			return host.write(ask.path, ask.bytes);
		case "yield":
			options.onProgress?.({ done: ask.done, total: ask.total });
			return null;
	}
}

function take(step: () => Step): Step {
	try {
		return step();
	} catch (thrown) {
		throw fromCore(thrown) ?? new CorePanic(messageOf(thrown));
	}
}

function isPromise(value: MaybePromise<unknown>): value is Promise<unknown> {
	return typeof (value as Promise<unknown> | null)?.then === "function";
}

/** A turn of the event loop, so that timers, signals and the page get theirs. */
function nextTurn(): Promise<void> {
	if (typeof setImmediate === "function") {
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
	readonly #deadline: number;
	readonly #timeout: number | null | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#wake: (() => void) | undefined;

	constructor(options: CallOptions) {
		this.#signal = options.signal;
		this.#timeout = options.timeout_ms;
		this.#deadline =
			performance.now() + (options.timeout_ms ?? Number.POSITIVE_INFINITY);
	}

	/** Throws where the question shall end. */
	check(): void {
		if (this.#signal?.aborted) {
			throw new RagnavError(
				"CANCELLED",
				"the question was cancelled by its signal",
			);
		}
		if (performance.now() >= this.#deadline) {
			throw new RagnavError(
				"TIMEOUT",
				`the question took longer than ${this.#timeout} ms; raise timeout_ms or narrow the question`,
			);
		}
	}

	/** The promise's value, unless the question ends before it settles. */
	async orElse<T>(promise: Promise<T>): Promise<T> {
		const woken = new Promise<"woken">((resolve) => {
			this.#wake = () => resolve("woken");
			this.#signal?.addEventListener("abort", this.#wake, { once: true });
			if (Number.isFinite(this.#deadline)) {
				this.#timer = setTimeout(
					this.#wake,
					Math.max(0, this.#deadline - performance.now()),
				);
			}
		});
		try {
			const first = await Promise.race([
				promise.then((value) => ({ value })),
				woken,
			]);
			if (first !== "woken") {
				return first.value;
			}
			promise.catch(() => undefined);
			this.check();
			return await promise;
		} finally {
			this.end();
		}
	}

	/** Forgets timer and listener. */
	end(): void {
		clearTimeout(this.#timer);
		if (this.#wake !== undefined) {
			this.#signal?.removeEventListener("abort", this.#wake);
		}
	}
}
