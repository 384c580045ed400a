export { RagnavError } from "../core/errors.js";
export { init } from "../core/wasm-module.js";
export type {
	AgentResult,
	AskOptions,
	Citation,
	ContextPackage,
	Draft as PlanDraft,
	DraftFilter,
	DroppedFilter,
	DropReason,
	Field,
	FieldType,
	Filter,
	FilterValue,
	GetResults,
	Hit,
	Measure,
	MeasureOptions,
	MetadataPackage,
	Operator,
	Package,
	Packaged,
	PackageOptions,
	Passage,
	Plan,
	PlanMeta,
	PlanSource,
	PlanWarning,
	PlanWarningCode,
	Repair,
	ResponseFormat,
	RetrievalMeta,
	RetrievalMode,
	Scalar,
	Weekday,
	WhereFilter,
} from "../generated/glue.js";
export {
	type ChromaCollection,
	type ChromaOptions,
	fromChroma,
} from "./chroma.js";
export type { Embed, Embedding } from "./embedding.js";
export {
	fromLangChain,
	type LangChainDocument,
	type LangChainOptions,
	type LangChainStore,
} from "./langchain.js";
export {
	type AgentOptions,
	type AgentQueryOptions,
	RagMicroAgent,
	RagMicroAgent as RAGMicroAgent,
	type RetrievalOptions,
	type RunOptions,
	retrieveContext,
	runRagQuery,
} from "./micro-agent.js";
export type { Complete, Llm, ModelAnswer } from "./model.js";
export { fromOpenAI, type OpenAiClient } from "./openai.js";
export {
	deconstructQuery,
	type PlanningOptions,
	planDeterministic,
	planFromText,
	planQuestion,
	planSchema,
	type QueryOptions,
} from "./plan.js";
export {
	buildWhereFilter,
	deduplicateByFile,
	meetsWhere,
	normalizeGetResults,
	packageMetadataOnly,
	packageSelectiveContext,
} from "./steps.js";
export type {
	DocumentStore,
	QueryRows,
	StoreDocument,
	StoreGet,
	StoreQuery,
	StoreRow,
} from "./store.js";
export {
	fromVscodeModel,
	type VscodeApi,
	type VscodeModel,
} from "./vscode-model.js";
