import type {
	AgentResult,
	AnswerByModel,
	AskOptions,
	BuildAllOptions,
	BuildAllResult,
	Core,
	CoreOptions,
	Definition,
	Direction,
	ErrorCode,
	FilesOptions,
	FilesResult,
	FileVerdict,
	LineageOptions,
	LineageResult,
	OutlineItem,
	Plan,
	PlanMeta,
	Queries,
	QuestionOptions,
	RagResult,
	RagToolMeta,
	RouteDecision,
	SearchOptions,
	SearchResult,
	Session,
	StalePolicy,
	WhereUsedOptions,
	WhereUsedResult,
} from "../generated/glue.js";
import type { DocumentStore } from "./document-store.js";
import {
	type Around,
	type CallOptions,
	CLOSED_MESSAGE,
	CorePanic,
	drive,
	type LeftBehind,
} from "./driver.js";
import { type Embed, type Embedding, embedderOf } from "./embedding.js";
import { messageOf, RagnavError } from "./errors.js";
import type { Host } from "./host.js";
import { Instants } from "./instants.js";
import {
	type LimitOptions,
	type QuestionLimits,
	questionLimits,
	Taken,
} from "./limits.js";
import {
	chooseModel,
	coreOptions,
	knownRungs,
	PLANNING_OPTIONS,
	type QueryOptions,
	rememberRungs,
} from "./planning.js";
import { type Instance, newHelpers, newInstance, pure } from "./wasm-module.js";
import { Watch, type Watching, type WatchOptions } from "./watching.js";

/** What `open` may be told about the repository. */
export interface OpenOptions extends Embedding, LimitOptions {
	/** What an answer may come from where the index is not proven. Default `merge`. */
	stale_policy?: StalePolicy | null | undefined;
	/**
	 * Workers that a build of many files may have. With 0 it runs where it is called. Default: as many as the machine has
	 * processors, 4 at most; none where workers cannot be started.
	 */
	workers?: number | null | undefined;
}

/** What `ask` answers from, beside the repository. */
export interface AskSources {
	/** A store that is asked in place of the embedded one. Nobody can vouch for what it has: its documents are `UNKNOWN`. */
	store?: DocumentStore | null | undefined;
	/** Makes the question's vector for the store. Default: the navigator's own. */
	embed?: Embed | null | undefined;
	/** A plan that is carried out as it is, with `mandatory`; the question is then not planned. */
	plan?: Plan | PlanMeta | null | undefined;
}

/** What `status` answers. */
export type StatusResult = RagResult<FileVerdict> & {
	/** Bytes of WebAssembly memory that the navigator holds. */
	wasm_memory_bytes: number;
};

/**
 * The questions about one repository.
 *
 * No method rejects: what goes wrong is an `ERROR` envelope (for `route` and `watch`, a reason).
 */
export class Navigator {
	readonly #host: Host;
	readonly #options: CoreOptions;
	readonly #limits: QuestionLimits;
	readonly #workers: number | undefined;
	readonly #embed: Embed | undefined;
	readonly #embedder: string | null;
	readonly #closers = new Set<() => void>();
	readonly #instants = new Instants();
	readonly #watch: Watch;
	#core: OpenCore | undefined;
	#closed = false;
	/** Questions since the core was made. */
	#questions = 0;

