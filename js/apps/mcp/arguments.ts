import type { PassageKind, StalePolicy } from "../../generated/glue.js";

// The build generates the schemas that models read from these types and their comments.

/** The arguments of every tool. */
export interface CommonArguments {
	/** The repository, by name or path. */
	root?: string;
	/**
	 * Milliseconds until the answer is an ERROR with the code TIMEOUT.
	 *
	 * @asType integer
	 * @minimum 1
	 */
	timeout_ms?: number;
}

/** The arguments of tools that answer from the index or from the live files. */
export interface PolicyArguments extends CommonArguments {
	/** The sources that the answer may use. */
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
	 * The maximum number of files.
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
	 * Whether to write nothing and only list what would change.
	 *
	 * @default false
	 */
	check?: boolean;
	/**
	 * Whether to store documents for questions in words.
	 *
	 * @default true
	 */
	documents?: boolean;
	/**
	 * The maximum number of changed files.
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
	 * The question, in words. It may have conditions: field:value, #tag, [[link]], quoted phrases,
	 * "in folder X", "level 2", languages, file extensions, dates such as "last week".
	 *
	 * @minLength 1
	 */
	question: string;
	/** Only passages of one kind. Default: all kinds. */
	only?: PassageKind;
	/**
	 * The maximum number of passages. Default: 20 for a search by meaning, 100 for a list.
	 *
	 * @asType integer
	 * @minimum 1
	 * @maximum 1000
	 */
	limit?: number;
	/**
	 * Maximum tokens of text.
	 *
	 * @asType integer
	 * @minimum 1
	 * @maximum 8000
	 * @default 5000
	 */
	token_budget?: number;
	/**
	 * Whether files rank higher if commits changed them often and lately.
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
