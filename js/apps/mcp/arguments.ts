import type { PassageKind, StalePolicy } from "../../generated/glue.js";

// The schemas that models read are made of these types: their comments are written for them.

/** What every tool takes. */
export interface CommonArguments {
	/** Which repository, by name or path. */
	root?: string;
	/**
	 * Milliseconds until the answer is an ERROR with the code TIMEOUT.
	 *
	 * @asType integer
	 * @minimum 1
	 */
	timeout_ms?: number;
}

/** What tools take that answer from an index or from the live files. */
export interface PolicyArguments extends CommonArguments {
	/** What the answer may come from. */
	stale_policy?: StalePolicy;
}

export interface StatusArguments extends CommonArguments {
	/**
	 * Whether unchanged files are listed too.
	 *
	 * @default false
	 */
	include_unchanged?: boolean;
	/**
	 * Files at most.
	 *
	 * @asType integer
	 * @minimum 1
	 * @maximum 10000
	 * @default 50
	 */
	limit?: number;
}

export interface BuildGraphArguments extends CommonArguments {
	/**
	 * Whether to write nothing and only say what would change.
	 *
	 * @default false
	 */
	check?: boolean;
	/**
	 * Whether to fill the store that rag_ask answers from.
	 *
	 * @default true
	 */
	documents?: boolean;
	/**
	 * Changed files at most.
	 *
	 * @asType integer
	 * @minimum 1
	 * @maximum 10000
	 * @default 50
	 */
	limit?: number;
}

export interface AskArguments extends PolicyArguments {
	/**
	 * The question, in words. Conditions are understood: field:value, #tag, [[link]], quoted phrases, "in folder X", "level 2", languages, file extensions, dates such as "last week".
	 *
	 * @minLength 1
	 */
	question: string;
	/**
	 * Only passages of one kind. Default: all kinds.
	 */
	only?: PassageKind;
	/**
	 * Passages at most. Default: of 20 that are searched for by meaning, or of 100 that are listed.
	 *
	 * @asType integer
	 * @minimum 1
	 * @maximum 1000
	 */
	limit?: number;
	/**
	 * Tokens of text at most.
	 *
	 * @asType integer
	 * @minimum 1
	 * @maximum 8000
	 * @default 5000
	 */
	token_budget?: number;
	/**
	 * Whether files rank higher if commits change them often, and have changed them lately.
	 *
	 * @default false
	 */
	history?: boolean;
	/**
	 * Whether the server's language model orders the first 20 passages.
	 *
	 * @default false
	 */
	rerank?: boolean;
}
