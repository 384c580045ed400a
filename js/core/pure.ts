import type {
	Enrichment,
	ErrorOptions,
	FallbackOptions,
	Glue,
	IndexStatus,
	LineMatch,
	LocatorOptions,
	MatchOptions,
	OkOptions,
	RagResult,
	RouteDecision,
	Snippet,
	SymbolId,
	SymbolLocation,
	TextEdit,
} from "../generated/glue.js";
import { fromCore, panicMessage, RagnavError } from "./errors.js";
import { loadGrammarNow } from "./grammars.js";
import { checkNumber } from "./number-options.js";
import { dropPure, pureHolder } from "./wasm-module.js";

/**
 * Builds an authoritative answer: `OK`, by default `RAG_GRAPH` and `FRESH`. The items stay as they
 * are.
 *
 * @example
 * ```js
 * import { okResult } from "ragnav";
 *
 * const { meta, items } = okResult([{ file: "a.py" }]);
 * console.log(meta.status, meta.freshness_state, items.length); // OK FRESH 1
 * ```
 */
export function okResult<T>(
	items: readonly T[],
	options?: OkOptions | null,
): RagResult<T> {
	return { meta: call((core) => core.okMeta(options)), items: [...items] };
}

/**
 * Builds an answer from the live repository: `FALLBACK`, `LOCAL_FALLBACK`, by default `STALE`.
 *
 * @example
 * ```js
 * import { fallbackResult } from "ragnav";
 *
 * const { meta } = fallbackResult([], { freshness_state: "UNKNOWN" });
 * console.log(meta.status, meta.freshness_state); // FALLBACK UNKNOWN
 * ```
 */
export function fallbackResult<T>(
	items: readonly T[],
	options?: FallbackOptions | null,
): RagResult<T> {
	return {
		meta: call((core) => core.fallbackMeta(options)),
		items: [...items],
	};
}

/**
 * Builds a failed answer: `ERROR`, `NONE`, no items, by default `UNKNOWN`.
 *
 * @example
 * ```js
 * import { errorResult } from "ragnav";
 *
 * const { meta } = errorResult({ error_code: "TIMEOUT", message: "no answer after 5 s" });
 * console.log(meta.status, meta.error_code, meta.message); // ERROR TIMEOUT no answer after 5 s
 * ```
 */
export function errorResult(options: ErrorOptions): RagResult<never> {
	return { meta: call((core) => core.errorMeta(options)), items: [] };
}

/**
 * Decides whether an index may be used, from its status and the commit that is checked out.
 *
 * Never throws. A status of the wrong shape is `STATUS_UNREADABLE`. A head that is not a full
 * object id counts as absent.
 *
 * @example
 * ```js
 * import { decideRoute } from "ragnav";
 *
 * const head = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
 * console.log(decideRoute(null, head).reason); // NO_STATUS
 * ```
 */
export function decideRoute(
	status: Partial<IndexStatus> | null | undefined,
	head: string | null | undefined,
): RouteDecision {
	return call((core) => core.decideRoute(status, head));
}

/**
 * Parses the text of a status file; returns `null` for any other text. `repo` replaces a missing
 * `repo` key.
 *
 * @example
 * ```js
 * import { parseIndexStatus } from "ragnav";
 *
 * console.log(parseIndexStatus("not a status")); // null
 * const text = '{"index_state":"fresh","last_indexed_at":"2024-01-31T12:00:00Z"}';
 * console.log(parseIndexStatus(text, { repo: "/src/shop" })?.repo); // /src/shop
 * ```
 */
export function parseIndexStatus(
	text: string | null | undefined,
	options?: { repo?: string | null } | null,
): IndexStatus | null {
	return call((core) => core.parseIndexStatus(text, options?.repo));
}

/**
 * Returns the id of the innermost definition that encloses a line; `null` at module level. Lines
 * count from 1.
 *
 * @example
 * ```js
 * import { identifySymbolAtLine } from "ragnav";
 *
 * const source = "class Auth:\n    def login(self):\n        pass\n";
 * console.log(identifySymbolAtLine(source, 3, { path: "src/auth.py" })); // sym:src.auth.Auth.login
 * ```
 */
export function identifySymbolAtLine(
	source: string,
	line: number,
	options?: LocatorOptions | null,
): SymbolId | null {
	return call((core) => core.identifySymbolAtLine(source, line, options));
}

/**
 * Finds a symbol in a text; returns `null` if the text does not define it.
 *
 * @example
 * ```js
 * import { locateSymbol } from "ragnav";
 *
 * const source = "# moved\n\ndef login():\n    pass\n";
 * console.log(locateSymbol(source, "sym:auth.login", { path: "auth.py" }).start_line); // 3
 * ```
 */
export function locateSymbol(
	source: string,
	symbol: SymbolId,
	options?: LocatorOptions | null,
): SymbolLocation | null {
	return call((core) => core.locateSymbol(source, symbol, options));
}

