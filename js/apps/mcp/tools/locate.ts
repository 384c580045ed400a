import type { LocateAnswer } from "../answers.js";
import type { LocateArguments } from "../arguments.js";
import { fitWhole, limited } from "../fit.js";
import { READS, type Tool, textOf, unplanned } from "../tool.js";

const DEFAULT_LIMIT = 50;

export const locate: Tool<LocateArguments, LocateAnswer> = {
	name: "rag_locate",
	title: "Find where a symbol is defined",
	description:
		"Says where a function, class, method or type is defined now: file, first and last line, also after edits that moved it. Use it to find a definition by its name, and to find a place again that an answer named before. Several definitions may have the name; no items means that nothing has it.",
	annotations: READS,
	async ask({ nav }, { symbol, stale_policy, limit }, call) {
		const result = await nav.locate(symbol, { stale_policy, ...call() });
		const { meta, items } = result;
		const answer = {
			meta: unplanned(meta),
			items,
			symbol,
			truncated: false,
			total: meta.status === "ERROR" ? null : items.length,
		};
		return fitWhole(limited(answer, limit ?? DEFAULT_LIMIT));
	},
	failed: (meta, { symbol }) => ({
		meta,
		items: [],
		symbol: textOf(symbol),
		truncated: false,
		total: null,
	}),
};