	/** @internal Use `open`. */
	constructor(
		host: Host,
		options: CoreOptions,
		instance: Instance,
		given: OpenOptions = {},
	) {
		const { workers, embed, embedder } = given;
		this.#host = host;
		this.#options = options;
		this.#limits = questionLimits(given);
		this.#workers = workers ?? undefined;
		this.#embed = embed ?? undefined;
		this.#embedder = embedderOf({ embed, embedder });
		this.#core = newCore(instance, options);
		this.#watch = new Watch(host, {
			build: () => this.buildGraph(),
			look: () => this.route(),
		});
	}

	/** Bytes of WebAssembly memory that this navigator holds, workers of a build not counted; 0 once it is closed. */
	get memoryBytes(): number {
		return this.#core?.memory.buffer.byteLength ?? 0;
	}

	/**
	 * The lines that match a text or a regular expression, by file and line; with the mode `ranked` the definitions and
	 * passages that fit the query, best first.
	 */
	async search(
		query: string,
		options?: (SearchOptions & CallOptions) | null,
	): Promise<SearchResult> {
		return this.#query("search", { query }, options);
	}

	/** The definitions that enclose a line (1-based) of a file as it is now, innermost first. */
	async identify(
		file: string,
		line: number,
		options?: (QuestionOptions & CallOptions) | null,
	): Promise<RagResult<Definition>> {
		return this.#query("identify", { file, line }, options);
	}

	/** The definitions of a file as a tree, in the order of the text: a method is inside its class. */
	async outline(
		file: string,
		options?: (QuestionOptions & CallOptions) | null,
	): Promise<RagResult<OutlineItem>> {
		return this.#query("outline", { file }, options);
	}

	/** The files that the walk admits, and what it skips with the reason, by path. Reads no file but the ignore rules. */
	async files(
		options?: (FilesOptions & CallOptions) | null,
	): Promise<FilesResult> {
		return this.#query("files", {}, options);
	}

	/** Where a symbol (a full id, a dotted suffix or a bare name) is defined now. */
	async locate(
		symbol: string,
		options?: (QuestionOptions & CallOptions) | null,
	): Promise<RagResult<Definition>> {
		return this.#query("locate", { symbol }, options);
	}

	/** Whether the index may be used, and why. A route that could not be decided, as after `close`, is `HOST_FAILED`. */
	async route(options?: CallOptions | null): Promise<RouteDecision> {
		return this.#question((core) => core.route(), options, hostFailed);
	}

	/**
	 * The references to a symbol (a full id, a dotted suffix or a bare name): resolved ones before candidates, which only
	 * share the name.
	 */
	async whereUsed(
		symbol: string,
		options?: (WhereUsedOptions & CallOptions) | null,
	): Promise<WhereUsedResult> {
		return this.#query("where_used", { symbol }, options);
	}

	/**
	 * Who calls, inherits from or imports a symbol (`upstream`, `callers`), or what it calls and inherits from
	 * (`downstream`, `callees`), over `depth` steps.
	 */
	async lineage(
		symbol: string,
		direction: Direction | "callers" | "callees" | (string & {}),
		options?: (LineageOptions & CallOptions) | null,
	): Promise<LineageResult> {
		return this.#query("lineage", { symbol, direction }, options);
	}

	/** How every file compares with the index, by file, and the proof of that; and the memory that answering takes. */
	async status(
		options?: (QuestionOptions & CallOptions) | null,
	): Promise<StatusResult> {
		const result = await this.#query("status", {}, options);
		return { ...result, wasm_memory_bytes: this.memoryBytes };
	}

	/**
	 * What answers a question: passages of notes and code with their places, as they are now. The question is planned by its words, or by a
	 * model where one is named; documents come from the store that `buildGraph({ documents: true })` fills, or from a store of the caller's.
	 */
	async ask(
		question: string,
		options?: (AskOptions & QueryOptions & AskSources & CallOptions) | null,
	): Promise<AgentResult> {
		const failed = (failure: FailureReport): AgentResult => ({
			...pure().failedAnswer(
				"search",
				{ query: question },
				failure.code,
				failure.message,
			),
			items: [],
			results: [],
			omitted: 0,
		});
		const given = options ?? {};
		const planning = known(() => chooseModel(given));
		if (planning instanceof RagnavError) {
			return failed(planning);
		}
		const { choice, around } = planning;
		const store = given.store ?? undefined;
		const embed = given.embed ?? this.#embed;
		const ports = {
			has_store: store !== undefined,
			embeds: embed !== undefined,
			...planned(given.plan),
		};
		const ask = (core: Core) =>
			core.askAgent(
				question,
				coreOptions(given),
				choice,
				knownRungs(),
				askOptions(given),
				ports,
			);
		const { answer, rungs } = await this.#question<AnswerByModel>(
			ask,
			options,
			(failure) => ({ answer: failed(failure), rungs: {} }),
			{ ...around, store, embed },
		);
		rememberRungs(rungs);
		return answer;
	}

	/**
	 * Makes the index, or brings it up to date: only files that differ are read again, and what was known of symbols is
	 * carried over. Without `write` in the host, the index lives in memory as long as this navigator.
	 *
	 * Interrupted, it leaves the index as it was; once it writes, it is not interrupted any more.
	 */
	async buildGraph(
		options?: (Omit<BuildAllOptions, "embedder"> & CallOptions) | null,
	): Promise<BuildAllResult> {
		const owner = newOwner();
		const given = { ...ownOptions(options), embedder: this.#embedder };
		const ask = (core: Core) => core.buildGraph(given, owner);
		const failed = (failure: FailureReport): BuildAllResult => ({
			documents: null,
			meta: errorMeta(failure.code, failure.message),
			items: [],
			counts: { added: 0, changed: 0, removed: 0, unchanged: 0, skipped: 0 },
			enrichment: { exact: 0, moved: 0, renamed: 0, ambiguous: 0, lost: 0 },
			up_to_date: false,
			skipped: [],
		});
		const left: LeftBehind = {};
		const helpers = newHelpers(this.#workers);
		const result = await this.#answer(ask, options, failed, { left, helpers });
		if (INTERRUPTIONS.has(result.meta.error_code)) {
			const abandon = () => this.#abandonBuild(owner);
			// A write that is under way may still land: nobody else may build before it has.
			if (left.pending === undefined) await abandon();
			else void left.pending.then(abandon, abandon);
		}
		return result;
	}

	/**
	 * Has the host watch the repository: as long as it has missed nothing, questions do not look again at files that cannot have changed
	 * (their proof is `watch`), and the index is kept up to date.
	 *
	 * Resolves once every folder is watched and, unless `build` is `false`, the index was built. Where the host cannot watch, or not so that
	 * it can vouch, {@link Watching.reason} says why, and questions look at the files as before. A watched repository keeps no process
	 * running.
	 */
	async watch(options?: WatchOptions | null): Promise<Watching> {
		return this.#watch.open(options ?? {});
	}

	/** Frees the core and its memory, and ends what was watched; questions under way and later ones answer `CLOSED`. */
	close(): void {
		this.#closed = true;
		this.#watch.close(CLOSED_MESSAGE);
		for (const close of this.#closers) {
			close();
		}
		this.#core?.core.free();
		this.#core = undefined;
	}

	[Symbol.dispose](): void {
		this.close();
	}

	/** Answers a query of the table in the core, which also makes the answer of one that failed outside of it. */
	#query<Name extends keyof Queries>(
		name: Name,
		positional: Record<string, unknown>,
		options: (Queries[Name]["options"] & CallOptions) | null | undefined,
	): Promise<Queries[Name]["answer"]> {
		const given = { ...ownOptions(options), ...positional };
		return this.#question(
			(core) => {
				checkObject(options);
				return core.query(name, given);
			},
			options,
			({ code, message }) => pure().failedAnswer(name, given, code, message),
		);
	}

	/** As {@link #answer}, in a time that has an end. */
	#question<T>(
		ask: (core: Core) => Session,
		options: CallOptions | null | undefined,
		failed: (failure: FailureReport) => T,
		around: Around = {},
	): Promise<T> {
		const timeout_ms = options?.timeout_ms ?? this.#limits.timeoutMs;
		return this.#answer(ask, { ...options, timeout_ms }, failed, around);
	}

	async #answer<T>(
		ask: (core: Core) => Session,
		options: CallOptions | null | undefined,
		failed: (failure: FailureReport) => T,
		around: Around = {},
	): Promise<T> {
		const instant = this.#instants.begin();
		let opened: OpenCore | undefined;
		let taken: Taken | undefined;
		try {
			checkCall(options ?? {});
			opened = await this.#ready();
			this.#checkOpen();
			taken = new Taken(this.#limits, opened.memory);
			return await drive<T>(ask(opened.core), this.#host, options ?? {}, {
				embed: this.#embed,
				...around,
				closers: this.#closers,
				watcher: this.#watch.watcher,
				instant,
				taken,
			});
		} catch (thrown) {
			const limit = taken?.memoryExceeded;
			const isSpent = thrown instanceof CorePanic || limit !== undefined;
			// Questions under way end on it, the next ones get another.
			if (isSpent && this.#core === opened) this.#core = undefined;
			return failed(failureOf(thrown, limit));
		} finally {
			instant.end();
			this.#recycle();
		}
	}

	/** A memory of WebAssembly never shrinks, so a core that needed much once is replaced; the index is read again then. */
	#recycle(): void {
		this.#questions += 1;
		const isLarge = this.memoryBytes > RECYCLE_BYTES;
		const isRested = this.#questions >= RECYCLE_QUESTIONS;
		// Without `write` the index is in this very memory.
		const isKept = this.#host.write !== undefined;
		const isOver = this.memoryBytes > this.#limits.maxMemoryBytes;
		const isDue = isOver || (isLarge && isRested && isKept);
		if (isDue && this.#instants.underWay === 0) {
			this.#core?.core.free();
			this.#core = undefined;
		}
	}

	/** Gives back the lock of a build that was interrupted; what cannot be given back dies of age. */
	async #abandonBuild(owner: string): Promise<void> {
		try {
			const { core } =
				this.#core ?? newCore(await newInstance(), this.#options);
			await drive<null>(core.abandonBuild(owner), this.#host, {});
		} catch {
			// The build's own failure is what its caller is told.
		}
	}

	async #ready(): Promise<OpenCore> {
		this.#checkOpen();
		if (this.#core === undefined) {
			const instance = await newInstance();
			this.#checkOpen();
			this.#core ??= newCore(instance, this.#options);
			this.#questions = 0;
		}
		return this.#core;
	}

	#checkOpen(): void {
		if (this.#closed) {
			throw new RagnavError("CLOSED", CLOSED_MESSAGE);
		}
	}
}

