import { pure } from "../../../core/wasm-module.js";
import type { AskAnswer } from "../answers.js";
import type { AskArguments } from "../arguments.js";
import { fitWhole } from "../fit.js";
import { passagesText } from "../text/passages.js";
import { READS, type Tool } from "../tool.js";

/**
 * Returns the tool `rag_ask`. If the environment names a model, questions leave this program, and
 * perhaps the machine.
 */
export function askTool(hasModel: boolean): Tool<AskArguments, AskAnswer> {
	return {
		name: "rag_ask",
		description: `Finds the passages of notes and code that answer a question in words, each with its text as it is now. Use it where you know what something does and not what it is called, or for notes by tag, folder, heading or date. ${plannedBy(hasModel)}`,
		annotations: { ...READS, openWorldHint: hasModel },
		async ask({ nav }, given, call) {
			const { results: _, ...answer } = await nav.ask(given.question, {
				only: given.only,
				limit: given.limit,
				token_budget: given.token_budget,
				history: given.history,
				rerank: given.rerank,
				stale_policy: given.stale_policy,
				...call(),
			});
			const items = answer.items.map(
				({ highlights_utf16: _, ...passage }) => passage,
			);
			const fit = fitWhole({ ...answer, items });
			const dropped = answer.items.length - fit.items.length;
			return { ...fit, omitted: fit.omitted + dropped };
		},
		noun: "passage",
		text: passagesText,
		failed: ({ meta, message }, { question }) => {
			const query = typeof question === "string" ? question : "";
			const answer = pure().failedAnswer(
				"search",
				{ query },
				"HOST_FAILED",
				message,
			);
			return { ...answer, meta, items: [], omitted: 0 };
		},
	};
}

function plannedBy(hasModel: boolean): string {
	return hasModel
		? "The question is sent to the language model that RAGNAV_MODEL names; with rerank also the beginnings of passages."
		: "Nothing leaves this machine.";
}
