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

/** What an agent answers from, and how. */
export interface AgentOptions extends QueryOptions, AskOptions, Embedding {
	/** The repository whose documents are asked. Default: in Node the current folder, unless there is a `store`. */
	host?: Host | null | undefined;
	/** A store that is asked in place of the embedded one: `fromChroma`, `fromLangChain`, or one's own. */
	store?: DocumentStore | null | undefined;
}

/** What a single question takes beside what its agent was made with. */
export type AgentQueryOptions = AskOptions & QueryOptions & CallOptions;

/** How this program comes by the host of a folder; `undefined` where there are no folders. */
let hostOf: ((folder: string) => Host) | undefined;

/** Registers how folders are read; the entry for Node calls it. */
export function setFolderHost(make: (folder: string) => Host): void {
	hostOf = make;
}

/**
 * The RAG micro-agent (seed `micro-agent`, section 3): a question is planned, documents are found, held against their files and packaged.
 *
 * Without options it answers from the documents of the current folder, without a model.
 */
export class RagMicroAgent {
	readonly #options: AgentOptions;
	readonly #host: Host;
	#navigator: Promise<Navigator> | undefined;
	#closed = false;

	/** @throws {RagnavError} `INVALID_ARGUMENT` where there is neither a host nor a store, and no current folder. */
	constructor(options?: AgentOptions | null) {
		this.#options = options ?? {};
		const { host, store } = this.#options;
		this.#host = host ?? (store ? emptyHost() : folderHost("."));
	}

	/** What answers a question. Never rejects: what goes wrong is an `ERROR` envelope. */
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

	/** Frees its core and memory; later questions answer `CLOSED`. */
	close(): void {
		this.#closed = true;
		void this.#navigator?.then((navigator) => navigator.close());
	}

	[Symbol.dispose](): void {
		this.close();
	}

	async #open(): Promise<Navigator> {
		this.#navigator ??= open(this.#host, openOptions(this.#options));
		const navigator = await this.#navigator;
		if (this.#closed) navigator.close();
		return navigator;
	}
}

/** What {@link runRagQuery} may be told. */
export interface RunOptions extends AgentQueryOptions, Embedding {
	/** The folder of the embedded store, inside of the repository that it is of. Default `.llmc/` of the current folder. */
	db_path?: string | null | undefined;
}

/**
 * Answers one question from the documents of a repository (seed `micro-agent`, `run_rag_query`).
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` where `db_path` is no folder of that name, or there are no folders.
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

/** What a plan is answered with. */
export type RetrievalOptions = AskOptions &
	Pick<PlanningOptions, "catalogue" | "mandatory"> &
	Pick<Embedding, "embed"> &
	CallOptions;

/**
 * The documents of a plan (seed `micro-agent`, `retrieve_context`): found, deduplicated by file, packaged as the plan says. `store` is a
 * repository's navigator for its embedded store. Where a `PlanMeta` says that a model made the plan, filters that nothing meets are left out
 * once, and that is told. Never rejects: what goes wrong is an `ERROR` envelope.
 */
export async function retrieveContext(
	plan: Plan | PlanMeta,
	store: DocumentStore | Navigator,
	options?: RetrievalOptions | null,
): Promise<AgentResult> {
	if (isNavigator(store)) return store.ask("", { ...options, plan });
	const navigator = await nowhere();
	return navigator.ask("", { ...options, plan, store });
}

let withoutFiles: Promise<Navigator> | undefined;

/** A navigator for what is in no repository, one for all: making one takes longer than most questions. */
function nowhere(): Promise<Navigator> {
	withoutFiles ??= open(emptyHost());
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
