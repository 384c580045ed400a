import type { RagToolMeta } from "../../generated/glue.js";

/** Returns the page of a failed query: no rows. */
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
