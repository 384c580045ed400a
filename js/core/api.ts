import type { IndexStatus, RouteDecision, Session } from "../generated/glue.js";
import { drive } from "./driver.js";
import { fromCore, RagnavError } from "./errors.js";
import type { Host } from "./host.js";
import { checkOptions } from "./known-options.js";
import { readPlugins } from "./language-plugins.js";
import { Navigator, type OpenOptions } from "./navigator.js";
import { checkNumber } from "./number-options.js";
import { rootsHost } from "./roots/host.js";
import type { NamedHost } from "./roots/mount.js";
import type { RootsNavigator } from "./roots/navigator.js";
import { newInstance, preparePure, pure } from "./wasm-module.js";

/**
 * Opens several repositories as one: names resolve from one to the other, and the path of a file
 * begins with the name of its repository. If one of them fails, the answers say so, and the others
 * are not affected.
 *
 * @throws {RagnavError} as for one repository, and `INVALID_ARGUMENT` for invalid names.
 *
 * @example
 * ```js
 * import { open } from "ragnav";
 * import { memoryHost } from "ragnav/hosts/memory";
 *
 * const money = memoryHost({ "src/money/__init__.py": "def cents(x): ...\n" });
 * const shop = memoryHost({ "cart.py": "from money import cents\ncents(1)\n" });
 * const nav = await open([{ name: "money", host: money }, { name: "shop", host: shop }]);
 * const { items } = await nav.whereUsed("cents");
 * console.log(items[1].root, items[1].file, items[1].resolution); // shop shop/cart.py resolved
 * nav.close();
 * ```
 */
export async function open(
	roots: readonly NamedHost[],
	options?: OpenOptions | null,
): Promise<RootsNavigator>;
/**
 * Opens a repository. Reads no file; if there is no repository, the first query answers
 * `REPO_NOT_FOUND`.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for a host that lacks methods and for invalid options;
 * `LANGUAGE_UNAVAILABLE` if the grammar of one of `languages` cannot be read; `NOT_INITIALISED`
 * under `ragnav/slim` before `init`.
 *
 * @example
 * ```js
 * import { open } from "ragnav";
 * import { nodeHost } from "ragnav/hosts/node";
 *
 * const nav = await open(nodeHost("."), { timeout_ms: 5000 });
 * console.log((await nav.locate("price_of")).items[0].file); // shop/prices.py
 * nav.close();
 * ```
 */
export async function open(
	host: Host,
	options?: OpenOptions | null,
): Promise<Navigator>;
export async function open(
	given: Host | readonly NamedHost[],
	options?: OpenOptions | null,
): Promise<Navigator> {
	if (!isList(given)) return openHost(given, options);
	for (const root of given) checkHost(root?.host);
	return openHost(rootsHost(given), options);
}

function isList(given: unknown): given is readonly NamedHost[] {
	return Array.isArray(given);
}

async function openHost(
	host: Host,
	options?: OpenOptions | null,
): Promise<Navigator> {
	checkHost(host);
	checkOptions(options, OPEN_OPTIONS);
	const given = options ?? {};
	const { max_file_bytes, max_files, max_folders, max_depth } = given;
	checkNumber("workers", given.workers, 0, MAX_WORKERS);
	await preparePure();
	const instance = await newInstance();
	const plugins = await readPlugins(given.languages, instance.glue);
	try {
		const repo = host.root ?? null;
		return new Navigator(
			host,
			{
				repo,
				roots: host.roots?.().map(({ name }) => name),
				writable: canWrite(host),
				max_file_bytes,
				max_files,
				max_folders,
				max_depth,
				stale_policy: given.stale_policy,
			},
			instance,
			given,
			plugins,
		);
	} catch (thrown) {
		throw fromCore(thrown) ?? thrown;
	}
}

/**
 * Returns the route of a repository, as `Navigator.route` does. Does not reject if the host fails.
 *
 * @example
 * ```js
 * import { computeRoute } from "ragnav";
 * import { memoryHost } from "ragnav/hosts/memory";
 *
 * const { use_rag, reason } = await computeRoute(memoryHost({ "a.py": "" }));
 * console.log(use_rag, reason); // false NO_STATUS
 * ```
 */
