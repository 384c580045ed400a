import { drive } from "../core/driver.js";
import {
	chooseModel,
	coreOptions,
	knownFormats,
	type PlanningOptions,
	type QueryOptions,
	rememberFormats,
} from "../core/planning.js";
import { offsetsOf } from "../core/time-zone.js";
import { preparePure } from "../core/wasm-module.js";
import type {
	Draft,
	Plan,
	PlanMeta,
	SupportedFormats,
} from "../generated/glue.js";
import { emptyHost } from "./empty-host.js";
import { step } from "./steps.js";

/**
 * Plans a question by its words, without a model.
 *
 * @example
 * ```js
 * import { planDeterministic } from "ragnav/agent";
 *
 * const { semantic_query, filters } = planDeterministic("notes about keys tagged security");
 * console.log(semantic_query, filters[0].field, filters[0].value); // keys tags security
 * ```
 */
export function planDeterministic(
	question: string,
	options?: PlanningOptions | null,
): Plan {
	return byWords(question, options ?? {}).plan;
}

/**
 * Parses the plan in a model's text. Repairs fences, prose, quotes and commas, and guesses nothing.
 *
 * @throws {RagnavError} `PLAN_FAILED` if the text holds no plan.
 *
 * @example
 * ```js
 * import { planFromText } from "ragnav/agent";
 *
 * const draft = planFromText("Sure! {'semantic_query': 'keys', 'filters': [],}");
 * console.log(draft.semantic_query, draft.filters.length); // keys 0
 * ```
 */
export function planFromText(text: string): Draft {
	return step((core) => core.planFromText(text)).plan;
}

/**
 * Returns the JSON schema of plans over a catalogue, for constrained decoding.
 *
 * @example
 * ```js
 * import { planSchema } from "ragnav/agent";
 *
 * console.log(planSchema("notes").required.includes("semantic_query")); // true
 * ```
 */
export function planSchema(
	catalogue?: PlanningOptions["catalogue"],
): Record<string, unknown> {
	return step((core) =>
		core.planSchema({ catalogue: catalogue ?? null }, true),
	);
}

/**
 * Plans a question and reports how the plan came about. Does not reject when the model fails: the
 * words of the question decide then.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for invalid options.
 *
 * @example
 * ```js
 * import { planQuestion } from "ragnav/agent";
 *
 * const { plan, source } = await planQuestion("list files tagged security");
 * console.log(source, plan.response_format); // deterministic metadata_only
 * ```
 */
export async function planQuestion(
	question: string,
	options?: QueryOptions | null,
): Promise<PlanMeta> {
	const given = options ?? {};
	const { choice, ports } = chooseModel(given);
	await preparePure();
	if (choice === null) return byWords(question, given);
	const session = step((core) =>
		core.planByModel(question, coreOptions(given), choice, knownFormats()),
	);
	const { plan, formats: more } = await drive<{
		plan: PlanMeta;
		formats: SupportedFormats;
	}>(session, emptyHost(given.now), {}, ports);
	rememberFormats(more);
	return plan;
}

/**
 * Plans a question: {@link planQuestion} without how the plan came about.
 *
 * @example
 * ```js
 * import { deconstructQuery } from "ragnav/agent";
 *
 * const options = { now: new Date("2026-03-12T12:00:00Z"), time_zone: "UTC" };
 * const plan = await deconstructQuery("notes from last week about security", options);
 * for (const { field, operator, value } of plan.filters) {
 *   console.log(field, operator, new Date(value * 1000).toISOString());
 *   // created_date gte 2026-03-02T00:00:00.000Z
 *   // created_date lt 2026-03-09T00:00:00.000Z
 * }
 * ```
 */
export async function deconstructQuery(
	question: string,
	options?: QueryOptions | null,
): Promise<Plan> {
	return (await planQuestion(question, options)).plan;
}

function byWords(question: string, options: PlanningOptions): PlanMeta {
	const offsetAt = offsetsOf(options.time_zone);
	const now = (options.now ?? new Date()).getTime();
	const offsets: [number, number][] = [];
	for (;;) {
		const { plan, wanted } = step((core) =>
			core.planByWords(question, coreOptions(options), now, offsets),
		);
		if (wanted.length === 0) return plan;
		offsets.push(
			...wanted.map((at): [number, number] => [at, offsetAt(at * 1000)]),
		);
	}
}
