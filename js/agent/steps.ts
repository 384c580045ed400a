import { fromCore } from "../core/errors.js";
import { checkNumbers } from "../core/number-options.js";
import type { PlanningOptions } from "../core/planning.js";
import { dropPure, pure } from "../core/wasm-module.js";
import type {
	ContextPackage,
	Filter,
	GetResults,
	Hit,
	MeasureOptions,
	MetadataPackage,
	Packaged,
	PackageOptions,
	WhereFilter,
} from "../generated/glue.js";

/**
 * Translates the filters of a plan to a `where` of Chroma, and returns those that it cannot
 * express. With a catalogue the types of its fields decide.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for invalid filters.
 *
 * @example
 * ```js
 * import { buildWhereFilter } from "ragnav/agent";
 *
 * const filters = [
 *   { field: "level", operator: "lte", value: 2 },
 *   { field: "title", operator: "like", value: "%keys%" },
 * ];
 * const { where, rest } = buildWhereFilter(filters);
 * console.log(JSON.stringify(where), rest.length); // {"level":{"$lte":2}} 1
 * ```
 */
export function buildWhereFilter(
	filters: Filter[],
	options?: Pick<PlanningOptions, "catalogue"> | null,
): WhereFilter {
	const { catalogue } = options ?? {};
	return step((core) =>
		core.buildWhereFilter(filters, { catalogue: catalogue ?? null }),
	);
}

/**
 * Reports whether metadata meets a `where` of Chroma. Nothing meets a filter that Chroma refuses.
 *
 * @example
 * ```js
 * import { meetsWhere } from "ragnav/agent";
 *
 * console.log(meetsWhere({ level: { $lte: 2 } }, { level: 1 })); // true
 * ```
 */
export function meetsWhere(
	where: Record<string, unknown>,
	metadata: Record<string, unknown>,
): boolean {
	return step((core) => core.meetsWhere(where, metadata));
}

/**
 * Converts the columns that a Chroma collection returns for `get` or for one query to hits.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for columns of different lengths.
 *
 * @example
 * ```js
 * import { normalizeGetResults } from "ragnav/agent";
 *
 * const [hit] = normalizeGetResults({ ids: ["1"], documents: ["Keys rotate every hour."] });
 * console.log(hit.id, hit.document); // 1 Keys rotate every hour.
 * ```
 */
export function normalizeGetResults(
	results: GetResults,
	options?: MeasureOptions | null,
): Hit[] {
	return step((core) => core.normalizeGetResults(results, options));
}

/**
 * Keeps the first hit of each file, in order, and every hit that belongs to no file.
 *
 * @example
 * ```js
 * import { deduplicateByFile } from "ragnav/agent";
 *
 * const hits = [
 *   { id: "1", file_path: "a.md" },
 *   { id: "2", file_path: "a.md" },
 * ];
 * console.log(deduplicateByFile(hits).map(({ id }) => id).join()); // 1
 * ```
 */
export function deduplicateByFile(hits: Hit[]): Hit[] {
	return step((core) => core.deduplicateByFile(hits));
}

/**
 * Packages the metadata of documents, within a budget.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for an invalid budget.
 *
 * @example
 * ```js
 * import { packageMetadataOnly } from "ragnav/agent";
 *
 * const { results, truncated } = packageMetadataOnly([{ id: "1", metadata: { title: "Keys" } }]);
 * console.log(results[0].title, truncated); // Keys false
 * ```
 */
export function packageMetadataOnly(
	hits: Hit[],
	options?: PackageOptions | null,
): Packaged<MetadataPackage> {
	checkNumbers(options ?? {});
	return step((core) => core.packageMetadataOnly(hits, options));
}

/**
 * Packages documents with their text, within a budget.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for an invalid budget.
 *
 * @example
 * ```js
 * import { packageSelectiveContext } from "ragnav/agent";
 *
 * const hits = [{ id: "1", document: "Keys rotate every hour." }];
 * const { results } = packageSelectiveContext(hits, { token_budget: 100 });
 * console.log(results[0].content); // Keys rotate every hour.
 * ```
 */
export function packageSelectiveContext(
	hits: Hit[],
	options?: PackageOptions | null,
): Packaged<ContextPackage> {
	checkNumbers(options ?? {});
	return step((core) => core.packageSelectiveContext(hits, options));
}

/** Calls the core, and throws the core's own errors as {@link RagnavError}. */
export function step<T>(ask: (core: ReturnType<typeof pure>) => T): T {
	try {
		return ask(pure());
	} catch (thrown) {
		const known = fromCore(thrown);
		if (known === undefined) dropPure();
		throw known ?? thrown;
	}
}
