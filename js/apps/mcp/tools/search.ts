import type { SearchAnswer } from "../answers.js";
import type { SearchArguments } from "../arguments.js";
import { emptyPage } from "../empty-page.js";
import { fitPage } from "../fit.js";
import { READS, type Tool, textOf, unplanned } from "../tool.js";

const DEFAULT_LIMIT = 20;

export const search: Tool<SearchArguments, SearchAnswer> = {
	name: "rag_search",
	title: "Search the code",
	description:
		'Finds a text, a regular expression or, with mode "ranked", what fits some words or names best, in every file of the repository that is not ignored. Each row has its file, line, the lines around it and the symbol that encloses it. Use it where you would use grep, and with mode "ranked" where you do not know how something is spelled. Files that changed since the index was built are read live, so that rows are right without a build; meta and each row say what they rest on.',
	annotations: READS,
	async ask({ nav }, given, call) {
		return fitPage(given.limit ?? DEFAULT_LIMIT, async (limit) => {
			const result = await nav.search(given.query, {
				mode: given.mode,
				case_sensitive: given.case_sensitive,
				include: given.include,
				exclude: given.exclude,
				cursor: given.cursor,
				stale_policy: given.stale_policy,
				limit,
				...call(),
			});
			return { ...result, meta: unplanned(result.meta) };
		});
	},
	failed: (meta, { query }) => ({
		...emptyPage(meta),
		query: textOf(query),
	}),
};
