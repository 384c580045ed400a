import { type Around, drive } from "../core/driver.js";
import { preparePure } from "../core/wasm-module.js";
import type {
	Draft,
	Field,
	Filter,
	ModelChoice,
	Plan,
	PlanMeta,
	Rungs,
	Weekday,
} from "../generated/glue.js";
import { emptyHost } from "./empty-host.js";
import { endpointOf, type Llm } from "./model.js";
import { step } from "./steps.js";
import { offsetsOf } from "./time-zone.js";

/** What a question is planned with. */
export interface PlanningOptions {
	/**
	 * The fields there are: of notes (the default where questions are only planned), of code, of both (the default where they are
	 * answered), or one's own.
	 */
	catalogue?: "notes" | "code" | "all" | Field[] | null | undefined;
	/** On which day a week begins. Default Monday. */
	first_day_of_week?: Weekday | null | undefined;
	/** Filters that hold in any case. No model sees them. */
	mandatory?: Filter[] | null | undefined;
	/** Where the question is asked, by the name of the time zone. Default: this machine's. */
	time_zone?: string | null | undefined;
	/** The time, for dates such as "last week". Default: now. */
	now?: Date | null | undefined;
}

/** What a question may be planned with beside its words. */
export interface QueryOptions extends PlanningOptions, Llm {
	/** The model. Without one, and without `RAGNAV_MODEL` in the environment, the words of the question decide. */
	llm?: Llm | null | undefined;
	/** Calls of the model in all. Default 3. */
	max_retries?: number | null | undefined;
	/** Milliseconds for everything, waits included. Default 15,000. */
	deadline_ms?: number | null | undefined;
}

const MAX_RETRIES = 3;
const DEADLINE_MS = 15_000;

/** What was learned of endpoints in this program: which shape of answer they can be asked for. */
let rungs: Rungs = {};

/** The plan by the words of a question, without a model. */
export function planDeterministic(
	question: string,
	options?: PlanningOptions | null,
): Plan {
	return byWords(question, options ?? {}).plan;
}

/**
 * The plan in what a model wrote, as far as it is there: fences, prose, quotes, commas and the like are mended, and nothing is guessed.
 *
 * @throws {RagnavError} `PLAN_FAILED` where there is no plan in it.
 */
export function planFromText(text: string): Draft {
	return step((core) => core.planFromText(text)).plan;
}

/** The JSON schema of plans over a catalogue, for decoders that are bound by one. */
export function planSchema(
	catalogue?: PlanningOptions["catalogue"],
): Record<string, unknown> {
	return step((core) =>
		core.planSchema({ catalogue: catalogue ?? null }, true),
	);
}

/**
 * The plan of a question (seed `micro-agent`, section 1), and how it came about. Never rejects where a model fails: the words of the question stand in.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for options that make no sense.
 */
export async function planQuestion(
	question: string,
	options?: QueryOptions | null,
): Promise<PlanMeta> {
	const given = options ?? {};
	const { choice, around } = asked(given);
	await preparePure();
	if (choice === null) return byWords(question, given);
	const session = step((core) =>
		core.planByModel(question, coreOptions(given), choice, rungs),
	);
	const { plan, rungs: more } = await drive<{
		plan: PlanMeta;
		rungs: Rungs;
	}>(session, emptyHost(given.now), {}, around);
	learn(more);
	return plan;
}

/** What was learned of endpoints so far. */
export function learned(): Rungs {
	return rungs;
}

/** Notes what was learned of an endpoint. */
export function learn(more: Rungs): void {
	rungs = { ...rungs, ...more };
}

/** The model that options name, and what a session over it needs. */
export function asked(options: QueryOptions): {
	choice: ModelChoice | null;
	around: Pick<Around, "model" | "offsetAt">;
} {
	const endpoint = endpointOf(options.llm ?? ownModel(options));
	const offsetAt = offsetsOf(options.time_zone);
	if (endpoint === undefined) return { choice: null, around: { offsetAt } };
	return {
		choice: {
			endpoint: endpoint.endpoint,
			model: endpoint.model,
			max_retries: options.max_retries ?? MAX_RETRIES,
			deadline_ms: options.deadline_ms ?? DEADLINE_MS,
		},
		around: { model: endpoint.ask, offsetAt },
	};
}

/** The plan of a question: {@link planQuestion} without how it came about. */
export async function deconstructQuery(
	question: string,
	options?: QueryOptions | null,
): Promise<Plan> {
	return (await planQuestion(question, options)).plan;
}

/** A model that is named among the options themselves, as the seed has it. */
function ownModel(options: QueryOptions): Llm | undefined {
	const { model, base_url, api_key, fetch, complete } = options;
	const own = { model, base_url, api_key, fetch, complete };
	const isNamed = Object.values(own).some(
		(value) => value !== null && value !== undefined,
	);
	return isNamed ? own : undefined;
}

export function coreOptions(options: PlanningOptions) {
	const { catalogue, first_day_of_week, mandatory } = options;
	return {
		catalogue: catalogue ?? null,
		first_day_of_week: first_day_of_week ?? null,
		mandatory: mandatory ?? null,
	};
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
