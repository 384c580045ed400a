import type { ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import type { Navigator } from "../../core/navigator.js";
import type { CallOptions, RagToolMeta } from "../../entries/node.js";
import type { ToolName } from "../../generated/mcp-schemas.js";
import type { Answer, Meta } from "./answers.js";
import type { CommonArguments } from "./arguments.js";

/** A repository that tools answer about. */
export interface Place {
	/** Returns the path, as answers have it, of a file with an absolute path. */
	pathOf: (file: string) => string;
	nav: Navigator;
}

/** What the question has from its call; with the time that is left, where it asks more than once. */
export type Call = () => CallOptions;

/** What went wrong with a call. */
export interface Failure {
	message: string;
	meta: Meta;
}

/** A tool, whose schemas are made of the types of its arguments and its answer. */
export interface Tool<
	Arguments extends CommonArguments = CommonArguments,
	Answers extends Answer = Answer,
> {
	name: ToolName;
	/** For the model that decides which tool to call. */
	description: string;
	annotations: ToolAnnotations;
	/** Whether it writes into the repository. */
	writes?: boolean;
	/** Returns the answer, cut to what fits. */
	ask(place: Place, given: Arguments, call: Call): Promise<Answers>;
	/** Returns the lines of an answer that a person reads, without those about its freshness. */
	text(answer: Answers): string[];
	/** What the items of an answer are: `row`. */
	noun: string;
	/** Returns the answer of a failed call; the arguments may be anything. */
	failed(failure: Failure, given: Record<string, unknown>): Answers;
}

/** What holds of tools that only read, of this machine. */
export const READS: ToolAnnotations = {
	readOnlyHint: true,
	openWorldHint: false,
};

/** The meta of what no micro-agent answered. */
export function unplanned(meta: RagToolMeta): Meta {
	return { ...meta, plan: null, retrieval: null };
}
