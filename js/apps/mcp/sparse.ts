import type { Answer } from "./answers.js";

/** The fields that say where a row comes from and whether it is current. */
const PROVENANCE = ["source", "freshness_state", "proof"] as const;

/** The fields of `meta` that only `rag_status` has. */
const ABOUT_INDEX: ReadonlySet<string> = new Set(["index_status", "head"]);

/** The fields that repeat `meta`. */
const REPEATED: ReadonlySet<string> = new Set(["source", "freshness_state"]);

type Fields = Record<string, unknown>;

/** An answer without the fields that have their defaults. */
export interface SparseAnswer extends Fields {
	meta: Fields;
	items: unknown[];
}

/**
 * Returns an answer without defaults: `null`, `false`, empty lists other than `items`, the ordinal
 * 0, and the location of a snippet of one line. `meta.rows` has the provenance that most rows
 * share; a row has only the fields that differ.
 */
export function sparse(answer: Answer, keepsIndex: boolean): SparseAnswer {
	const { meta, items, ...head } = answer as Answer & Fields;
	const rows = commonProvenance(items);
	const own = Object.entries(meta).filter(
		([key]) => keepsIndex || !ABOUT_INDEX.has(key),
	);
	const others = Object.entries(head).filter(([key]) => !REPEATED.has(key));
	const kept = others.map(([key, value]) => {
		const list = key === "roots" && !keepsIndex ? failedOf(value) : value;
		return [key, sparseList(list, rows)];
	});
	return {
		meta: withoutDefaults({
			...Object.fromEntries(own),
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

/** Returns the repositories that failed, so that the answer lacks them. */
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
	// The path of the file begins with the name of its repository.
	delete row.root;
	if (isFields(row.snippet)) row.snippet = sparseSnippet(row.snippet, item);
	if ("children" in row) row.children = sparseList(row.children, rows);
	return withoutDefaults(row);
}

/** Returns the snippet without its location, if that is the line of the row. */
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
		([, value]) => value !== false && !isEmpty(value),
	);
	return withoutNulls(Object.fromEntries(entries));
}

/** Returns fields without those that are `null`, at any depth. */
export function withoutNulls(fields: Fields): Fields {
	const entries = Object.entries(fields).filter(([, value]) => value !== null);
	return Object.fromEntries(
		entries.map(([key, value]) => [key, withoutInnerNulls(value)]),
	);
}

function withoutInnerNulls(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutInnerNulls);
	return isFields(value) ? withoutNulls(value) : value;
}

function isEmpty(value: unknown): boolean {
	return Array.isArray(value) && value.length === 0;
}

function isFields(value: unknown): value is Fields {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
