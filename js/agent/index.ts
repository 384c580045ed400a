export type {
	DocumentStore,
	QueryRows,
	StoreDocument,
	StoreGet,
	StoreQuery,
	StoreRow,
} from "../core/document-store.js";
export type { Embed, Embedding } from "../core/embedding.js";
export { RagnavError } from "../core/errors.js";
export type { Complete, Llm, ModelAnswer } from "../core/model.js";
export type { PlanningOptions, QueryOptions } from "../core/planning.js";
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
	JsonObject,
	Measure,
	MeasureOptions,
	Metadata,
	MetadataPackage,
	Operator,
	Package,
	Packaged,
	PackageOptions,
	Passage,
	PassageDetails,
	PassageKind,
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
	type AgentOptions,
	type AgentQueryOptions,
	RagMicroAgent,
	RagMicroAgent as RAGMicroAgent,
	type RetrievalOptions,
	type RunOptions,
	retrieveContext,
	runRagQuery,
} from "./micro-agent.js";
export { fromOpenAI, type OpenAiClient } from "./models/openai.js";
export {
	fromVscodeModel,
	type VscodeApi,
	type VscodeModel,
} from "./models/vscode.js";
export {
	deconstructQuery,
	planDeterministic,
	planFromText,
	planQuestion,
	planSchema,
} from "./plan.js";
export {
	buildWhereFilter,
	deduplicateByFile,
	meetsWhere,
	normalizeGetResults,
	packageMetadataOnly,
	packageSelectiveContext,
} from "./steps.js";
export {
	type ChromaCollection,
	type ChromaOptions,
	fromChroma,
} from "./stores/chroma.js";
export {
	fromLangChain,
	type LangChainDocument,
	type LangChainOptions,
	type LangChainStore,
} from "./stores/langchain.js";
