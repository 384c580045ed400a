import { isAbsolute } from "node:path";
import { pure } from "../../../core/wasm-module.js";
import { type QueryName, queries } from "../../../generated/queries.js";
import type { Queries, RowState } from "../../../generated/ragnav.js";
import { definitionsText, outlineText } from "../../text/definitions.js";
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
	limited,
	type Page,
} from "../fit.js";
import { filesText } from "../text/state.js";
import { type Call, type Place, READS, type Tool, unplanned } from "../tool.js";

interface QueryArguments extends CommonArguments {
	file?: string;
	limit?: number;
	/** The receipt to compare with; an empty one asks for the first receipt. */
	since?: string;
}

/** How the answer of a query reads, and what its items are. */
type Reading<Name extends QueryName> = {
	noun: string;
	text: (answer: Queries[Name]["answer"]) => string[];
};

const DEFINITIONS = { noun: "definition", text: definitionsText };

/** How each query reads. `status` has a tool of its own. */
const READINGS: { [Name in ToolQuery]: Reading<Name> } = {
	explore: { noun: "definition", text: exploreText },
	search: { noun: "row", text: searchText },
	where_used: { noun: "row", text: whereUsedText },
	lineage: { noun: "row", text: lineageText },
	locate: DEFINITIONS,
	identify: DEFINITIONS,
	outline: { noun: "definition", text: outlineText },
	files: { noun: "file", text: filesText },
	trace: { noun: "symbol", text: traceText },
	impact: { noun: "changed symbol", text: impactText },
	rename_plan: { noun: "edit", text: planText },
	move_plan: { noun: "edit", text: planText },
	recheck: { noun: "row", text: recheckText },
};

/**
 * The queries that are tools as they are. The status has a tool of its own, since a model needs its
 * counts before its rows; `rag_locate` takes places too, so `definition` would add nothing. All
 * occurrences of a file are for programs.
 */
export type ToolQuery = Exclude<
	QueryName,
	"status" | "definition" | "type_definition" | "occurrences"
>;

/** Returns the tools of the queries. */
export function queryTools(): Tool[] {
	return (Object.keys(READINGS) as ToolQuery[]).map(queryTool);
}

/** Returns the tool of a query. The definition of the query in the core says all about it. */
function queryTool(query: ToolQuery): Tool<QueryArguments> {
	const { noun, text } = READINGS[query];
	return {
		name: `rag_${query}`,
		description: queries[query].description ?? "",
		annotations: READS,
		ask: (place, given, call) => answerTo(query, place, given, call),
		noun,
		text: text as (answer: Answer) => string[],
		failed: ({ meta, message }, given) => {
			const answer = pure().failedAnswer(query, given, "HOST_FAILED", message);
			return { ...withCounts(answer), meta };
		},
	};
}

async function answerTo(
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
		const answer = withCounts(await nav.query(query, asked, call()));
		if (since === undefined && query !== "recheck") answer.meta.receipt = null;
		return answer as typeof answer & Page;
	};
	if (query === "recheck") return fitWhole(differing(await ask(null)));
	if (isPaged(query)) return fitPage(given.limit ?? defaultLimit(query), ask);
	if (since !== undefined) return fitWithReceipt(given.limit ?? null, ask);
	const answer = await ask(null);
	return fitWhole(limited(answer, given.limit ?? answer.items.length));
}

/** Returns the rows that are not as they were; the others are only counted. */
function differing<A extends Answer>(answer: A): A {
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
function withCounts(answer: Queries[QueryName]["answer"]) {
	const items: unknown[] = answer.items;
	const meta = unplanned(answer.meta);
	const total = meta.status === "ERROR" ? null : items.length;
	return { truncated: false, total, ...answer, meta, items };
}
