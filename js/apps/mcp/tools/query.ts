import { isAbsolute } from "node:path";
import { pure } from "../../../core/wasm-module.js";
import { type QueryName, queries } from "../../../generated/queries.js";
import type { Queries, RowState } from "../../../generated/ragnav.js";
import {
	countOutline,
	definitionsText,
	outlineText,
} from "../../text/definitions.js";
import { exploreText } from "../../text/explore.js";
import { impactText } from "../../text/impact.js";
import { planText } from "../../text/plan.js";
import { recheckText } from "../../text/recheck.js";
import { lineageText, searchText, whereUsedText } from "../../text/rows.js";
import { traceText } from "../../text/trace.js";
import type { Answer } from "../answers.js";
import type { CommonArguments } from "../arguments.js";
import {
	fitPage,
	fitWhole,
	fitWithReceipt,
	type Page,
	takeFirst,
} from "../fit.js";
import { filesText } from "../text/state.js";
import {
	type Call,
	type Place,
	READS,
	type Tool,
	withoutPlan,
} from "../tool.js";

interface QueryArguments extends CommonArguments {
	file?: string;
	limit?: number;
	/** The receipt to compare with; an empty one asks for the first receipt. */
	since?: string;
}

/** The text of a query's answer, the word for one of its items, and how many the text lists. */
type Format<Name extends QueryName> = {
	noun: string;
	text: (answer: Queries[Name]["answer"]) => string[];
	listed?: (answer: Queries[Name]["answer"]) => number;
};

const DEFINITIONS = { noun: "definition", text: definitionsText };

/** The text form of each query. */
const FORMATS: { [Name in ToolQuery]: Format<Name> } = {
	explore: { noun: "definition", text: exploreText },
	search: { noun: "row", text: searchText },
	where_used: { noun: "row", text: whereUsedText },
	lineage: { noun: "row", text: lineageText },
	locate: DEFINITIONS,
	identify: DEFINITIONS,
	outline: { noun: "definition", text: outlineText, listed: countOutline },
	files: { noun: "file", text: filesText },
	trace: { noun: "symbol", text: traceText },
	impact: { noun: "changed symbol", text: impactText },
	rename_plan: { noun: "edit", text: planText },
	move_plan: { noun: "edit", text: planText },
	recheck: { noun: "row", text: recheckText },
};

/**
 * The queries that each are a tool. `status` has a tool of its own, because a model needs its
 * counts before its rows. `rag_locate` takes places too, so `definition` would add nothing.
 * `occurrences` is for programs.
 */
export type ToolQuery = Exclude<
	QueryName,
	"status" | "definition" | "type_definition" | "occurrences"
>;

/** Returns the tools of the queries. */
export function queryTools(): Tool[] {
	return (Object.keys(FORMATS) as ToolQuery[]).map(queryTool);
}

/** Returns the tool of a query. Its description is that of the query in the core. */
function queryTool(query: ToolQuery): Tool<QueryArguments> {
	const { noun, text, listed }: Format<never> = FORMATS[query];
	return {
		name: `rag_${query}`,
		description: queries[query].description ?? "",
		annotations: READS,
		ask: (place, given, call) => answerQuery(query, place, given, call),
		noun,
		text: text as (answer: Answer) => string[],
		...(listed && { listed: listed as (answer: Answer) => number }),
		failed: ({ meta, message }, given) => {
			const answer = pure().failedAnswer(query, given, "HOST_FAILED", message);
			return { ...withTotal(answer), meta };
		},
	};
}

async function answerQuery(
	query: QueryName,
	{ nav, pathOf }: Place,
	given: QueryArguments,
	call: Call,
): Promise<Answer> {
	const { root: _, timeout_ms: __, since, ...own } = given;
	const { file } = own;
	const isNamed = file !== undefined && isAbsolute(file);
	const inside = isNamed ? { file: pathOf(file) } : {};
	// An empty receipt asks for the first one.
	const compared = since ? { since } : {};
	const ask = async (limit: number | null) => {
		const asked = { ...own, ...inside, ...compared, limit };
		const answer = withTotal(await nav.query(query, asked, call()));
		if (since === undefined && query !== "recheck") answer.meta.receipt = null;
		return answer as typeof answer & Page;
	};
	if (query === "recheck") return fitWhole(withoutUnchanged(await ask(null)));
	if (isPaged(query)) return fitPage(given.limit ?? defaultLimit(query), ask);
	if (since !== undefined) return fitWithReceipt(given.limit ?? null, ask);
	const answer = await ask(null);
	return fitWhole(takeFirst(answer, given.limit ?? answer.items.length));
}

/** Returns an answer without unchanged rows, which are only counted. */
function withoutUnchanged<A extends Answer>(answer: A): A {
	const items = answer.items as { state?: RowState }[];
	return {
		...answer,
		items: items.filter(({ state }) => state !== "unchanged"),
	};
}

function isPaged(query: QueryName): boolean {
	return "cursor" in queries[query].properties;
}

function defaultLimit(query: QueryName): number {
	return Number(queries[query].properties.limit?.default);
}

/** Adds `truncated` and `total` to an answer without pages. */
function withTotal(answer: Queries[QueryName]["answer"]) {
	const items: unknown[] = answer.items;
	const meta = withoutPlan(answer.meta);
	const total = meta.status === "ERROR" ? null : items.length;
	return { truncated: false, total, ...answer, meta, items };
}
