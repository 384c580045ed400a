import type { Answer } from "./answers.js";

/** What says how far a row may be trusted. */
const PROVENANCE = ["source", "freshness_state", "proof"] as const;

/** Are in the answer of `rag_status` alone. */
const ABOUT_INDEX: ReadonlySet<string> = new Set(["index_status", "head"]);

/** Repeat what `meta` says. */
const REPEATED: ReadonlySet<string> = new Set(["source", "freshness_state"]);

type Fields = Record<string, unknown>;

/** An answer with what is not as usual. */
export interface SparseAnswer extends Fields {
	meta: Fields;
	items: unknown[];
}

/**
 * Returns an answer without what is absent or as usual: `null`, `false`, empty lists other than
 * `items`, the ordinal 0, the place of a snippet of one line. The provenance that most rows share
 * is in `meta.rows`, and rows have only what differs from it.
 */
export function sparse(answer: Answer, keepsIndex: boolean): SparseAnswer {
	const { meta, items, ...head } = answer as Answer & Fields;
	const rows = commonProvenance(items);
	const said = Object.entries(meta).filter(
		([key]) => keepsIndex || !ABOUT_INDEX.has(key),
	);
	const others = Object.entries(head).filter(([key]) => !REPEATED.has(key));
	const kept = others.map(([key, value]) => {
		const list = key === "roots" && !keepsIndex ? failedOf(value) : value;
		return [key, sparseList(list, rows)];
	});
	return {
		meta: withoutDefaults({
			...Object.fromEntries(said),
			...(rows && { rows }),
		}),
		...withoutDefaults(Object.fromEntries(kept)),
		items: items.map((item) => sparseRow(item, rows)),
	};
}

/** Returns the provenance that most rows have; `undefined` if rows have none. */
function commonProvenance(items: readonly unknown[]): Fields | undefined {
	const counts = new Map<string, number>();
	for (const item of items) {
		if (!isFields(item) || item.proof === undefined) continue;
		const key = JSON.stringify(PROVENANCE.map((name) => [name, item[name]]));
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	const [most] = [...counts].sort(([, a], [, b]) => b - a);
	return most && Object.fromEntries(JSON.parse(most[0]));
}

/** Returns the repositories that are not a part of the answer. */
function failedOf(roots: unknown): unknown {
	if (!Array.isArray(roots)) return roots;
	return roots.filter((root) => isFields(root) && root.error_code !== null);
}

function sparseList(value: unknown, rows: Fields | undefined): unknown {
	if (!Array.isArray(value)) return value;
	return value.map((item) => sparseRow(item, rows));
}

function sparseRow(item: unknown, rows: Fields | undefined): unknown {
	if (!isFields(item)) return item;
	const own = Object.entries(item).filter(
		([key, value]) => rows?.[key] !== value || !isProvenance(key),
	);
	const row = Object.fromEntries(own);
	if (row.ordinal === 0) delete row.ordinal;
	// The path begins with it.
	delete row.root;
	if (isFields(row.snippet)) row.snippet = sparseSnippet(row.snippet, item);
	if ("children" in row) row.children = sparseList(row.children, rows);
	return withoutDefaults(row);
}

/** Returns the snippet without its place, if that is the line of the row. */
function sparseSnippet(snippet: Fields, { file, line }: Fields): Fields {
	const { location, ...rest } = snippet;
	const { path, start_line, end_line } = location as Fields;
	const isLine = path === file && start_line === line && end_line === line;
	return isLine ? rest : snippet;
}

function isProvenance(key: string): boolean {
	return (PROVENANCE as readonly string[]).includes(key);
}

function withoutDefaults(fields: Fields): Fields {
	const entries = Object.entries(fields).filter(
		([, value]) => value !== null && value !== false && !isEmpty(value),
	);
	return Object.fromEntries(
		entries.map(([key, value]) => [key, withoutNulls(value)]),
	);
}

function withoutNulls(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutNulls);
	if (!isFields(value)) return value;
	const entries = Object.entries(value).filter(([, part]) => part !== null);
	return Object.fromEntries(
		entries.map(([key, part]) => [key, withoutNulls(part)]),
	);
}

function isEmpty(value: unknown): boolean {
	return Array.isArray(value) && value.length === 0;
}

function isFields(value: unknown): value is Fields {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
