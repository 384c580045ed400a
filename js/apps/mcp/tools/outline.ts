import type { OutlineAnswer } from "../answers.js";
import type { OutlineArguments } from "../arguments.js";
import { pathFromRoot } from "../file-path.js";
import { fitWhole } from "../fit.js";
import { READS, type Tool, unplanned } from "../tool.js";

export const outline: Tool<OutlineArguments, OutlineAnswer> = {
	name: "rag_outline",
	title: "Outline a file",
	description:
		"Lists the definitions of a file as a tree: classes with their methods, functions with the functions inside them, each with its id, kind and lines as the file is now. Use it to learn what a file holds without reading it, before rag_where_used, rag_lineage or reading some of its lines.",
	annotations: READS,
	async ask({ nav, path }, { file, stale_policy }, call) {
		const inside = pathFromRoot(path, file);
		const result = await nav.outline(inside, { stale_policy, ...call() });
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
