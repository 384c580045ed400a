import type { RagToolMeta } from "../generated/glue.js";

/** The page of a question that failed: no rows, and what its meta says. */
export function emptyPage<
	M extends Pick<RagToolMeta, "source" | "freshness_state">,
>(meta: M) {
	return {
		meta,
		items: [],
		source: meta.source,
		freshness_state: meta.freshness_state,
		truncated: false,
		total: null,
		cursor: null,
		skipped: [],
	};
}
