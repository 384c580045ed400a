import type { FilesAnswer } from "../answers.js";
import type { FilesArguments } from "../arguments.js";
import { emptyPage } from "../empty-page.js";
import { fitPage } from "../fit.js";
import { READS, type Tool, unplanned } from "../tool.js";

const DEFAULT_LIMIT = 100;

export const files: Tool<FilesArguments, FilesAnswer> = {
	name: "rag_files",
	title: "List the files",
	description:
		"Lists the files of the repository that the ignore rules admit, by path, with the language that each is parsed as, and the files and folders that every query leaves out, with the reason (skipped). Use it with include to see what a folder holds, or to learn why rag_search finds nothing in a file.",
	annotations: READS,
	async ask({ nav }, given, call) {
		return fitPage(given.limit ?? DEFAULT_LIMIT, async (limit) => {
			const result = await nav.files({
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
	failed: (meta) => emptyPage(meta),
};
