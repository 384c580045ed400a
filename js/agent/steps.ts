import { fromCore } from "../core/errors.js";
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
 * The filters of a plan as a `where` of Chroma, and what of them it cannot say (seed `micro-agent`, `_build_where_filter`). With a catalogue
 * the fields' types decide.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for filters that make no sense.
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

/** Whether metadata meets a `where` as Chroma reads it; what Chroma would refuse is met by nothing. */
export function meetsWhere(
	where: Record<string, unknown>,
	metadata: Record<string, unknown>,
): boolean {
	return step((core) => core.meetsWhere(where, metadata));
}

/**
 * Brings what a collection of Chroma gives to `get`, or to one query, into one shape (seed `micro-agent`, `_normalize_get_results`).
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for columns that do not fit each other.
 */
export function normalizeGetResults(
	results: GetResults,
	options?: MeasureOptions | null,
): Hit[] {
	return step((core) => core.normalizeGetResults(results, options));
}

/** The first of each file, in their order; those of no file stay (seed `micro-agent`, `_deduplicate_query_sections`). */
export function deduplicateByFile(hits: Hit[]): Hit[] {
	return step((core) => core.deduplicateByFile(hits));
}

/** Which documents there are, within a budget (seed `micro-agent`, `_package_metadata_only`). */
export function packageMetadataOnly(
	hits: Hit[],
	options?: PackageOptions | null,
): Packaged<MetadataPackage> {
	return step((core) => core.packageMetadataOnly(hits, options));
}

/** Documents with their text, within a budget (seed `micro-agent`, `_package_selective_context`). */
export function packageSelectiveContext(
	hits: Hit[],
	options?: PackageOptions | null,
): Packaged<ContextPackage> {
	return step((core) => core.packageSelectiveContext(hits, options));
}

/** Asks the core; its own errors are thrown as {@link RagnavError}. */
export function step<T>(ask: (core: ReturnType<typeof pure>) => T): T {
	try {
		return ask(pure());
	} catch (thrown) {
		const known = fromCore(thrown);
		if (known === undefined) dropPure();
		throw known ?? thrown;
	}
}
