import { open } from "../core/api.js";
import type { DocumentStore } from "../core/document-store.js";
import type { CallOptions } from "../core/driver.js";
import type { Embedding } from "../core/embedding.js";
import { RagnavError } from "../core/errors.js";
import type { Host } from "../core/host.js";
import type { Navigator, OpenOptions } from "../core/navigator.js";
import type { PlanningOptions, QueryOptions } from "../core/planning.js";
import type {
	AgentResult,
	AskOptions,
	Plan,
	PlanMeta,
} from "../generated/glue.js";
import { emptyHost } from "./empty-host.js";

/** The options of an agent: what it answers from, and how. */
export interface AgentOptions extends QueryOptions, AskOptions, Embedding {
	/**
	 * The repository whose documents the agent searches. Default: in Node the current folder, unless
	 * there is a `store`.
	 */
	host?: Host | null | undefined;
	/** A store that replaces the embedded one: `fromChroma`, `fromLangChain`, or the caller's own. */
	store?: DocumentStore | null | undefined;
}

/** The options of one question. They override those of the agent. */
export type AgentQueryOptions = AskOptions & QueryOptions & CallOptions;

/** Makes the host of a folder; `undefined` in an environment without folders. */
let hostOf: ((folder: string) => Host) | undefined;

/** Registers the host that reads folders. The entry for Node calls it. */
export function setFolderHost(make: (folder: string) => Host): void {
	hostOf = make;
}

/**
 * The RAG micro-agent. It plans a question, finds documents, verifies them against their files and
 * packages them.
 *
 * Without options it answers from the documents of the current folder, without a model.
 *
 * @example
 * ```js
 * import { RagMicroAgent } from "ragnav/agent";
 *
 * const agent = new RagMicroAgent({ limit: 1 });
 * const answer = await agent.query("how is the price of an article found?");
 * console.log(answer.meta.status, answer.items[0].citation.path); // FALLBACK shop/prices.py
 * agent.close();
 * ```
 */
export class RagMicroAgent {
	readonly #options: AgentOptions;
	readonly #host: Host;
	#navigator: Promise<Navigator> | undefined;
	#closed = false;

	/** @throws {RagnavError} `INVALID_ARGUMENT` if there is neither host, store nor current folder. */
	constructor(options?: AgentOptions | null) {
		this.#options = options ?? {};
		const { host, store } = this.#options;
		this.#host = host ?? (store ? emptyHost() : folderHost("."));
	}

	/**
	 * Answers a question. A failure of the question is an `ERROR` envelope.
	 *
	 * @throws {RagnavError} `INVALID_ARGUMENT` if the options or the host of the agent cannot be used
	 *
	 * @example
	 * ```js
	 * import { RagMicroAgent } from "ragnav/agent";
	 *
	 * const agent = new RagMicroAgent();
	 * const answer = await agent.query("list functions in shop/prices.py");
	 * console.log(answer.meta.plan.source, answer.items[0].title); // deterministic price_of
	 * agent.close();
	 * ```
	 */
	async query(
		question: string,
		options?: AgentQueryOptions | null,
	): Promise<AgentResult> {
		const {
			host: _host,
			embed: _embed,
			embedder: _name,
			...asked
		} = this.#options;
		const navigator = await this.#open();
		return navigator.ask(question, { ...asked, ...options });
	}

	/**
	 * Frees the agent's core and memory; later questions answer `CLOSED`.
	 *
	 * @example
	 * ```js
	 * import { RagMicroAgent } from "ragnav/agent";
	 *
	 * const agent = new RagMicroAgent();
	 * agent.close();
	 * console.log((await agent.query("prices")).meta.error_code); // CLOSED
	 * ```
	 */
	close(): void {
		this.#closed = true;
		// The caller has already received the error.
		this.#navigator?.then(
			(navigator) => navigator.close(),
			() => undefined,
		);
	}

	[Symbol.dispose](): void {
		this.close();
	}

	async #open(): Promise<Navigator> {
		this.#navigator ??= open(this.#host, openOptions(this.#options)).catch(
			(thrown: unknown) => {
				this.#navigator = undefined;
				throw thrown;
			},
		);
		const navigator = await this.#navigator;
		if (this.#closed) navigator.close();
		return navigator;
	}
}

