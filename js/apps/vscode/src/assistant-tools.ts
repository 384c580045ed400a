import * as vscode from "vscode";
import type {
	Doubt,
	Navigator,
	RagToolMeta,
	SearchMode,
} from "../../../entries/slim.js";
import { endLines } from "../../text/end.js";
import { exploreText } from "../../text/explore.js";
import { impactText } from "../../text/impact.js";
import { searchText, whereUsedText } from "../../text/rows.js";
import { type Navigators, signalOf } from "./navigators.js";

/** The rows of an answer that a model reads. */
const LIMIT = 50;

interface Answer {
	meta: RagToolMeta;
	items: readonly unknown[];
	doubts?: readonly Doubt[];
}

/** A question that a model asks, and how its answer reads. */
interface AssistantTool<Input> {
	name: string;
	/** Says what is under way. */
	doing: (input: Input) => string;
	/** Returns the lines of the answer about one folder. */
	ask: (nav: Navigator, input: Input, signal: AbortSignal) => Promise<string[]>;
}

/** Returns the rows of an answer, then how many there are and how fresh they are. */
function linesOf<A extends Answer>(
	answer: A,
	text: (answer: A) => string[],
	noun: string,
): string[] {
	const { receipt: _, ...meta } = answer.meta;
	const told = { ...answer, meta: { ...meta, receipt: null } };
	const rows = answer.meta.status === "ERROR" ? [] : text(answer);
	return [...rows, ...endLines(told, noun)];
}

const EXPLORE: AssistantTool<{ about: string }> = {
	name: "ragnav_explore",
	doing: ({ about }) => vscode.l10n.t("Exploring {0}", about),
	ask: async (nav, { about }, signal) =>
		linesOf(await nav.explore(about, { signal }), exploreText, "definition"),
};

const SEARCH: AssistantTool<{ query: string; mode?: SearchMode }> = {
	name: "ragnav_search",
	doing: ({ query }) => vscode.l10n.t("Searching for {0}", query),
	ask: async (nav, { query, mode }, signal) => {
		const options = { mode: mode ?? null, limit: LIMIT, signal };
		return linesOf(await nav.search(query, options), searchText, "row");
	},
};

const WHERE_USED: AssistantTool<{ symbol: string }> = {
	name: "ragnav_where_used",
	doing: ({ symbol }) => vscode.l10n.t("Finding references to {0}", symbol),
	ask: async (nav, { symbol }, signal) => {
		const answer = await nav.whereUsed(symbol, { limit: LIMIT, signal });
		return linesOf(answer, whereUsedText, "row");
	},
};

const IMPACT: AssistantTool<{ from?: string }> = {
	name: "ragnav_impact",
	doing: ({ from }) =>
		vscode.l10n.t("Finding what changed since {0}", from ?? "HEAD"),
	ask: async (nav, { from }, signal) => {
		const answer = await nav.impact({ from: from ?? null, signal });
		return linesOf(answer, impactText, "changed symbol");
	},
};

/** Offers the questions to the editor's assistants, where the editor has any. */
export function registerTools(navigators: Navigators): vscode.Disposable[] {
	if (vscode.lm?.registerTool === undefined) return [];
	return [
		registered(EXPLORE, navigators),
		registered(SEARCH, navigators),
		registered(WHERE_USED, navigators),
		registered(IMPACT, navigators),
	];
}

function registered<Input>(
	tool: AssistantTool<Input>,
	navigators: Navigators,
): vscode.Disposable {
	return vscode.lm.registerTool<Input>(tool.name, {
		prepareInvocation: ({ input }) => ({
			invocationMessage: tool.doing(input),
		}),
		invoke: async ({ input }, token) => {
			const text = await answerOfFolders(navigators, tool, input, token);
			const part = new vscode.LanguageModelTextPart(text);
			return new vscode.LanguageModelToolResult([part]);
		},
	});
}

/** Returns the answer about each folder, below its name if there are several. */
async function answerOfFolders<Input>(
	navigators: Navigators,
	tool: AssistantTool<Input>,
	input: Input,
	token: vscode.CancellationToken,
): Promise<string> {
	const repositories = await navigators.all();
	if (repositories.length === 0) return vscode.l10n.t("No folder is open.");
	const signal = signalOf(token);
	const answers = repositories.map(async ({ folder, nav }) => {
		const lines = await tool.ask(nav, input, signal);
		const heading = repositories.length > 1 ? [`${folder.name}:`] : [];
		return [...heading, ...lines].join("\n");
	});
	return (await Promise.all(answers)).join("\n\n");
}
