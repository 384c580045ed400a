import type { ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import type { Navigator } from "../../core/navigator.js";
import type { CallOptions, RagToolMeta } from "../../entries/node.js";
import type { ToolName } from "../../generated/mcp-schemas.js";
import type { Answer, Meta } from "./answers.js";
import type { CommonArguments } from "./arguments.js";

/** The repository of a call. */
export interface Place {
	/** Converts the absolute path of a file to its path in answers. */
	pathOf: (file: string) => string;
	nav: Navigator;
}

/** Returns the options of the next query of a call, with the time that is left. */
export type Call = () => CallOptions;

/** The failure of a call. */
export interface Failure {
	message: string;
	meta: Meta;
}

/** A tool. The build generates its schemas from the types of its arguments and its answer. */
export interface Tool<
	Arguments extends CommonArguments = CommonArguments,
	Answers extends Answer = Answer,
> {
	name: ToolName;
	/** The description for the model that chooses a tool. */
	description: string;
	annotations: ToolAnnotations;
	/** Whether the tool writes into the repository. */
	writes?: boolean;
	/** Answers a call, within the limit of an answer. */
	ask(place: Place, given: Arguments, call: Call): Promise<Answers>;
	/** Formats an answer as lines for people, without those about its freshness. */
	text(answer: Answers): string[];
	/** The word for one item of an answer, such as `row`. */
	noun: string;
	/** Returns the number of items in the text. Default: that of the answer's items. */
	listed?(answer: Answers): number;
	/** Returns the answer of a failed call, whose arguments may be invalid. */
	failed(failure: Failure, given: Record<string, unknown>): Answers;
}

/** The annotations of tools that only read, and only on this machine. */
export const READS: ToolAnnotations = {
	readOnlyHint: true,
	openWorldHint: false,
};

/** Returns the metadata of an answer without a plan: that of every tool but `rag_ask`. */
export function withoutPlan(meta: RagToolMeta): Meta {
	return { ...meta, plan: null, retrieval: null };
}
