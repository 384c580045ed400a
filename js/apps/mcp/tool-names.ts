import type { Answer } from "./answers.js";

/** The sentence of the core about documents that no store has yet. */
const RUN_BUILD = /Run `build-graph` to (\w+) them\./;

/** Returns a description without the sentences that name tools that are not offered. */
export function describeOffered(
	description: string,
	offered: ReadonlySet<string>,
): string {
	const sentences = description.split(/(?<=\.) (?=[A-Z])/);
	const isOffered = ([name]: RegExpMatchArray) => offered.has(name);
	const kept = sentences.filter((sentence) =>
		[...sentence.matchAll(/\brag_\w+/g)].every(isOffered),
	);
	return kept.join(" ");
}

/** Returns an answer whose message names the tool that builds the index, where it is offered. */
export function withToolNames(
	answer: Answer,
	offered: ReadonlySet<string>,
): Answer {
	const { message } = answer.meta;
	if (message === null || !RUN_BUILD.test(message)) return answer;
	const words = offered.has("rag_build_graph")
		? "Call `rag_build_graph` to $1 them."
		: "The command `ragnav build-graph` can $1 them.";
	const meta = { ...answer.meta, message: message.replace(RUN_BUILD, words) };
	return { ...answer, meta };
}
