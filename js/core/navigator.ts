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
	ExploreOptions,
	ExploreResult,
	FileOptions,
	FilesOptions,
	FilesResult,
	ImpactOptions,
	ImpactResult,
	KnownLanguage,
	LineageOptions,
	LineageResult,
	LocateResult,
	MovePlanOptions,
	MovePlanResult,
	OccurrencesOptions,
	OccurrencesResult,
	OutlineItem,
	Plan,
	PlanMeta,
	Queries,
	QuestionOptions,
	RagResult,
	RagToolMeta,
	RecheckOptions,
	RecheckResult,
	RenamePlanOptions,
	RenamePlanResult,
	RouteDecision,
	SearchOptions,
	SearchResult,
	Session,
	StalePolicy,
	StatusAnswer,
	TraceItem,
	TraceOptions,
	WhereUsedOptions,
	WhereUsedResult,
} from "../generated/glue.js";
import type { DocumentStore } from "./document-store.js";
import {
	type CallOptions,
	CLOSED_MESSAGE,
	CorePanic,
	drive,
	type QueryPorts,
	type Unfinished,
} from "./driver.js";
import { type Embed, type Embedding, embedderOf } from "./embedding.js";
import { panicMessage, RagnavError } from "./errors.js";
import { describeGiven } from "./given-value.js";
import { loadGrammar } from "./grammars.js";
import type { Host } from "./host.js";
import { problemOfOptions } from "./known-options.js";
import {
	addPlugins,
	type LanguagePlugin,
	type LoadedPlugin,
	loadPluginGrammar,
} from "./language-plugins.js";
import {
	type LimitOptions,
	type QueryLimits,
	queryLimits,
	Usage,
} from "./limits.js";
import { checkNumbers } from "./number-options.js";
import {
	chooseModel,
	coreOptions,
	knownFormats,
	PLANNING_OPTIONS,
	type QueryOptions,
	rememberFormats,
} from "./planning.js";
import { withCounts, withOwnCommit, withRoots } from "./roots/answers.js";
import { ScipIndexes } from "./scip/scip-indexes.js";
import { SharedWalks } from "./shared-walks.js";
import { type Instance, newHelpers, newInstance, pure } from "./wasm-module.js";
import { Watch, type Watching, type WatchOptions } from "./watching.js";

/** The options of `open`. */
export interface OpenOptions extends Embedding, LimitOptions {
	/** The sources of an answer if the index is not proven. Default `merge`. */
	stale_policy?: StalePolicy | null | undefined;
	/**
	 * The maximum number of workers of a build. With 0 a build runs in the thread that calls it.
	 * Default: the number of processors, 4 at most; 0 in an environment without workers.
	 */
	workers?: number | null | undefined;
	/**
	 * Further languages, each with its grammar and queries. Their grammars load when a query first
	 * parses a file of theirs; if one cannot be used, the answer says why.
	 */
	languages?: readonly LanguagePlugin[] | null | undefined;
	/**
	 * The paths of SCIP indexes, which compilers make, from the root. For files that are as they were
	 * indexed, rows have `evidence: "compiler"`.
	 */
	scip?: readonly string[] | null | undefined;
}

/** The sources of `ask` besides the repository. */
export interface AskSources {
	/**
	 * A store that replaces the embedded one. ragnav cannot verify its documents, so their freshness
	 * is `UNKNOWN`.
	 */
	store?: DocumentStore | null | undefined;
	/** Embeds the question for the store. Default: the navigator's own. */
	embed?: Embed | null | undefined;
	/** A plan to execute together with `mandatory`. The question itself is then not planned. */
	plan?: Plan | PlanMeta | null | undefined;
}

/** The options of `status`. */
export type StatusOptions = Omit<QuestionOptions, "since"> & CallOptions;

/** The options of `status`, for messages and to refuse others. */
const STATUS_OPTIONS = {
	stale_policy: true,
	limit: true,
	signal: true,
	timeout_ms: true,
	onProgress: true,
} satisfies Record<keyof StatusOptions, true>;

/** The answer of `status`. */
export type StatusResult = StatusAnswer & {
	/** The size of the navigator's WebAssembly memory, in bytes. */
	wasm_memory_bytes: number;
};