/**
 * Finds the lines of a text that match, each once, in order.
 *
 * @example
 * ```js
 * import { iterMatches } from "ragnav";
 *
 * const [match] = iterMatches("one\ntwo\n", "tw");
 * console.log(match.line, match.text); // 2 two
 * ```
 */
export function iterMatches(
	text: string,
	needle: string,
	options?: MatchOptions | null,
): LineMatch[] {
	return call((core) => core.iterMatches(text, needle, options));
}

/**
 * Returns a line of a text with two lines of context on either side. Lines count from 1.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for a line that the text does not have.
 *
 * @example
 * ```js
 * import { makeSnippet } from "ragnav";
 *
 * const snippet = makeSnippet("1\n2\n3\n4\n5\n6\n", 3, "numbers.txt");
 * console.log(JSON.stringify(snippet.text)); // "1\n2\n3\n4\n5"
 * ```
 */
export function makeSnippet(text: string, line: number, path = ""): Snippet {
	checkNumber("line", line);
	return call((core) => core.makeSnippet(text, line, path));
}

/**
 * Returns the bytes of a file with the edits of a plan, such as that of
 * {@link Navigator.renamePlan}. Line breaks and a byte order mark stay.
 *
 * @param hash The `hash` of the file in the plan. It is `null` for a file that the plan creates,
 * whose bytes are none.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` if the file has changed since the plan was made, if it is
 * not in UTF-8, and if edits overlap.
 *
 * @example
 * ```js
 * import { editBytes, open } from "ragnav";
 * import { memoryHost } from "ragnav/hosts/memory";
 *
 * const text = "def total(): return 1\nprint(total())\n";
 * const nav = await open(memoryHost({ "a.py": text }));
 * const { items, files } = await nav.renamePlan("total", "price");
 * const bytes = editBytes(new TextEncoder().encode(text), files[0].hash, items);
 * const [first] = new TextDecoder().decode(bytes).split("\n");
 * console.log(first); // def price(): return 1
 * nav.close();
 * ```
 */
export function editBytes(
	bytes: Uint8Array,
	hash: string | null,
	edits: readonly TextEdit[],
): Uint8Array {
	return call((core) => core.editBytes(bytes, hash, [...edits]));
}

/**
 * Adds the enrichment of a graph to rows, by the symbol that encloses each row's line in the
 * current text. Returns new rows.
 *
 * `sources` has the current text of each row's file; the enrichment of other rows is `null`.
 * `graph` is the text of a `rag_graph.json` in any shape, or its parsed value.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` if `graph` is not a graph, and for paths that leave the
 * repository.
 *
 * @example
 * ```js
 * import { attachEnrichment } from "ragnav";
 *
 * const sources = { "auth.py": "def login():\n    return 1\n" };
 * const graph = { nodes: [{ id: "sym:auth.login", summary: "Logs a user in." }] };
 * const [row] = attachEnrichment([{ file: "auth.py", line: 2 }], sources, graph);
 * console.log(row.enrichment.summary); // Logs a user in.
 * ```
 */
export function attachEnrichment<T extends { file: string; line: number }>(
	items: readonly T[],
	sources: Readonly<Record<string, string>> | ReadonlyMap<string, string>,
	graph: string | object,
): (T & { enrichment: Enrichment | null })[] {
	const texts =
		sources instanceof Map ? sources : new Map(Object.entries(sources));
	const byFile = new Map<string, T[]>();
	for (const item of items) {
		const rows = byFile.get(item.file) ?? [];
		byFile.set(item.file, rows);
		rows.push(item);
	}
	const files = [...byFile].flatMap(([file, rows]) => {
		const text = texts.get(file);
		return text === undefined
			? []
			: [{ file, text, rows, lines: rows.map((row) => row.line) }];
	});
	const text = typeof graph === "string" ? graph : JSON.stringify(graph);
	const enrichments = call((core) => core.enrichments(files, text));
	const byItem = new Map<T, Enrichment | null>();
	for (const [index, { rows }] of files.entries()) {
		for (const [row, item] of rows.entries()) {
			byItem.set(item, enrichments[index]?.[row] ?? null);
		}
	}
	return items.map((item) => ({
		...item,
		enrichment: byItem.get(item) ?? null,
	}));
}

/**
 * Calls the core, and throws its errors as {@link RagnavError}. If the core lacked a grammar, it is
 * loaded and the core is called again.
 */
function call<T>(work: (core: Glue) => T): T {
	const holder = pureHolder();
	for (;;) {
		const result = attempt(() => work(holder.glue));
		const missing = holder.glue.takeMissingGrammars();
		if (missing.length === 0) return result;
		for (const language of missing) loadGrammarNow(holder, language);
	}
}

function attempt<T>(work: () => T): T {
	try {
		return work();
	} catch (thrown) {
		const misuse = fromCore(thrown);
		if (misuse !== undefined) {
			throw misuse;
		}
		dropPure();
		throw new RagnavError("INTERNAL_PANIC", panicMessage(thrown));
	}
}
