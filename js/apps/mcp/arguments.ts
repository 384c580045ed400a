import type { SearchMode, StalePolicy } from "../../generated/glue.js";

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

export interface SearchArguments extends PolicyArguments {
	/**
	 * What to look for: the text itself, a regular expression, or words and names to rank by, as `mode` says.
	 *
	 * @minLength 1
	 */
	query: string;
	/**
	 * "literal": lines that contain exactly this text. "regex": lines that match this regular expression (Rust syntax, no look-around). "ranked": definitions and passages
	 * that fit the words and names best, best first; case never counts.
	 *
	 * @default "literal"
	 */
	mode?: SearchMode;
	/** Whether case counts. Default: true; with the mode "ranked" it never does, and true is refused. */
	case_sensitive?: boolean;
	/** Only files that one of these globs fits, in gitignore's syntax, for example ["*.py", "src/**"]. Default: all files. */
	include?: string[];
	/** No files that one of these globs fits, in gitignore's syntax. Default: none. */
	exclude?: string[];
	/**
	 * Rows of a page. Fewer are given where they would not fit under 10,000 tokens; `cursor` then leads to the rest.
	 *
	 * @asType integer
	 * @minimum 1
	 * @maximum 10000
	 * @default 20
	 */
	limit?: number;
	/** The `cursor` of the page before, as it is, with the same query and options. Default: the first page. */
	cursor?: string;
}

export interface WhereUsedArguments extends PolicyArguments {
	/**
	 * The symbol: a full id (sym:src.auth.Auth.login), a dotted suffix (Auth.login) or a bare name (login).
	 *
	 * @minLength 1
	 */
	symbol: string;
	/**
	 * "resolved": only references that scopes and imports lead to the symbol. "all": also candidates, which only have its name.
	 *
	 * @default "all"
	 */
	confidence?: "resolved" | "all";
	/**
	 * Rows of a page. Fewer are given where they would not fit under 10,000 tokens; `cursor` then leads to the rest.
	 *
	 * @asType integer
	 * @minimum 1
	 * @maximum 10000
	 * @default 50
	 */
	limit?: number;
	/** The `cursor` of the page before, as it is, with the same symbol and options. Default: the first page. */
	cursor?: string;
}

export interface LineageArguments extends PolicyArguments {
	/**
	 * The symbol: a full id (sym:src.auth.Auth.login), a dotted suffix (Auth.login) or a bare name (login).
	 *
	 * @minLength 1
	 */
	symbol: string;
	/**
	 * "upstream" (the same as "callers"): callers, subclasses and importers. "downstream" (the same as "callees"): what it calls, inherits from and imports.
	 *
	 * @default "upstream"
	 */
	direction?: "upstream" | "downstream" | "callers" | "callees";
	/**
	 * How many steps are taken.
	 *
	 * @asType integer
	 * @minimum 1
	 * @maximum 32
	 * @default 1
	 */
	depth?: number;
	/**
	 * Rows of a page. Fewer are given where they would not fit under 10,000 tokens; `cursor` then leads to the rest.
	 *
	 * @asType integer
	 * @minimum 1
	 * @maximum 10000
	 * @default 50
	 */
	limit?: number;
	/** The `cursor` of the page before, as it is, with the same symbol and options. Default: the first page. */
	cursor?: string;
}

export interface LocateArguments extends PolicyArguments {
	/**
	 * The symbol: a full id (sym:src.auth.Auth.login), a dotted suffix (Auth.login) or a bare name (login).
	 *
	 * @minLength 1
	 */
	symbol: string;
	/**
	 * Definitions at most. Fewer are given where they would not fit under 10,000 tokens.
	 *
	 * @asType integer
	 * @minimum 1
	 * @maximum 10000
	 * @default 50
	 */
	limit?: number;
}

export interface IdentifyArguments extends PolicyArguments {
	/**
	 * The file: its path from the repository's root, with "/", or an absolute path inside it.
	 *
	 * @minLength 1
	 */
	file: string;
	/**
	 * The line, the first one being 1.
	 *
	 * @asType integer
	 * @minimum 1
	 */
	line: number;
}

export interface OutlineArguments extends PolicyArguments {
	/**
	 * The file: its path from the repository's root, with "/", or an absolute path inside it.
	 *
	 * @minLength 1
	 */
	file: string;
}

export interface FilesArguments extends PolicyArguments {
	/** Only files that match one of these globs, in gitignore's syntax, for example ["*.py", "src/**"]. Default: all files. */
	include?: string[];
	/** No files that match one of these globs, in gitignore's syntax. Default: none. */
	exclude?: string[];
	/**
	 * Rows of a page. Fewer are given where they would not fit under 10,000 tokens; `cursor` then leads to the rest.
	 *
	 * @asType integer
	 * @minimum 1
	 * @maximum 10000
	 * @default 100
	 */
	limit?: number;
	/** The `cursor` of the page before, as it is, with the same globs. Default: the first page. */
	cursor?: string;
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
}