/**
 * The queries of one repository; `open` makes it.
 *
 * No method rejects. A failure is an `ERROR` envelope; for `route` and `watch` it is a reason.
 *
 * @example
 * ```js
 * import { open } from "ragnav";
 * import { nodeHost } from "ragnav/hosts/node";
 *
 * const nav = await open(nodeHost("."));
 * const { items, meta } = await nav.search("price_of");
 * console.log(meta.status, items[0].file, items[0].line); // FALLBACK shop/cart.py 3
 * nav.close();
 * ```
 */
export class Navigator {
	readonly #host: Host;
	readonly #options: CoreOptions;
	readonly #limits: QueryLimits;
	readonly #workers: number | undefined;
	readonly #embed: Embed | undefined;
	readonly #embedder: string | null;
	readonly #closers = new Set<() => void>();
	readonly #walks = new SharedWalks();
	readonly #watch: Watch;
	readonly #plugins: readonly LoadedPlugin[];
	readonly #scip: ScipIndexes;
	#core: OpenCore | undefined;
	#isClosed = false;
	/** The number of queries since the core was created. */
	#queries = 0;

	/** @internal Use `open`. */
	constructor(
		host: Host,
		options: CoreOptions,
		instance: Instance,
		given: OpenOptions = {},
		plugins: readonly LoadedPlugin[] = [],
	) {
		const { workers, embed, embedder } = given;
		this.#host = host;
		this.#options = options;
		this.#limits = queryLimits(given);
		this.#workers = workers ?? undefined;
		this.#embed = embed ?? undefined;
		this.#embedder = embedderOf({ embed, embedder });
		this.#plugins = plugins;
		this.#scip = new ScipIndexes(host, given.scip);
		this.#core = newCore(instance, options, plugins);
		this.#watch = new Watch(host, {
			build: () => this.buildGraph(),
			listFolders: () => this.route(),
		});
	}

	/**
	 * The size of this navigator's WebAssembly memory in bytes, without the workers of a build. It is
	 * 0 after `close`.
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const nav = await open(memoryHost({}));
	 * console.log(nav.memoryBytes > 0); // true
	 * nav.close();
	 * console.log(nav.memoryBytes); // 0
	 * ```
	 */
	get memoryBytes(): number {
		return this.#core?.memory.buffer.byteLength ?? 0;
	}

	/**
	 * The languages that this navigator knows, sorted by name, with those of its options. Files of
	 * others have no definitions and references. It is empty after `close`.
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const nav = await open(memoryHost({}));
	 * const python = nav.languages.find(({ name }) => name === "python");
	 * console.log(python.extensions[0], python.references); // py across_files
	 * nav.close();
	 * ```
	 */
	get languages(): KnownLanguage[] {
		return this.#core?.instance.glue.knownLanguages() ?? [];
	}

	/**
	 * Finds the lines that match a text or a regular expression, by file and line. With the mode
	 * `ranked` it finds the definitions and passages that fit the query, best first.
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const nav = await open(memoryHost({ "cart.py": "def total():\n    return 1\n" }));
	 * const [row] = (await nav.search("return \\d", { mode: "regex" })).items;
	 * console.log(row.file, row.line, row.symbol); // cart.py 2 sym:cart.total
	 * const ranked = await nav.search("compute total", { mode: "ranked", limit: 1 });
	 * console.log(ranked.items[0].symbol); // sym:cart.total
	 * nav.close();
	 * ```
	 */
	async search(
		query: string,
		options?: (SearchOptions & CallOptions) | null,
	): Promise<SearchResult> {
		return this.#query("search", { query }, options);
	}

	/**
	 * Finds the definitions that enclose a line of a file in its current text, innermost first. Lines
	 * count from 1.
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const cart = "class Cart:\n    def total(self):\n        return 1\n";
	 * const nav = await open(memoryHost({ "cart.py": cart }));
	 * for (const { symbol } of (await nav.identify("cart.py", 3)).items) {
	 *   console.log(symbol);
	 *   // sym:cart.Cart.total
	 *   // sym:cart.Cart
	 * }
	 * nav.close();
	 * ```
	 */
	async identify(
		file: string,
		line: number,
		options?: (FileOptions & CallOptions) | null,
	): Promise<RagResult<Definition>> {
		return this.#query("identify", { file, line }, options);
	}

	/**
	 * Returns the definitions of a file as a tree, in the order of the text. A method is a child of
	 * its class.
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const cart = "class Cart:\n    def total(self):\n        return 1\n";
	 * const nav = await open(memoryHost({ "cart.py": cart }));
	 * const [top] = (await nav.outline("cart.py")).items;
	 * console.log(top.name, top.children[0].name); // Cart total
	 * nav.close();
	 * ```
	 */
	async outline(
		file: string,
		options?: (FileOptions & CallOptions) | null,
	): Promise<RagResult<OutlineItem>> {
		return this.#query("outline", { file }, options);
	}

	/**
	 * Lists the files that the walk admits, and those that it skips with the reason, by path. It reads
	 * no files except the ignore rules.
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const head = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
	 * const files = { ".gitignore": "*.log\n", "a.py": "x = 1\n", "b.log": "" };
	 * const nav = await open(memoryHost(files, { head }));
	 * for (const { file, skipped } of (await nav.files()).items) {
	 *   console.log(file, skipped); // a.py null
	 * }
	 * nav.close();
	 * ```
	 */
	async files(
		options?: (FilesOptions & CallOptions) | null,
	): Promise<FilesResult> {
		return this.#query("files", {}, options);
	}

	/**
	 * Finds the current definitions of a symbol, given by its id, a dotted suffix or its name.
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const cart = "class Cart:\n    def total(self):\n        return 1\n";
	 * const nav = await open(memoryHost({ "cart.py": cart }));
	 * const [definition] = (await nav.locate("Cart.total")).items;
	 * console.log(definition.file, definition.start_line); // cart.py 2
	 * nav.close();
	 * ```
	 */
	async locate(
		symbol: string,
		options?: (QuestionOptions & CallOptions) | null,
	): Promise<LocateResult> {
		return this.#query("locate", { symbol }, options);
	}

	/**
	 * Returns the definitions that the name at a place means, as "go to definition" does in editors.
	 *
	 * @param place the file, line and column of the name, such as `src/app.py:12:5`; the line and the
	 * column (in UTF-16 units) count from 1
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const files = { "a.py": "def price(): ...\n", "b.py": "from a import price\nprice()\n" };
	 * const nav = await open(memoryHost(files));
	 * const { items } = await nav.definition("b.py:2:1");
	 * console.log(items[0].symbol); // sym:a.price
	 * nav.close();
	 * ```
	 */
	async definition(
		place: string,
		options?: (QuestionOptions & CallOptions) | null,
	): Promise<LocateResult> {
		return this.#query("definition", { place }, options);
	}

	/**
	 * Returns the types of what the name at a place means: the class of a variable, what a function
	 * returns, the elements of a container, and a class itself.
	 *
	 * @param place the file, line and column of the name, such as `src/app.py:12:5`; the line and the
	 * column (in UTF-16 units) count from 1
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const nav = await open(memoryHost({ "a.py": "class Cart: ...\ncart = Cart()\ncart\n" }));
	 * const { items } = await nav.typeDefinition("a.py:3:1");
	 * console.log(items[0].symbol); // sym:a.Cart
	 * nav.close();
	 * ```
	 */
	async typeDefinition(
		place: string,
		options?: (QuestionOptions & CallOptions) | null,
	): Promise<LocateResult> {
		return this.#query("type_definition", { place }, options);
	}

	/**
	 * Decides whether the index may be used, and reports why. The reason is `HOST_FAILED` if ragnav
	 * cannot decide, for example after `close`.
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const nav = await open(memoryHost({ "a.py": "" }));
	 * const { use_rag, reason } = await nav.route();
	 * console.log(use_rag, reason); // false NO_STATUS
	 * nav.close();
	 * ```
	 */
	async route(options?: CallOptions | null): Promise<RouteDecision> {
		const start = (core: Core) => core.route();
		const route = await this.#runInTime(start, options, hostFailedRoute);
		return withRoots(route, this.#host);
	}

	/**
	 * Finds the references to a symbol, given by its id, a dotted suffix or its name. Resolved
	 * references come before candidates, which only share the name.
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { nodeHost } from "ragnav/hosts/node";
	 *
	 * const nav = await open(nodeHost("."));
	 * for (const row of (await nav.whereUsed("price_of")).items) {
	 *   console.log(`${row.file}:${row.line}`, row.kind, row.resolution);
	 *   // shop/cart.py:3 import resolved
	 *   // shop/cart.py:15 call resolved
	 * }
	 * nav.close();
	 * ```
	 */
	async whereUsed(
		symbol: string,
		options?: (WhereUsedOptions & CallOptions) | null,
	): Promise<WhereUsedResult> {
		return this.#query("where_used", { symbol }, options);
	}

	/**
	 * Follows a symbol over `depth` steps: to its callers, subclasses and importers (`upstream` or
	 * `callers`), or to its callees and base classes (`downstream` or `callees`).
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { nodeHost } from "ragnav/hosts/node";
	 *
	 * const nav = await open(nodeHost("."));
	 * for (const { depth, edge, symbol } of (await nav.lineage("price_of", "callers")).items) {
	 *   console.log(depth, edge, symbol);
	 *   // 1 imports null
	 *   // 1 calls sym:shop.cart.Cart.total
	 * }
	 * nav.close();
	 * ```
	 */
	async lineage(
		symbol: string,
		direction: Direction | "callers" | "callees" | (string & {}),
		options?: (LineageOptions & CallOptions) | null,
	): Promise<LineageResult> {
		return this.#query("lineage", { symbol, direction }, options);
	}

	/**
	 * Returns the symbols that a change touches, since a commit or between two, what refers to them,
	 * and the tests that reach them. The host must have `changes` and `readObjects`.
	 *
	 * @example
	 * ```ts
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const host = memoryHost({ "a.py": "def total(): return 1\n" });
	 * host.changes = () => ({ from: "4b825dc", files: [{ path: "a.py", before: "e69de29" }] });
	 * host.readObjects = () => [new TextEncoder().encode("def total(): return 0\n")];
	 * const nav = await open(host);
	 * const [item] = (await nav.impact({ from: "main" })).items;
	 * console.log(item.symbol, item.changes[0]); // sym:a.total body
	 * nav.close();
	 * ```
	 */
	async impact(
		options?: (ImpactOptions & CallOptions) | null,
	): Promise<ImpactResult> {
		return this.#query("impact", {}, options);
	}

	/**
	 * Returns the symbols that enclosed a line of a file in a commit, innermost first, and where each
	 * is now; with `reverse` those at a line now, and where each was in the commit. The host must have
	 * `changes` and `readObjects`.
	 *
	 * @example
	 * ```ts
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const host = memoryHost({ "a.py": "x = 1\n\ndef total(): return 1\n" });
	 * host.changes = () => ({ from: "4b825dc", files: [{ path: "a.py", before: "e69de29" }] });
	 * host.readObjects = () => [new TextEncoder().encode("def total(): return 1\n")];
	 * const nav = await open(host);
	 * const [item] = (await nav.trace("a.py", 1, "main")).items;
	 * console.log(item.symbol, item.match, item.found?.start_line); // sym:a.total moved 3
	 * nav.close();
	 * ```
	 */
	async trace(
		file: string,
		line: number,
		commit: string,
		options?: (TraceOptions & CallOptions) | null,
	): Promise<RagResult<TraceItem>> {
		return this.#query("trace", { file, line, commit }, options);
	}

	/**
	 * Answers a first question about a symbol, a place or some words: the definitions, the source of
	 * the best one, what calls it, what it calls and the tests that reach it, within a budget of
	 * tokens.
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const nav = await open(memoryHost({ "a.py": "def total(): return 1\nprint(total())\n" }));
	 * const { code, callers } = await nav.explore("total");
	 * console.log(code.text); // def total(): return 1
	 * console.log(callers[0].line); // 2
	 * nav.close();
	 * ```
	 */
	async explore(
		about: string,
		options?: (ExploreOptions & CallOptions) | null,
	): Promise<ExploreResult> {
		return this.#query("explore", { about }, options);
	}

	/**
	 * Plans the edits that give a symbol another name, and changes no file. Apply the plan if
	 * `refusals` is empty: each file of `files` with {@link editBytes}, or all with `applyPlan` in
	 * Node.
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const nav = await open(memoryHost({ "a.py": "def total(): return 1\nprint(total())\n" }));
	 * const { items, refusals } = await nav.renamePlan("total", "price");
	 * for (const { line, start_utf16 } of items) {
	 *   console.log(line, start_utf16);
	 *   // 1 4
	 *   // 2 6
	 * }
	 * console.log(refusals.length); // 0
	 * nav.close();
	 * ```
	 */
	async renamePlan(
		symbol: string,
		newName: string,
		options?: (RenamePlanOptions & CallOptions) | null,
	): Promise<RenamePlanResult> {
		return this.#query("rename_plan", { symbol, new_name: newName }, options);
	}

	/**
	 * Returns the definitions of a file, and each reference in it that resolves, with the definition
	 * that it means.
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const nav = await open(memoryHost({ "a.py": "def total(): return 0\ntotal()\n" }));
	 * for (const { line, kind, definition } of (await nav.occurrences("a.py")).items) {
	 *   console.log(line, kind, definition.symbol);
	 *   // 1 definition sym:a.total
	 *   // 2 call sym:a.total
	 * }
	 * nav.close();
	 * ```
	 */
	async occurrences(
		file: string,
		options?: (OccurrencesOptions & CallOptions) | null,
	): Promise<OccurrencesResult> {
		return this.#query("occurrences", { file }, options);
	}

	/**
	 * Plans the edits that move a definition to another file, which may be new, and changes no file.
	 * Apply the plan if `refusals` is empty: each file of `files` with {@link editBytes}, or all with
	 * `applyPlan` in Node. A file whose `hash` is `null` must not exist.
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const nav = await open(memoryHost({
	 *   "cart.py": "def total():\n    return 1\n",
	 *   "shop.py": "from cart import total\n\ntotal()\n",
	 * }));
	 * const { items, refusals } = await nav.movePlan("total", "sums.py");
	 * const edit = items.find(({ file }) => file === "shop.py");
	 * console.log(edit.old_text, edit.new_text); // cart sums
	 * console.log(refusals.length); // 0
	 * nav.close();
	 * ```
	 */
	async movePlan(
		symbol: string,
		file: string,
		options?: (MovePlanOptions & CallOptions) | null,
	): Promise<MovePlanResult> {
		return this.#query("move_plan", { symbol, file }, options);
	}

	/**
	 * Says what became of the rows of an earlier answer, by its `meta.receipt`: each is as it was,
	 * moved, changed or gone. Rows that it did not have are new.
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const host = memoryHost({ "a.py": "def total(): return 1\nprint(total())\n" });
	 * const nav = await open(host);
	 * const { meta } = await nav.search("total");
	 * host.files.set("a.py", new TextEncoder().encode("# Sums\ndef total(): return 1\n"));
	 * const { items } = await nav.recheck(meta.receipt);
	 * for (const { state, was, now } of items) {
	 *   console.log(state, was?.line, now?.line);
	 *   // moved 1 2
	 *   // gone 2 undefined
	 * }
	 * nav.close();
	 * ```
	 */
	async recheck(
		receipt: string | null,
		options?: (RecheckOptions & CallOptions) | null,
	): Promise<RecheckResult> {
		return this.#query("recheck", { receipt: receipt ?? "" }, options);
	}

	/**
	 * Verifies every file and reports how it compares with the index, with the proof. The answer is
	 * about the index itself, so `stale_policy` does not affect it, and it has no receipts.
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const head = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
	 * const host = memoryHost({ "a.py": "x = 1\n" }, { head });
	 * const nav = await open(host);
	 * await nav.buildGraph();
	 * console.log((await nav.status()).meta.status); // OK
	 * host.files.set("a.py", new TextEncoder().encode("x = 2\n"));
	 * const [file] = (await nav.status()).items;
	 * console.log(file.file, file.verdict); // a.py changed
	 * nav.close();
	 * ```
	 */
	async status(options?: StatusOptions | null): Promise<StatusResult> {
		const problem = problemOfOptions(options, STATUS_OPTIONS);
		const result =
			problem === null
				? await this.#query("status", {}, options)
				: withRoots(
						pure().failedAnswer("status", {}, "INVALID_ARGUMENT", problem),
						this.#host,
					);
		const wasm_memory_bytes = this.memoryBytes;
		return { ...withCounts(result), wasm_memory_bytes };
	}

	/**
	 * Answers a question with passages of notes and code, in their current text. A model plans the
	 * question if the options name one, else the words of the question decide. With `rerank` it also
	 * orders the first 20 documents. These come from the embedded store, which
	 * `buildGraph({ documents: true })` fills, or from `store`.
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { nodeHost } from "ragnav/hosts/node";
	 *
	 * const nav = await open(nodeHost("."));
	 * await nav.buildGraph({ documents: true });
	 * const { items } = await nav.ask("What is the price of an article?");
	 * console.log(items[0].title, items[0].citation.path); // price_of shop/prices.py
	 * nav.close();
	 * ```
	 */
	async ask(
		question: string,
		options?: (AskOptions & QueryOptions & AskSources & CallOptions) | null,
	): Promise<AgentResult> {
		const failedAnswer = ({ code, message }: FailureReport): AgentResult => {
			const asked = { query: question };
			const failed = pure().failedAnswer("search", asked, code, message);
			// Passages are the best of many, so that no answer says which others there are.
			const { completeness, doubts, ...rest } = failed;
			return { ...rest, items: [], results: [], omitted: 0 };
		};
		const given = options ?? {};
		const planning = catchMisuse(() => chooseModel(given));
		if (planning instanceof RagnavError) {
			return failedAnswer(planning);
		}
		const { choice, ports } = planning;
		const store = given.store ?? undefined;
		const embed = given.embed ?? this.#embed;
		const sources = {
			has_store: store !== undefined,
			embeds: embed !== undefined,
			...planFields(given.plan),
		};
		const start = (core: Core) =>
			core.askAgent(
				question,
				coreOptions(given),
				choice,
				knownFormats(),
				askOptions(given),
				sources,
			);
		const { answer, formats } = await this.#runInTime<AnswerByModel>(
			start,
			options,
			(failure) => ({ answer: failedAnswer(failure), formats: {} }),
			{ ...ports, store, embed },
		);
		rememberFormats(formats);
		return withRoots(answer, this.#host);
	}

	/**
	 * Builds the index, or updates it: a build reads only files that differ, and keeps the enrichment
	 * of symbols. If the host has no `write`, the index stays in memory until `close`.
	 *
	 * An interrupted build leaves the index unchanged. A build that has begun to write completes.
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { nodeHost } from "ragnav/hosts/node";
	 *
	 * const nav = await open(nodeHost("."));
	 * const { meta, counts } = await nav.buildGraph();
	 * console.log(meta.status, counts.changed); // OK 0
	 * console.log((await nav.search("price_of")).meta.freshness_state); // FRESH
	 * nav.close();
	 * ```
	 */
	async buildGraph(
		options?: (Omit<BuildAllOptions, "embedder"> & CallOptions) | null,
	): Promise<BuildAllResult> {
		const owner = createBuildOwner();
		const given = { ...ownOptions(options), embedder: this.#embedder };
		const start = (core: Core) => core.buildGraph(given, owner);
		const failedBuild = (failure: FailureReport): BuildAllResult => ({
			documents: null,
			meta: errorMeta(failure.code, failure.message),
			items: [],
			counts: { added: 0, changed: 0, removed: 0, unchanged: 0, skipped: 0 },
			enrichment: { exact: 0, moved: 0, renamed: 0, ambiguous: 0, lost: 0 },
			up_to_date: false,
			skipped: [],
		});
		const unfinished: Unfinished = {};
		const helpers = newHelpers(this.#workers, this.#plugins);
		const result = await this.#run(start, options, failedBuild, {
			unfinished,
			helpers,
		});
		if (INTERRUPTIONS.has(result.meta.error_code)) {
			const abandon = () => this.#abandonBuild(owner);
			// The host may still complete a write. No other build may begin before that.
			if (unfinished.write === undefined) await abandon();
			else void unfinished.write.then(abandon, abandon);
		}
		return withRoots(result, this.#host);
	}

	/**
	 * Watches the repository through the host, and keeps the index up to date. While the watcher
	 * misses no change, queries do not verify unchanged files again; the proof of their rows is
	 * `watch`.
	 *
	 * Resolves once every folder is watched and, unless `build` is `false`, the index is built. If the
	 * host's watcher cannot prove freshness, {@link Watching.reason} says why and queries verify the
	 * files as before. Watching does not keep a process running.
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const head = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
	 * const nav = await open(memoryHost({ "a.py": "x = 1\n" }, { head }));
	 * const watching = await nav.watch({ onBuild: ({ meta }) => console.log(meta.status) }); // OK
	 * console.log(watching.reason, (await nav.status()).items[0].proof); // null watch
	 * watching.close();
	 * nav.close();
	 * ```
	 */
	async watch(options?: WatchOptions | null): Promise<Watching> {
		return this.#watch.open(options ?? {});
	}

	/**
	 * Frees the core with its memory, and stops watching. Running and later queries answer `CLOSED`.
	 *
	 * @example
	 * ```js
	 * import { open } from "ragnav";
	 * import { memoryHost } from "ragnav/hosts/memory";
	 *
	 * const nav = await open(memoryHost({}));
	 * nav.close();
	 * console.log((await nav.search("x")).meta.error_code); // CLOSED
	 * ```
	 */
	close(): void {
		this.#isClosed = true;
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

	/**
	 * Answers a query by its name, with all its arguments as one object. The core also makes the
	 * answer of a query that failed outside of it.
	 *
	 * @internal
	 */
	async query<Name extends keyof Queries>(
		name: Name,
		given: object,
		call?: CallOptions | null,
	): Promise<Queries[Name]["answer"]> {
		const own = withOwnCommit(given, this.#host);
		const answer = await this.#runInTime<Queries[Name]["answer"]>(
			(core) => {
				checkNumbers(given);
				return core.query(name, own);
			},
			call,
			({ code, message }) => pure().failedAnswer(name, given, code, message),
		);
		return withRoots(answer, this.#host);
	}

	/** Answers a query whose options come with those of the call. */
	async #query<Name extends keyof Queries>(
		name: Name,
		positional: Record<string, unknown>,
		options: object | null | undefined,
	): Promise<Queries[Name]["answer"]> {
		const given = { ...ownOptions(options), ...positional };
		const problem = catchMisuse(() => checkObject(options));
		if (problem instanceof RagnavError) {
			return pure().failedAnswer(name, given, problem.code, problem.message);
		}
		return this.query(name, given, options);
	}

	/** Runs a session as {@link #run} does, with the navigator's time limit as the default. */
	#runInTime<T>(
		start: (core: Core) => Session,
		options: CallOptions | null | undefined,
		failedAnswer: (failure: FailureReport) => T,
		ports: QueryPorts = {},
	): Promise<T> {
		const timeout_ms = options?.timeout_ms ?? this.#limits.timeoutMs;
		return this.#run(start, { ...options, timeout_ms }, failedAnswer, ports);
	}

	/** Runs a session to its end, and turns a failure into an answer. */
	async #run<T>(
		start: (core: Core) => Session,
		options: CallOptions | null | undefined,
		failedAnswer: (failure: FailureReport) => T,
		ports: QueryPorts = {},
	): Promise<T> {
		const walkShare = this.#walks.join();
		let opened: OpenCore | undefined;
		let usage: Usage | undefined;
		try {
			checkCall(options ?? {});
			opened = await this.#ensureCore();
			this.#checkOpen();
			await this.#scip.give(opened.core, () => this.#checkOpen());
			usage = new Usage(this.#limits, opened.memory);
			return await drive<T>(start(opened.core), this.#host, options ?? {}, {
				embed: this.#embed,
				...ports,
				closers: this.#closers,
				watcher: this.#watch.watcher,
				walkShare,
				usage,
				loadGrammar: loaderOf(opened, this.#plugins),
			});
		} catch (thrown) {
			const limit = usage?.memoryExceeded;
			const isUnusable = thrown instanceof CorePanic || limit !== undefined;
			// Running queries fail with this core, later ones get a new core.
			if (isUnusable && this.#core === opened) this.#core = undefined;
			if (thrown instanceof CorePanic && opened) discard(opened);
			return failedAnswer(failureOf(thrown, limit));
		} finally {
			walkShare.end();
			this.#recycleCore();
		}
	}

	/**
	 * Frees a core that has grown large, because a WebAssembly memory never shrinks. The next query
	 * reads the index again.
	 */
	#recycleCore(): void {
		this.#queries += 1;
		const isLarge = this.memoryBytes > RECYCLE_BYTES;
		const hasServed = this.#queries >= RECYCLE_QUERIES;
		// An index that the host cannot store exists in this memory only.
		const isIndexStored = this.#options.writable === true;
		const isOverLimit = this.memoryBytes > this.#limits.maxMemoryBytes;
		const isDue = isOverLimit || (isLarge && hasServed && isIndexStored);
		if (isDue && this.#walks.running === 0) {
			this.#core?.core.free();
			this.#core = undefined;
		}
	}

	/** Releases the lock of an interrupted build. A lock that cannot be released expires. */
	async #abandonBuild(owner: string): Promise<void> {
		try {
			const { core } =
				this.#core ??
				newCore(await newInstance(), this.#options, this.#plugins);
			await drive<null>(core.abandonBuild(owner), this.#host, {});
		} catch {
			// The answer reports why the build was interrupted.
		}
	}

	async #ensureCore(): Promise<OpenCore> {
		this.#checkOpen();
		if (this.#core === undefined) {
			const instance = await newInstance();
			this.#checkOpen();
			this.#core ??= newCore(instance, this.#options, this.#plugins);
			this.#queries = 0;
		}
		return this.#core;
	}

	#checkOpen(): void {
		if (this.#isClosed) {
			throw new RagnavError("CLOSED", CLOSED_MESSAGE);
		}
	}
}

