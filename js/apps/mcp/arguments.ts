import type { PassageKind, StalePolicy } from "../../generated/glue.js";

// The schemas that models read are made of these types: their comments are written for them.

/** What every tool takes. */
export interface CommonArguments {
	/** Which repository, by name or path. */
	root?: string;
	/**
	 * Milliseconds after which the answer is an ERROR with the code TIMEOUT. Default: none, unless the server was started with one.
	 *
	 * @asType integer
	 * @minimum 1
	 */
	timeout_ms?: number;
}

/** What tools take that answer from an index or from the live files. */
export interface PolicyArguments extends CommonArguments {
	/**
	 * What may be answered from where the index is not proven to be current. "merge": the index for files that are proven unchanged, the live files
	 * for all others. "live": the live files alone, unless everything is proven. "error": refuse with STALE_INDEX. "allow": the index as it is, which may be out of date.
	 *
	 * @default "merge"
	 */
	stale_policy?: StalePolicy;
}

export interface StatusArguments extends CommonArguments {
	/**
	 * Whether files that are proven unchanged are listed too; they are always counted.
	 *
	 * @default false
	 */
	include_unchanged?: boolean;
	/**
	 * Files at most that are listed. Fewer are given where they would not fit under 10,000 tokens.
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
	/** Whether the store that rag_ask answers from is filled as well. Default: where it was filled before, so that it stays up to date. */
	documents?: boolean;
	/**
	 * Changed files at most that are listed; counts has all of them. Fewer are given where they would not fit under 10,000 tokens.
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
	 * Only passages of one kind. "code": code without tests. "docs": notes, README, change logs. "tests": tests. Default: all kinds.
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
	 * Tokens that the texts of the passages have together, one for four bytes.
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
	 * Whether the language model that the server was started with orders the first 20 passages. It is sent the beginning of each.
	 *
	 * @default false
	 */
	rerank?: boolean;
}