/** A core with more memory is replaced now and then, in bytes. */
const RECYCLE_BYTES = 192 << 20;
/** A core answers at least so many questions: a large repository may need as much memory for each. */
const RECYCLE_QUESTIONS = 16;

interface OpenCore {
	core: Core;
	memory: Instance["memory"];
}

/** The codes of builds that were ended from outside. */
const INTERRUPTIONS: ReadonlySet<unknown> = new Set([
	"CANCELLED",
	"TIMEOUT",
	"CLOSED",
	"LIMIT_EXCEEDED",
	"INTERNAL_PANIC",
]);

/** A name that no other build has, in whichever process. */
function newOwner(): string {
	const words = crypto.getRandomValues(new Uint32Array(4));
	return Array.from(words, (word) => word.toString(36)).join("-");
}

function checkCall({ signal, timeout_ms }: CallOptions): void {
	const isTime = typeof timeout_ms === "number" && timeout_ms > 0;
	if (!isAbsent(timeout_ms) && !isTime) {
		throw invalid(`timeout_ms must be a number above 0, not ${timeout_ms}`);
	}
	if (!isAbsent(signal) && typeof signal?.addEventListener !== "function") {
		throw invalid("signal must be an AbortSignal");
	}
}

/** What is told of what was thrown; a core that stopped with more memory than it may have, stopped for that. */
function failureOf(
	thrown: unknown,
	limit: RagnavError | undefined,
): FailureReport {
	if (thrown instanceof RagnavError) return thrown;
	if (limit !== undefined) return limit;
	const message = `the core stopped on a defect (${messageOf(thrown)}); the next call runs in a fresh one`;
	return { code: "INTERNAL_PANIC", message };
}

