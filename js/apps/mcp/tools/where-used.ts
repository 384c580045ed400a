import type { WhereUsedAnswer } from "../answers.js";
import type { WhereUsedArguments } from "../arguments.js";
import { emptyPage } from "../empty-page.js";
import { fitPage } from "../fit.js";
import { READS, type Tool, textOf, unplanned } from "../tool.js";

const DEFAULT_LIMIT = 50;

export const whereUsed: Tool<WhereUsedArguments, WhereUsedAnswer> = {
	name: "rag_where_used",
	title: "Find who uses a symbol",
	description:
		'Lists every reference to a function, class, method or type of Python, JavaScript or TypeScript: calls, imports, subclasses and mentions, followed through imports, aliases, instances and inheritance. Use it before you change or remove a symbol, in place of a text search for its name. resolution "resolved" is a reference that scopes and imports prove, "candidate" one that only has the name. All definitions that the symbol fits are answered for and listed in definitions; give a longer name to narrow that. No items and no definitions means that nothing defines it.',
	annotations: READS,
	async ask({ nav }, given, call) {
		return fitPage(given.limit ?? DEFAULT_LIMIT, async (limit) => {
			const result = await nav.whereUsed(given.symbol, {
				confidence: given.confidence,
				cursor: given.cursor,
				stale_policy: given.stale_policy,
				limit,
				...call(),
			});
			return { ...result, meta: unplanned(result.meta) };
		});
	},
	failed: (meta, { symbol }) => ({
		...emptyPage(meta),
		symbol: textOf(symbol),
		definitions: [],
	}),
};
