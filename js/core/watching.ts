import type { BuildResult } from "../generated/glue.js";
import { messageOf } from "./errors.js";
import { describeGiven } from "./given-value.js";
import type { Host, Watcher } from "./host.js";
import { problemOfOptions } from "./known-options.js";

/** The options of `watch`. */
export interface WatchOptions {
	/** Whether to build the index at once, and again after changes. Default `true`. */
	build?: boolean | null | undefined;
	/**
	 * The time in milliseconds from the last change to the build. If changes continue, a build begins
	 * after ten times that. Default 100.
	 */
	delay_ms?: number | null | undefined;
	/**
	 * Receives the result of each build, also of a failed one. The next change starts another build.
	 * An error that it throws is reported as an uncaught one.
	 */
	onBuild?: ((result: BuildResult) => void) | null | undefined;
	/**
	 * Is called after changes, once for many of them. An error that it throws is reported as an
	 * uncaught one.
	 */
	onChange?: (() => void) | null | undefined;
}

/**
 * A watched repository, as `Navigator.watch` returns it.
 *
 * @example
 * ```js
 * import { open } from "ragnav";
 * import { memoryHost } from "ragnav/hosts/memory";
 *
 * const nav = await open(memoryHost({ "a.py": "x = 1\n" }));
 * const watching = await nav.watch({ build: false });
 * console.log(await watching.vouches()); // true
 * watching.close();
 * console.log(await watching.vouches(), watching.reason); // false the watching was closed
 * nav.close();
 * ```
 */
export interface Watching {
	/** Reports whether the watcher proves freshness at this moment. */
	vouches(): Promise<boolean>;
	/** The known reason why the watcher proves nothing; `null` while it does. */
	readonly reason: string | null;
	/** Stops watching; queries verify the files again. A running build completes. */
	close(): void;
	[Symbol.dispose](): void;
}

/** The actions on a watched repository. */
export interface WatchActions {
	/** Builds the index. */
	build(): Promise<BuildResult>;
	/** Lists every folder, so that the host watches it. */
	listFolders(): Promise<unknown>;
}

/** The options of `watch`, for messages and to refuse others. */
const WATCH_OPTIONS = {
	build: true,
	delay_ms: true,
	onBuild: true,
	onChange: true,
} satisfies Record<keyof WatchOptions, true>;

const DEFAULT_DELAY_MS = 100;
/** The maximum delay. {@link MAX_DELAYS} times that still fits a timer. */
const MAX_DELAY_MS = 100_000_000;
/** The maximum time to a build, in delays, while changes continue. */
const MAX_DELAYS = 10;

/** The watcher of a navigator. All watchings share the host's watcher, which ends with the last. */
export class Watch {
	readonly #host: Host;
	readonly #actions: WatchActions;
	readonly #open = new Set<OpenWatching>();
	#watcher: Watcher | undefined;
	#closedReason: string | null = null;

	constructor(host: Host, actions: WatchActions) {
		this.#host = host;
		let last: Promise<unknown> = Promise.resolve();
		const build = () => {
			// A second build at the same time would fail on the lock of the first.
			const next = last.then(actions.build);
			last = next;
			return next;
		};
		this.#actions = { ...actions, build };
	}

	/** The host's watcher while the repository is watched. */
	get watcher(): Watcher | undefined {
		return this.#watcher;
	}

	/** Begins a watching. */
	async open(options: WatchOptions): Promise<Watching> {
		const { build, onBuild, onChange } = options;
		const invalid = this.#closedReason ?? problemOf(options);
		const refusal = invalid ?? this.#start();
		const delay_ms = options.delay_ms ?? DEFAULT_DELAY_MS;
		const builds =
			(build ?? true) && invalid === null
				? new BuildScheduler(this.#actions, delay_ms, (result) =>
						callBack(() => onBuild?.(result)),
					)
				: null;
		const watching = new OpenWatching({
			watcher: refusal === null ? this.#watcher : undefined,
			refusal,
			onChange: () => {
				builds?.schedule();
				callBack(() => onChange?.());
			},
			onClose: () => {
				builds?.close();
				this.#remove(watching);
			},
		});
		this.#open.add(watching);
		if (builds !== null) await builds.run();
		// Without a build, or after a failed one, some folders are not listed yet.
		if (refusal === null) await this.#actions.listFolders();
		return watching;
	}

