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
} from "../generated/glue.js";
import { fromCore, messageOf, RagnavError } from "./errors.js";
import { dropPure, pure } from "./wasm-module.js";

/** An authoritative answer: `OK`, by default `RAG_GRAPH` and `FRESH`. The items are left untouched. */
export function okResult<T>(
	items: readonly T[],
	options?: OkOptions | null,
): RagResult<T> {
	return { meta: call((core) => core.okMeta(options)), items: [...items] };
}

/** An answer from the live repository: `FALLBACK`, `LOCAL_FALLBACK`, by default `STALE`. */
export function fallbackResult<T>(
	items: readonly T[],
	options?: FallbackOptions | null,
): RagResult<T> {
	return {
		meta: call((core) => core.fallbackMeta(options)),
		items: [...items],
	};
}

/** A failure: `ERROR`, `NONE`, no items, by default `UNKNOWN`. */
export function errorResult(options: ErrorOptions): RagResult<never> {
	return { meta: call((core) => core.errorMeta(options)), items: [] };
}

/**
 * Whether an index may be used, from its status and the commit that is checked out.
 *
 * Never throws: a status of the wrong shape is `STATUS_UNREADABLE`; a head that is no full object id is none.
 */
export function decideRoute(
	status: Partial<IndexStatus> | null | undefined,
	head: string | null | undefined,
): RouteDecision {
	return call((core) => core.decideRoute(status, head));
}

/** Parses the text of a status file; `null` for what is none. `repo` fills in a missing `repo` key. */
export function parseIndexStatus(
	text: string | null | undefined,
	options?: { repo?: string | null } | null,
): IndexStatus | null {
	return call((core) => core.parseIndexStatus(text, options?.repo));
}

/** The id of the innermost definition that encloses a line (1-based), `null` at module level. */
export function identifySymbolAtLine(
	source: string,
	line: number,
	options?: LocatorOptions | null,
): SymbolId | null {
	return call((core) => core.identifySymbolAtLine(source, line, options));
}

/** Where a symbol stands in a text as it is now, `null` where it does not. */
export function locateSymbol(
	source: string,
	symbol: SymbolId,
	options?: LocatorOptions | null,
): SymbolLocation | null {
	return call((core) => core.locateSymbol(source, symbol, options));
}

/** The lines of a text that match, each once, in order. */
export function iterMatches(
	text: string,
	needle: string,
	options?: MatchOptions | null,
): LineMatch[] {
	return call((core) => core.iterMatches(text, needle, options));
}

/** The lines from two before to two after a line (1-based) of a text. */
export function makeSnippet(text: string, line: number, path = ""): Snippet {
	return call((core) => core.makeSnippet(text, line, path));
}

/**
 * Joins the enrichment of a graph to rows, by the symbol that encloses each row's line in the
 * current text.
 *
 * `sources` holds the current text of each row's file; a row without it gets `null`. `graph` is the text of a `rag_graph.json` in any
 * shape, or what parsing it gave. The rows themselves are not changed.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for what is no graph and for paths that leave the repository.
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
	const found = call((core) => core.enrichments(files, text));
	const known = new Map<T, Enrichment | null>();
	for (const [index, { rows }] of files.entries()) {
		for (const [row, item] of rows.entries()) {
			known.set(item, found[index]?.[row] ?? null);
		}
	}
	return items.map((item) => ({
		...item,
		enrichment: known.get(item) ?? null,
	}));
}

function call<T>(question: (core: Glue) => T): T {
	const core = pure();
	try {
		return question(core);
	} catch (thrown) {
		const known = fromCore(thrown);
		if (known !== undefined) {
			throw known;
		}
		dropPure();
		throw new RagnavError(
			"INTERNAL_PANIC",
			`the core stopped on a defect (${messageOf(thrown)})`,
		);
	}
}