export async function computeRoute(host: Host): Promise<RouteDecision> {
	const navigator = await open(host);
	const route = await navigator.route();
	navigator.close();
	return route;
}

/**
 * Loads the status of an index; returns `null` if there is none or it cannot be read.
 *
 * @example
 * ```js
 * import { loadIndexStatus, open } from "ragnav";
 * import { memoryHost } from "ragnav/hosts/memory";
 *
 * const host = memoryHost({ "a.py": "" });
 * console.log(await loadIndexStatus(host)); // null
 * const nav = await open(host);
 * await nav.buildGraph();
 * console.log((await loadIndexStatus(host)).index_state); // fresh
 * nav.close();
 * ```
 */
export async function loadIndexStatus(host: Host): Promise<IndexStatus | null> {
	checkHost(host);
	await preparePure();
	const core = new (pure().Core)({ repo: host.root ?? null });
	return drive<IndexStatus | null>(core.loadStatus(), host, {});
}

/**
 * Saves the status of an index to `.llmc/rag/index_status.json`, atomically.
 *
 * @throws {RagnavError} `INDEX_WRITE_FAILED` if the host cannot write; `INVALID_ARGUMENT` for an
 * invalid status.
 *
 * @example
 * ```js
 * import { loadIndexStatus, open, saveIndexStatus } from "ragnav";
 * import { memoryHost } from "ragnav/hosts/memory";
 *
 * const host = memoryHost({ "a.py": "" });
 * const nav = await open(host);
 * await nav.buildGraph();
 * const status = await loadIndexStatus(host);
 * await saveIndexStatus(host, { ...status, index_state: "stale" });
 * console.log((await nav.route()).use_rag); // false
 * nav.close();
 * ```
 */
export async function saveIndexStatus(
	host: Host,
	status: IndexStatus,
): Promise<void> {
	checkHost(host);
	await preparePure();
	const session: Session = pure().Core.saveStatus(status);
	const failure = fromCore(await drive<unknown>(session, host, {}));
	if (failure !== undefined) {
		throw failure;
	}
}

/** Reports whether the host can store an index, which takes writing and removing. */
function canWrite({ write, remove }: Host): boolean {
	return typeof write === "function" && typeof remove === "function";
}

/** The options of `open`, for messages and to refuse others. */
const OPEN_OPTIONS = {
	stale_policy: true,
	workers: true,
	languages: true,
	scip: true,
	embed: true,
	embedder: true,
	max_file_bytes: true,
	max_files: true,
	max_folders: true,
	max_depth: true,
	max_read_bytes: true,
	max_memory_bytes: true,
	timeout_ms: true,
} satisfies Record<keyof OpenOptions, true>;

/** The maximum of the option `workers`. */
const MAX_WORKERS = 64;

function checkHost(host: Host): void {
	const methods = ["gitHead", "readDirs", "readMany"] as const;
	const lacking = methods.filter(
		(method) => typeof host?.[method] !== "function",
	);
	if (lacking.length > 0) {
		throw new RagnavError(
			"INVALID_ARGUMENT",
			`the host lacks ${lacking.join(", ")}; see the Host interface`,
		);
	}
}