/** What went wrong outside of the core. */
type FailureReport = Pick<RagnavError, "code" | "message">;

/** Returns the options that the core checks: all but those of the call. */
function ownOptions(options: object | null | undefined): object {
	const { signal, timeout_ms, onProgress, ...own } = (options ??
		{}) as CallOptions;
	return own;
}

/** Returns the options of `ask` that the core checks: all but those of the call, of planning and of the sources. */
function askOptions(
	options: AskOptions & QueryOptions & AskSources & CallOptions,
): object {
	const own = { ...ownOptions(options) } as Record<string, unknown>;
	for (const name of [...PLANNING_OPTIONS, ...SOURCE_OPTIONS]) {
		delete own[name];
	}
	return own;
}

const SOURCE_OPTIONS = ["store", "embed", "plan"] as const;

function checkObject(options: unknown): void {
	if (isAbsent(options) || typeof options === "object") return;
	throw invalid(`options must be an object, not ${typeof options}`);
}

/** A plan that somebody made, and who. */
function planned(plan: Plan | PlanMeta | null | undefined) {
	if (plan === null || plan === undefined) return {};
	return "plan" in plan
		? { plan: plan.plan, plan_source: plan.source }
		: { plan };
}

/** What some work gives, or the misuse that it throws. */
function known<T>(work: () => T): T | RagnavError {
	try {
		return work();
	} catch (thrown) {
		if (thrown instanceof RagnavError) return thrown;
		throw thrown;
	}
}

function isAbsent(value: unknown): boolean {
	return value === undefined || value === null;
}

function invalid(message: string): RagnavError {
	return new RagnavError("INVALID_ARGUMENT", message);
}

function newCore({ glue, memory }: Instance, options: CoreOptions): OpenCore {
	return { core: new glue.Core(options), memory };
}

function errorMeta(error_code: ErrorCode, message: string): RagToolMeta {
	return pure().errorMeta({ error_code, message });
}

function hostFailed(): RouteDecision {
	return {
		use_rag: false,
		freshness_state: "UNKNOWN",
		status: null,
		reason: "HOST_FAILED",
		head: null,
		git_root: null,
	};
}
