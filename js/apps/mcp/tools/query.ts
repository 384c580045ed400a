import { isAbsolute } from "node:path";
import { pure } from "../../../core/wasm-module.js";
import { type QueryName, queries } from "../../../generated/queries.js";
import type { Queries } from "../../../generated/ragnav.js";
import type { Answer } from "../answers.js";
import type { CommonArguments } from "../arguments.js";
import { fitPage, fitWhole, limited, type Page } from "../fit.js";
import { definitionsText, outlineText } from "../text/definitions.js";
import { exploreText } from "../text/explore.js";
import { impactText } from "../text/impact.js";
import { renameText } from "../text/rename.js";
import { lineageText, searchText, whereUsedText } from "../text/rows.js";
import { filesText } from "../text/state.js";
import { traceText } from "../text/trace.js";
import { type Call, type Place, READS, type Tool, unplanned } from "../tool.js";

interface QueryArguments extends CommonArguments {
	file?: string;
	limit?: number;
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
	rename_plan: { noun: "edit", text: renameText },
};

/**
 * The queries that are tools as they are. The status has a tool of its own, since a model needs its
 * counts before its rows; `rag_locate` takes places too, so `definition` would add nothing.
 */
export type ToolQuery = Exclude<QueryName, "status" | "definition">;

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
	const { root: _, timeout_ms: __, ...own } = given;
	const { file } = own;
	const isNamed = file !== undefined && isAbsolute(file);
	const inside = isNamed ? { file: pathOf(file) } : {};
	const ask = async (limit: number | null) => {
		const answer = await nav.query(query, { ...own, ...inside, limit }, call());
		return withCounts(answer);
	};
	if (!isPaged(query)) {
		const answer = await ask(null);
		return fitWhole(limited(answer, given.limit ?? answer.items.length));
	}
	const limit = given.limit ?? defaultLimit(query);
	return fitPage(limit, async (rows) => (await ask(rows)) as Page);
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
