import type { BuildResult } from "../generated/glue.js";
import { messageOf } from "./errors.js";
import type { Host, Watcher } from "./host.js";

/** What `watch` may be told. */
export interface WatchOptions {
	/** Whether to build the index at once and again after changes. Default `true`. */
	build?: boolean | null | undefined;
	/** How long after the last change a build begins, in milliseconds, from 0; while changes go on, at ten times that. Default 100. */
	delay_ms?: number | null | undefined;
	/** Is told of each build, also of one that failed; that is tried again at the next change. */
	onBuild?: ((result: BuildResult) => void) | null | undefined;
	/** Is told that something changed, once for many changes. */
	onChange?: (() => void) | null | undefined;
}

/** A repository that is watched. */
export interface Watching {
	/** Whether answers may rest on the watcher, as of now. */
	vouches(): Promise<boolean>;
	/** Why they may not, as far as that is known; `null` while they may. */
	readonly reason: string | null;
	/** Ends it; the navigator's questions look at the files again. A build under way comes to its end. */
	close(): void;
	[Symbol.dispose](): void;
}

/** What watching does to the repository. */
export interface Work {
	build(): Promise<BuildResult>;
	/** Looks at every folder. */
	look(): Promise<unknown>;
}

const DEFAULT_DELAY_MS = 100;
/** The longest delay: ten times that fits a timer. */
const MAX_DELAY_MS = 100_000_000;
/** By how many delays a build is put off at most, while changes go on. */
const MAX_DELAYS = 10;

/** What one navigator watches: its watchings share the host's watcher, which ends with the last of them. */
export class Watch {
	readonly #host: Host;
	readonly #work: Work;
	readonly #open = new Set<OneWatching>();
	#watcher: Watcher | undefined;
	#closed: string | null = null;

	constructor(host: Host, work: Work) {
		this.#host = host;
		let last: Promise<unknown> = Promise.resolve();
		const build = () => {
			// Two at once would only be in each other's way.
			const next = last.then(work.build);
			last = next;
			return next;
		};
		this.#work = { ...work, build };
	}

	/** Who vouches for the host's files, while somebody does. */
	get watcher(): Watcher | undefined {
		return this.#watcher;
	}

	/** Begins to watch. */
	async open(options: WatchOptions): Promise<Watching> {
		const { build, onBuild, onChange } = options;
		const refused = this.#closed ?? problemOf(options) ?? this.#start();
		const delay_ms = options.delay_ms ?? DEFAULT_DELAY_MS;
		const builds =
			(build ?? true) && this.#closed === null && problemOf(options) === null
				? new Builds(this.#work, delay_ms, (result) => onBuild?.(result))
				: null;
		const watching = new OneWatching({
			watcher: refused === null ? this.#watcher : undefined,
			refused,
			onChange: () => {
				onChange?.();
				builds?.changed();
			},
			onClose: () => {
				builds?.close();
				this.#forget(watching);
			},
		});
		this.#open.add(watching);
		if (builds !== null) await builds.run();
		// The folders of a build were listed by it, and what it left is looked at once more.
		if (refused === null) await this.#work.look();
		return watching;
	}

	/** Ends all of it for good. */
	close(reason: string): void {
		this.#closed = reason;
		for (const watching of this.#open) watching.close();
	}

	/** Has the host watch; gives why it does not. */
	#start(): string | null {
		if (this.#watcher !== undefined) return null;
		if (typeof this.#host.watch !== "function") {
			return "the host has no `watch`; every question looks at the files";
		}
		try {
			this.#watcher = this.#host.watch(() => {
				for (const watching of this.#open) watching.changed();
			});
			return null;
		} catch (thrown) {
			return `the host's watch failed: ${messageOf(thrown)}`;
		}
	}

	#forget(watching: OneWatching): void {
		this.#open.delete(watching);
		const others = [...this.#open];
		if (others.some((other) => other.isWatched)) return;
		this.#watcher?.close();
		this.#watcher = undefined;
	}
}

interface Parts {
	watcher: Watcher | undefined;
	refused: string | null;
	onChange: () => void;
	onClose: () => void;
}

class OneWatching implements Watching {
	readonly #parts: Parts;
	#isClosed = false;
	#failure: string | null = null;

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	get isWatched(): boolean {
		return this.#parts.watcher !== undefined;
	}

	get reason(): string | null {
		if (this.#isClosed) return "the watching was closed";
		const { refused, watcher } = this.#parts;
		return refused ?? watcher?.reason ?? this.#failure;
	}

	async vouches(): Promise<boolean> {
		const { watcher } = this.#parts;
		if (this.#isClosed || watcher === undefined) return false;
		try {
			const token = await watcher.token();
			const words = "the host's watcher does not vouch";
			this.#failure = token === null ? words : null;
		} catch (thrown) {
			this.#failure = `the host's watcher failed: ${messageOf(thrown)}`;
		}
		return this.#failure === null && !this.#isClosed;
	}

	changed(): void {
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

/** Builds after changes, one at a time. */
class Builds {
	readonly #work: Work;
	readonly #delay: number;
	readonly #onBuild: (result: BuildResult) => void;
	#timer: ReturnType<typeof setTimeout> | undefined;
	/** When the first change came that no build has begun after. */
	#since: number | undefined;
	#isBuilding = false;
	#isClosed = false;

	constructor(
		work: Work,
		delay_ms: number,
		onBuild: (result: BuildResult) => void,
	) {
		this.#work = work;
		this.#delay = delay_ms;
		this.#onBuild = onBuild;
	}

	changed(): void {
		const now = performance.now();
		this.#since ??= now;
		if (this.#isBuilding || this.#isClosed) return;
		const latest = this.#since + MAX_DELAYS * this.#delay;
		const due = Math.min(now + this.#delay, latest);
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => void this.run(), Math.max(due - now, 0));
		unref(this.#timer);
	}

	async run(): Promise<void> {
		this.#isBuilding = true;
		this.#since = undefined;
		const result = await this.#work.build();
		this.#isBuilding = false;
		if (this.#isClosed) return;
		// What changed while it was built may not be in it.
		if (this.#since !== undefined) this.changed();
		this.#onBuild(result);
	}

	close(): void {
		this.#isClosed = true;
		clearTimeout(this.#timer);
	}
}

/** Who waits for a change must not keep a process running; browsers know no such thing. */
function unref(timer: ReturnType<typeof setTimeout>): void {
	(timer as { unref?: () => void }).unref?.();
}

function problemOf({ delay_ms }: WatchOptions): string | null {
	const isTime =
		typeof delay_ms === "number" && delay_ms >= 0 && delay_ms <= MAX_DELAY_MS;
	return delay_ms === undefined || delay_ms === null || isTime
		? null
		: `delay_ms must be a number from 0 to ${MAX_DELAY_MS}, not ${delay_ms}`;
}
