import type {
	AgentResult,
	BuildAllResult,
	CompilerIndexState,
	ExtensionCount,
	FileVerdict,
	Package,
	PassageDetails,
	RagToolMeta,
} from "../../generated/glue.js";

// The tools' output schemas are made of these types.

/** What an answer rests on. */
export interface Meta extends Omit<RagToolMeta, "plan" | "retrieval"> {
	/** The plan of a question to `rag_ask`; `null` here. */
	plan: null;
	/** The retrieval for a question to `rag_ask`; `null` here. */
	retrieval: null;
}

/** An answer whose rows may have been cut, without further pages. */
export interface Cut {
	/** Whether items were left out for the limit, or for the 10,000 tokens that an answer may have. */
	truncated: boolean;
	/** How many items there are in all; `null` where nothing was counted. */
	total: number | null;
}

export type WithMeta<T> = Omit<T, "meta"> & {
	/** What the answer rests on. */
	meta: Meta;
};

/** How many files there are of each verdict. */
export interface VerdictCounts {
	/** Files as they were indexed. */
	unchanged: number;
	/** Files with other content than was indexed. */
	changed: number;
	/** Files that are not in the index. */
	added: number;
	/** Files that are in the index alone. */
	removed: number;
	/** Files and folders that are not searched. */
	skipped: number;
	/** Files that could not be held against the index. */
	unknown: number;
}

/** How the files stand to the index. */
export interface StatusAnswer extends Cut {
	/** What the answer rests on. */
	meta: Meta;
	/** Files that differ from the index first, then those that could not be looked at, then unchanged ones where they are wanted; each sort by path. */
	items: FileVerdict[];
	/** How many files there are of each verdict, whatever is listed. */
	counts: VerdictCounts;
	/** Files in no known language, which have no definitions and references, by extension, the most frequent first. */
	without_symbols: ExtensionCount[];
	/** The SCIP indexes, with how many of their documents are used. */
	compiler_indexes: CompilerIndexState[];
	/** Bytes of WebAssembly memory that answering takes. */
	wasm_memory_bytes: number;
}

export type BuildGraphAnswer = WithMeta<BuildAllResult> & Cut;

/** Without `results`, which only repeat the items, and without the places of terms in texts. */
export type AskAnswer = Omit<AgentResult, "results" | "items"> & {
	/** The passages, best first. */
	items: (Package & PassageDetails)[];
};

/** What all answers have in common. */
export interface Answer {
	meta: Meta | RagToolMeta;
	items: unknown[];
}
