import type {
	Field,
	Filter,
	ModelChoice,
	SupportedFormats,
	Weekday,
} from "../generated/glue.js";
import type { QueryPorts } from "./driver.js";
import type { Llm } from "./model.js";
import { endpointOf } from "./model-endpoint.js";
import { checkNumbers } from "./number-options.js";
import { offsetsOf } from "./time-zone.js";

/** The options of planning a question. */
export interface PlanningOptions {
	/**
	 * The fields that filters may name: those of notes (the default of planning alone), of code, of
	 * both (the default of answering), or the caller's own.
	 */
	catalogue?: "notes" | "code" | "all" | Field[] | null | undefined;
	/** The day on which a week begins. Default Monday. */
	first_day_of_week?: Weekday | null | undefined;
	/** Filters that every plan has. No model sees them. */
	mandatory?: Filter[] | null | undefined;
	/** The name of the time zone of dates in the question. Default: this machine's. */
	time_zone?: string | null | undefined;
	/** The time from which dates such as "last week" count. Default: now. */
	now?: Date | null | undefined;
}

/** The options of planning a question, with the model that plans it. */
export interface QueryOptions extends PlanningOptions, Llm {
	/**
	 * The model. Without one, and without `RAGNAV_MODEL` in the environment, the words of the
	 * question decide.
	 */
	llm?: Llm | null | undefined;
	/** The maximum number of requests to the model. Default 3. */
	max_retries?: number | null | undefined;
	/**
	 * The time limit of planning, and that of reranking, in milliseconds, waits included. Default
	 * 15,000.
	 */
	deadline_ms?: number | null | undefined;
}

/** The names of all options of planning. */
export const PLANNING_OPTIONS = [
	"catalogue",
	"first_day_of_week",
	"mandatory",
	"time_zone",
	"now",
	"llm",
	"max_retries",
	"deadline_ms",
	"model",
	"base_url",
	"api_key",
	"fetch",
	"complete",
] as const satisfies readonly (keyof QueryOptions)[];

const MAX_RETRIES = 3;
const DEADLINE_MS = 15_000;

/** The response format that each endpoint of this program is known to accept. */
let formats: SupportedFormats = {};

/** Returns the response format that each endpoint is known to accept. */
export function knownFormats(): SupportedFormats {
	return formats;
}

/** Adds what a session learned of its endpoint. */
export function rememberFormats(more: SupportedFormats): void {
	formats = { ...formats, ...more };
}

/**
 * Returns the model that options name, and the ports that a session over it needs.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for a number among the options that cannot be used.
 */
export function chooseModel(options: QueryOptions): {
	choice: ModelChoice | null;
	ports: Pick<QueryPorts, "model" | "offsetAt">;
} {
	checkNumbers(options);
	const endpoint = endpointOf(options.llm ?? ownModel(options));
	const offsetAt = offsetsOf(options.time_zone);
	if (endpoint === undefined) return { choice: null, ports: { offsetAt } };
	return {
		choice: {
			endpoint: endpoint.endpoint,
			model: endpoint.model,
			max_retries: options.max_retries ?? MAX_RETRIES,
			deadline_ms: options.deadline_ms ?? DEADLINE_MS,
		},
		ports: { model: endpoint.complete, offsetAt },
	};
}

/** Returns the planning options as the core takes them. */
export function coreOptions(options: PlanningOptions) {
	const { catalogue, first_day_of_week, mandatory } = options;
	return {
		catalogue: catalogue ?? null,
		first_day_of_week: first_day_of_week ?? null,
		mandatory: mandatory ?? null,
	};
}

/** Returns the model whose fields stand among the options themselves, without `llm`. */
function ownModel(options: QueryOptions): Llm | undefined {
	const { model, base_url, api_key, fetch, complete } = options;
	const own = { model, base_url, api_key, fetch, complete };
	const isNamed = Object.values(own).some(
		(value) => value !== null && value !== undefined,
	);
	return isNamed ? own : undefined;
}
