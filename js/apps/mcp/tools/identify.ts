import type { IdentifyAnswer } from "../answers.js";
import type { IdentifyArguments } from "../arguments.js";
import { pathFromRoot } from "../file-path.js";
import { fitWhole } from "../fit.js";
import { READS, type Tool, unplanned } from "../tool.js";

export const identify: Tool<IdentifyArguments, IdentifyAnswer> = {
	name: "rag_identify",
	title: "Name the symbol at a line",
	description:
		"Says which functions, classes and methods enclose a line of a Python, JavaScript or TypeScript file as it is now, innermost first, with their ids and lines. Use it to turn a place (of a stack trace, a diff, a search) into a symbol for rag_where_used, rag_lineage or rag_locate. No items means that the line is outside of any definition.",
	annotations: READS,
	async ask({ nav, path }, { file, line, stale_policy }, call) {
		const inside = pathFromRoot(path, file);
		const result = await nav.identify(inside, line, {
			stale_policy,
			...call(),
		});
		const { meta, items } = result;
		return fitWhole({
			meta: unplanned(meta),
			items,
			truncated: false,
			total: meta.status === "ERROR" ? null : items.length,
		});
	},
	failed: (meta) => ({ meta, items: [], truncated: false, total: null }),
};