/** The options of {@link runRagQuery}. */
export interface RunOptions extends AgentQueryOptions, Embedding {
	/**
	 * The folder of the embedded store, inside the repository. Default: `.llmc/` of the current
	 * folder.
	 */
	db_path?: string | null | undefined;
}

/**
 * Answers one question from the documents of a repository.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` if `db_path` is not a folder named `.llmc`, or if the
 * environment has no folders.
 *
 * @example
 * ```js
 * import { runRagQuery } from "ragnav/agent";
 *
 * const { items } = await runRagQuery("functions about the price of an article", { limit: 1 });
 * console.log(items[0].title, items[0].citation.path); // price_of shop/prices.py
 * ```
 */
export async function runRagQuery(
	question: string,
	options?: RunOptions | null,
): Promise<AgentResult> {
	const { db_path, embed, embedder, ...asked } = options ?? {};
	const host = folderHost(repositoryOf(db_path ?? ".llmc"));
	const agent = new RagMicroAgent({ host, embed, embedder });
	try {
		return await agent.query(question, asked);
	} finally {
		agent.close();
	}
}

/** The options of {@link retrieveContext}. */
export type RetrievalOptions = AskOptions &
	Pick<PlanningOptions, "catalogue" | "mandatory"> &
	Pick<Embedding, "embed"> &
	CallOptions;

/**
 * Finds the documents of a plan, deduplicates them by file and packages them as the plan says.
 * A failure is an `ERROR` envelope. It rejects only if the core cannot be loaded, as `open` does.
 *
 * Pass a navigator as `store` to search its embedded store. If a model made the plan, as a
 * `PlanMeta` says, filters that no document meets are dropped once, and the answer reports it.
 *
 * @example
 * ```js
 * import { open } from "ragnav";
 * import { planDeterministic, retrieveContext } from "ragnav/agent";
 * import { nodeHost } from "ragnav/hosts/node";
 *
 * const nav = await open(nodeHost("."));
 * const plan = planDeterministic("price of an article", { catalogue: "code" });
 * const { items } = await retrieveContext(plan, nav);
 * console.log(items[0].citation.path, items[0].proof); // shop/prices.py live
 * nav.close();
 * ```
 */
export async function retrieveContext(
	plan: Plan | PlanMeta,
	store: DocumentStore | Navigator,
	options?: RetrievalOptions | null,
): Promise<AgentResult> {
	if (isNavigator(store)) return store.ask("", { ...options, plan });
	const navigator = await navigatorWithoutFiles();
	return navigator.ask("", { ...options, plan, store });
}

let withoutFiles: Promise<Navigator> | undefined;

/** Returns the shared navigator without files: making one takes longer than most questions. */
function navigatorWithoutFiles(): Promise<Navigator> {
	withoutFiles ??= open(emptyHost()).catch((thrown: unknown) => {
		withoutFiles = undefined;
		throw thrown;
	});
	return withoutFiles;
}

function isNavigator(store: DocumentStore | Navigator): store is Navigator {
	return "ask" in store && typeof store.ask === "function";
}

function openOptions(options: AgentOptions): OpenOptions {
	const { embed, embedder, stale_policy } = options;
	return { embed, embedder, stale_policy };
}

function folderHost(folder: string): Host {
	if (hostOf !== undefined) return hostOf(folder);
	throw new RagnavError(
		"INVALID_ARGUMENT",
		"there are no folders here: pass a host or a store",
	);
}

const STORE_FOLDER = ".llmc";

function repositoryOf(store: string): string {
	const parts = store.replace(/[/\\]+$/, "").split(/[/\\]/);
	if (parts.at(-1) === STORE_FOLDER) {
		const folder = parts.slice(0, -1).join("/");
		return folder === "" && /^[/\\]/.test(store) ? "/" : folder || ".";
	}
	throw new RagnavError(
		"INVALID_ARGUMENT",
		`db_path must be the folder ${STORE_FOLDER} of a repository, not ${JSON.stringify(store)}`,
	);
}