/** The memory of a core above which the navigator replaces it, in bytes. */
const RECYCLE_BYTES = 192 << 20;
/**
 * The minimum number of queries of a core: in a large repository every query may need much memory.
 */
const RECYCLE_QUERIES = 16;

interface OpenCore {
	core: Core;
	memory: Instance["memory"];
	/** The instance, to load grammars into it. */
	instance: Instance;
}

/** The codes of interrupted builds. */
const INTERRUPTIONS: ReadonlySet<unknown> = new Set([
	"CANCELLED",
	"TIMEOUT",
	"CLOSED",
	"LIMIT_EXCEEDED",
	"INTERNAL_PANIC",
]);

/** Returns a random name for a build, unique across processes. */
function createBuildOwner(): string {
	const words = crypto.getRandomValues(new Uint32Array(4));
	return Array.from(words, (word) => word.toString(36)).join("-");
}

function checkCall({ signal, timeout_ms }: CallOptions): void {
	const isTime = typeof timeout_ms === "number" && timeout_ms > 0;
	if (!isAbsent(timeout_ms) && !isTime) {
		throw invalid(
			`timeout_ms must be a number above 0, not ${describeGiven(timeout_ms)}`,
		);
	}
	if (!isAbsent(signal) && typeof signal?.addEventListener !== "function") {
		throw invalid("signal must be an AbortSignal");
	}
}

