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

/** The metadata of an answer. */
export interface Meta extends Omit<RagToolMeta, "plan" | "retrieval"> {
	/** `null`: only an answer of `rag_ask` has a plan. */
	plan: null;
	/** `null`: only an answer of `rag_ask` has a retrieval. */
	retrieval: null;
}

/** The fields of an answer that has no further pages, but may be truncated. */
export interface Cut {
	/** Whether the limit, or the bound of 10,000 tokens, left out items. */
	truncated: boolean;
	/** The number of all items; `null` after a failure. */
	total: number | null;
}

export type WithMeta<T> = Omit<T, "meta"> & {
	/** The metadata of the answer. */
	meta: Meta;
};

/** The number of files of each status. */
export interface VerdictCounts {
	/** Files with the content that was indexed. */
	unchanged: number;
	/** Files whose content differs from what was indexed. */
	changed: number;
	/** Files that the index lacks. */
	added: number;
	/** Files that only the index has. */
	removed: number;
	/** Files and folders that the walk skips. */
	skipped: number;
	/** Files that could not be verified against the index. */
	unknown: number;
}

/** The statuses of the files: how they compare with the index. */
export interface StatusAnswer extends Cut {
	/** The metadata of the answer. */
	meta: Meta;
	/**
	 * The files that differ from the index, then skipped and unknown ones, then unchanged ones if
	 * `include_unchanged` is set; each group sorted by path.
	 */
	items: FileVerdict[];
	/** The number of files of each status, also of those that are not listed. */
	counts: VerdictCounts;
	/**
	 * The numbers of files in no known language, by extension, the most frequent first. Such files
	 * have no definitions and references.
	 */
	without_symbols: ExtensionCount[];
	/** The SCIP indexes, each with the number of its documents that are used. */
	compiler_indexes: CompilerIndexState[];
	/** The size of the WebAssembly memory, in bytes. */
	wasm_memory_bytes: number;
}

export type BuildGraphAnswer = WithMeta<BuildAllResult> & Cut;

/**
 * The answer of `rag_ask`, without `results`, which repeat the items, and without the places of
 * terms in texts.
 */
export type AskAnswer = Omit<AgentResult, "results" | "items"> & {
	/** The passages, best first. */
	items: (Package & PassageDetails)[];
};

/** The fields that all answers have. */
export interface Answer {
	meta: Meta | RagToolMeta;
	items: unknown[];
}