export type {
	AffectedItem,
	AgentResult,
	AnyErrorCode,
	AskOptions,
	BuildAllOptions,
	BuildAllResult,
	BuildCounts,
	BuildOptions,
	BuildResult,
	CandidateRule,
	Change,
	Citation,
	CompilerIndexState,
	Completeness,
	Confidence,
	ContextPackage,
	Definition,
	DefinitionKind,
	Direction,
	Doubt,
	DoubtReason,
	Edge,
	EditedFile,
	Enrichment,
	EnrichmentCounts,
	ErrorCode,
	ErrorOptions,
	Evidence,
	Explanation,
	ExploreHead,
	ExploreOptions,
	ExploreResult,
	ExtensionCount,
	FallbackOptions,
	FileChange,
	FileCounts,
	FileItem,
	FileOptions,
	FilesHead,
	FilesOptions,
	FilesResult,
	FileVerdict,
	FillResult,
	FoundBy,
	FreshnessState,
	ImpactHead,
	ImpactItem,
	ImpactOptions,
	ImpactResult,
	IndexStatus,
	ItemKind,
	KnownLanguage,
	LineageHead,
	LineageItem,
	LineageOptions,
	LineageResult,
	LineMatch,
	LocateResult,
	LocatorOptions,
	Match,
	MatchOptions,
	MeantDefinition,
	MetadataPackage,
	MoveCandidates,
	MovePlanHead,
	MovePlanOptions,
	MovePlanResult,
	MoveRisk,
	NavItem,
	NavItem as SearchItem,
	NavItem as WhereUsedItem,
	OccurrenceItem,
	OccurrencesHead,
	OccurrencesOptions,
	OccurrencesResult,
	OkOptions,
	OutlineItem,
	Package,
	Page,
	Passage,
	PassageDetails,
	PassageKind,
	PathPart,
	PlanMeta,
	PlannedEdit,
	Proof,
	QuestionOptions,
	RagResult,
	RagToolMeta,
	RagToolSource,
	RagToolStatus,
	ReachingTest,
	RecheckItem,
	RecheckOptions,
	RecheckResult,
	ReferenceScope,
	Refusal,
	RefusalReason,
	RenamePlanHead,
	RenamePlanOptions,
	RenamePlanResult,
	RenameRisk,
	Resolution,
	ResolutionStep,
	RetrievalMeta,
	RetrievalMode,
	RouteDecision,
	RouteReason,
	RowCounts,
	RowDifference,
	RowPlace,
	RowState,
	SearchHead,
	SearchMode,
	SearchOptions,
	SearchResult,
	SinceMeta,
	Skipped,
	SkipReason,
	Snippet,
	SnippetLocation,
	Source,
	SourceTag,
	StalePolicy,
	StatusAnswer,
	StepKind,
	SymbolChange,
	SymbolId,
	SymbolLocation,
	SymbolPlace,
	TextEdit,
	TraceItem,
	TraceOptions,
	Verdict,
	WhereUsedHead,
	WhereUsedOptions,
	WhereUsedResult,
	WholeDefinition,
} from "../generated/glue.js";
export type { DocumentStore } from "./document-store.js";
export type { CallOptions, Progress } from "./driver.js";
export type { Embed, Embedding } from "./embedding.js";
export { RagnavError } from "./errors.js";
export type { GrammarBytes, ReadGrammar } from "./grammars.js";
export type {
	ChangedFile,
	Changes,
	ChangesRequest,
	Commit,
	CommitChanges,
	CommitsBetweenRequest,
	DirEntry,
	EditorBuffer,
	Failure,
	FileStamp,
	FileTimes,
	GitHead,
	Host,
	IgnoreRules,
	MaybePromise,
	RootState,
	Watcher,
} from "./host.js";
export type { LanguagePlugin } from "./language-plugins.js";
export type { LimitOptions } from "./limits.js";
export {
	type MarkedLine,
	markedLine,
	type RowWithLine,
} from "./marked-line.js";
export { type MarkedText, markedPassage } from "./marked-passage.js";
export type {
	AskSources,
	Navigator,
	OpenOptions,
	StatusOptions,
	StatusResult,
} from "./navigator.js";
export {
	type CompletenessOf,
	describeCompleteness,
	describeCondition,
	describeFreshness,
	describeProof,
	describeSkipReason,
	displaySymbol,
	type FreshnessMeta,
	type PlainWords,
	type Tone,
} from "./plain-words.js";
export {
	attachEnrichment,
	decideRoute,
	editBytes,
	errorResult,
	fallbackResult,
	identifySymbolAtLine,
	iterMatches,
	locateSymbol,
	makeSnippet,
	okResult,
	parseIndexStatus,
} from "./pure.js";
export type { OfRoots, RootStatus, RowRoot } from "./roots/answers.js";
export { type RootsHost, rootsHost } from "./roots/host.js";
export type { NamedHost } from "./roots/mount.js";
export type { RootsMethod, RootsNavigator } from "./roots/navigator.js";
export { describeSince } from "./since-words.js";
export { describeSteps } from "./step-words.js";
export { type InitOptions, init } from "./wasm-module.js";
export type { Watching, WatchOptions } from "./watching.js";