/**
 * Maps an exception to a failure. If the core stopped above its memory limit, that is the reason.
 */
function failureOf(
	thrown: unknown,
	limit: RagnavError | undefined,
): FailureReport {
	if (thrown instanceof RagnavError) return thrown;
	if (limit !== undefined) return limit;
	return { code: "INTERNAL_PANIC", message: panicMessage(thrown) };
}

/** A failure outside of the core. */
type FailureReport = Pick<RagnavError, "code" | "message">;

/** Returns the options that the core validates: all except those of the call. */
function ownOptions(options: object | null | undefined): object {
	const { signal, timeout_ms, onProgress, ...own } = (options ??
		{}) as CallOptions;
	return own;
}

/**
 * Returns the options of `ask` that the core validates: all except those of the call, of planning
 * and of the sources.
 */
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

/** Returns the fields of a given plan, with its source if it has one. */
function planFields(plan: Plan | PlanMeta | null | undefined) {
	if (plan === null || plan === undefined) return {};
	return "plan" in plan
		? { plan: plan.plan, plan_source: plan.source }
		: { plan };
}

/** Runs a function, and returns the {@link RagnavError} that it throws. */
function catchMisuse<T>(work: () => T): T | RagnavError {
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

function newCore(
	instance: Instance,
	options: CoreOptions,
	plugins: readonly LoadedPlugin[],
): OpenCore {
	const { glue, memory } = instance;
	addPlugins(glue, plugins);
	return { core: new glue.Core(options), memory, instance };
}

/**
 * Frees a core that stopped on a defect. If this were left to the garbage collector, an error while
 * freeing would end the process of the host.
 */
function discard({ core }: OpenCore): void {
	try {
		core.free();
	} catch {
		// The caller receives the error that stopped the core. Its memory goes with the instance.
	}
}

function loaderOf({ instance }: OpenCore, plugins: readonly LoadedPlugin[]) {
	return (language: string) => {
		const added = plugins.find(({ plugin }) => plugin.name === language);
		return added === undefined
			? loadGrammar(instance, language)
			: loadPluginGrammar(instance, added);
	};
}

function errorMeta(error_code: ErrorCode, message: string): RagToolMeta {
	return pure().errorMeta({ error_code, message });
}

function hostFailedRoute(): RouteDecision {
	return {
		use_rag: false,
		freshness_state: "UNKNOWN",
		status: null,
		reason: "HOST_FAILED",
		head: null,
		git_root: null,
	};
}