	/** Ends all watchings, and refuses later ones with the reason. */
	close(reason: string): void {
		this.#closedReason = reason;
		for (const watching of this.#open) watching.close();
	}

	/** Starts the host's watcher; returns the reason if it cannot. */
	#start(): string | null {
		if (this.#watcher !== undefined) return null;
		if (typeof this.#host.watch !== "function") {
			return "the host has no `watch`; every query verifies the files";
		}
		try {
			this.#watcher = this.#host.watch(() => {
				for (const watching of this.#open) watching.notify();
			});
			return null;
		} catch (thrown) {
			return `the host's watch failed: ${messageOf(thrown)}`;
		}
	}

	#remove(watching: OpenWatching): void {
		this.#open.delete(watching);
		const others = [...this.#open];
		if (others.some((other) => other.isWatched)) return;
		this.#watcher?.close();
		this.#watcher = undefined;
	}
}

interface WatchingParts {
	watcher: Watcher | undefined;
	/** The reason why there is no watcher. */
	refusal: string | null;
	onChange: () => void;
	onClose: () => void;
}

class OpenWatching implements Watching {
	readonly #parts: WatchingParts;
	#isClosed = false;
	#failure: string | null = null;

	constructor(parts: WatchingParts) {
		this.#parts = parts;
	}

	get isWatched(): boolean {
		return this.#parts.watcher !== undefined;
	}

	get reason(): string | null {
		if (this.#isClosed) return "the watching was closed";
		const { refusal, watcher } = this.#parts;
		return refusal ?? watcher?.reason ?? this.#failure;
	}

	async vouches(): Promise<boolean> {
		const { watcher } = this.#parts;
		if (this.#isClosed || watcher === undefined) return false;
		try {
			const token = await watcher.token();
			const message = "the host's watcher proves nothing";
			this.#failure = token === null ? message : null;
		} catch (thrown) {
			this.#failure = `the host's watcher failed: ${messageOf(thrown)}`;
		}
		return this.#failure === null && !this.#isClosed;
	}

	notify(): void {
		if (!this.#isClosed) this.#parts.onChange();
	}

	close(): void {
		if (this.#isClosed) return;
		this.#isClosed = true;
		this.#parts.onClose();
	}

	[Symbol.dispose](): void {
		this.close();
	}
}

/** Builds the index after changes, one build at a time. */
class BuildScheduler {
	readonly #actions: WatchActions;
	readonly #delay: number;
	readonly #onBuild: (result: BuildResult) => void;
	#timer: ReturnType<typeof setTimeout> | undefined;
	/** The time of the first change since the last build began. */
	#changedAt: number | undefined;
	#isBuilding = false;
	#isClosed = false;

	constructor(
		actions: WatchActions,
		delay_ms: number,
		onBuild: (result: BuildResult) => void,
	) {
		this.#actions = actions;
		this.#delay = delay_ms;
		this.#onBuild = onBuild;
	}

	/** Schedules a build after a change. */
	schedule(): void {
		const now = performance.now();
		this.#changedAt ??= now;
		if (this.#isBuilding || this.#isClosed) return;
		const latest = this.#changedAt + MAX_DELAYS * this.#delay;
		const due = Math.min(now + this.#delay, latest);
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => void this.run(), Math.max(due - now, 0));
		unref(this.#timer);
	}

	async run(): Promise<void> {
		this.#isBuilding = true;
		this.#changedAt = undefined;
		const result = await this.#actions.build();
		this.#isBuilding = false;
		if (this.#isClosed) return;
		// The build may lack changes that happened while it ran.
		if (this.#changedAt !== undefined) this.schedule();
		this.#onBuild(result);
	}

	close(): void {
		this.#isClosed = true;
		clearTimeout(this.#timer);
	}
}

/**
 * Calls a function of the caller. What it throws is an uncaught error, as for the listeners of an
 * `EventTarget`, and disturbs no build.
 */
function callBack(call: () => void): void {
	try {
		call();
	} catch (thrown) {
		if (typeof reportError === "function") reportError(thrown);
		else setTimeout(() => rethrow(thrown));
	}
}

function rethrow(thrown: unknown): never {
	throw thrown;
}

/** Lets the process end while the timer waits. Timers of browsers have no `unref`. */
function unref(timer: ReturnType<typeof setTimeout>): void {
	(timer as { unref?: () => void }).unref?.();
}

function problemOf(options: WatchOptions): string | null {
	return problemOfOptions(options, WATCH_OPTIONS) ?? problemOfDelay(options);
}

function problemOfDelay({ delay_ms }: WatchOptions): string | null {
	const isTime =
		typeof delay_ms === "number" && delay_ms >= 0 && delay_ms <= MAX_DELAY_MS;
	return delay_ms === undefined || delay_ms === null || isTime
		? null
		: `delay_ms must be a number from 0 to ${MAX_DELAY_MS}, not ${describeGiven(delay_ms)}`;
}
