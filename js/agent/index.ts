export { RagnavError } from "../errors.js";
export type {
	Draft as PlanDraft,
	DraftFilter,
	DroppedFilter,
	Field,
	FieldType,
	Filter,
	FilterValue,
	Operator,
	Plan,
	PlanMeta,
	PlanSource,
	PlanWarning,
	Repair,
	ResponseFormat,
	Weekday,
} from "../generated/glue.js";
export { init } from "../wasm-module.js";
export type { Llm } from "./model.js";
export {
	deconstructQuery,
	type PlanningOptions,
	planDeterministic,
	planFromText,
	planQuestion,
	planSchema,
	type QueryOptions,
} from "./plan.js";
