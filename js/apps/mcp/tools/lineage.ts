import type { LineageAnswer } from "../answers.js";
import type { LineageArguments } from "../arguments.js";
import { emptyPage } from "../empty-page.js";
import { fitPage } from "../fit.js";
import { READS, type Tool, textOf, unplanned } from "../tool.js";

const DEFAULT_LIMIT = 50;

export const lineage: Tool<LineageArguments, LineageAnswer> = {
	name: "rag_lineage",
	title: "Follow callers or callees",
	description:
		"Follows a symbol of Python, JavaScript or TypeScript over several steps: upstream to its callers, subclasses and importers, downstream to what it calls, inherits from and imports. Each row is the place of one step, with its depth and, in via, the symbols on the way. Use it to learn what a change may affect (upstream) or how something works (downstream); for the direct uses alone rag_where_used says more.",
	annotations: READS,
	async ask({ nav }, given, call) {
		const direction = given.direction ?? "upstream";
		return fitPage(given.limit ?? DEFAULT_LIMIT, async (limit) => {
			const result = await nav.lineage(given.symbol, direction, {
				depth: given.depth,
				cursor: given.cursor,
				stale_policy: given.stale_policy,
				limit,
				...call(),
			});
			return { ...result, meta: unplanned(result.meta) };
		});
	},
	failed: (meta, { symbol, direction }) => ({
		...emptyPage(meta),
		symbol: textOf(symbol),
		direction: isDownstream(direction) ? "downstream" : "upstream",
		definitions: [],
	}),
};

function isDownstream(direction: unknown): boolean {
	return direction === "downstream" || direction === "callees";
}
