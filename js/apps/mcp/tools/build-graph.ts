import type { BuildGraphAnswer } from "../answers.js";
import type { BuildGraphArguments } from "../arguments.js";
import { fitWhole, takeFirst } from "../fit.js";
import { buildText } from "../text/state.js";
import { type Tool, withoutPlan } from "../tool.js";

const DEFAULT_LIMIT = 50;

export const buildGraph: Tool<BuildGraphArguments, BuildGraphAnswer> = {
	name: "rag_build_graph",
	description:
		"Builds or updates the index under .llmc/, and writes nothing else. Answers are right without it; it makes them faster. The first build takes seconds, or a minute for a very large repository.",
	annotations: {
		readOnlyHint: false,
		// It replaces only its own files, which can be built again, and keeps the graph of another
		// program under another name.
		destructiveHint: false,
		idempotentHint: true,
		openWorldHint: false,
	},
	writes: true,
	async ask({ nav }, { check, documents = true, limit }, call) {
		const result = await nav.buildGraph({ check, documents, ...call() });
		const { meta, items } = result;
		const answer = {
			...result,
			meta: withoutPlan(meta),
			truncated: false,
			total: meta.status === "ERROR" ? null : items.length,
		};
		return fitWhole(takeFirst(answer, limit ?? DEFAULT_LIMIT));
	},
	noun: "changed file",
	text: buildText,
	failed: ({ meta }) => ({
		meta,
		items: [],
		counts: { added: 0, changed: 0, removed: 0, unchanged: 0, skipped: 0 },
		enrichment: { exact: 0, moved: 0, renamed: 0, ambiguous: 0, lost: 0 },
		documents: null,
		up_to_date: false,
		skipped: [],
		truncated: false,
		total: null,
	}),
};
