import { signal } from "@preact/signals";
import type {
	AgentResult,
	Definition,
	ImpactResult,
	LineageResult,
	OutlineItem,
	RagResult,
	RagToolMeta,
	SearchResult,
	WhereUsedResult,
} from "../../../core/api.js";
import { route } from "./location.js";
import type { Files, Opened } from "./worker-api.js";

/** An answer. While a new one is loading, `value` is the one before. */
export interface Answer<T> {
	isLoading: boolean;
	value: T | null;
}

/** An answer that may suggest symbols similar to an undefined one. */
export type WithSuggestions<T> = T & { suggestions?: string[] };

/** The file in the source pane. */
export type Shown =
	| { kind: "text"; file: string; text: string; line: number | null }
	| { kind: "problem"; file: string; problem: string };

export type Dialog = "keys" | "files" | "commands" | null;

export const NO_ANSWER = { isLoading: false, value: null };

export const opened = signal<Opened | null>(null);
/** A message about the whole page: an error, or what an archive left out. */
export const notice = signal<string | null>(null);
export const files = signal<Files | null>(null);
export const shown = signal<Shown | null>(null);
/** Whether a file is being read for the source pane. */
export const isReading = signal(false);
/** The definitions that enclose the cursor's line, innermost first. */
export const enclosing = signal<Definition[]>([]);
/** The text in the search box; the route follows it a moment later. */
export const typedQuery = signal(route.peek().query);
export const found = signal<Answer<SearchResult>>(NO_ANSWER);
export const used = signal<Answer<WithSuggestions<WhereUsedResult>>>(NO_ANSWER);
export const lineage =
	signal<Answer<WithSuggestions<LineageResult>>>(NO_ANSWER);
export const changes = signal<Answer<ImpactResult>>(NO_ANSWER);
/** The definitions of the file that is shown. */
export const outline = signal<Answer<RagResult<OutlineItem>>>(NO_ANSWER);
export const passages = signal<Answer<AgentResult>>(NO_ANSWER);
/** The metadata of the latest answer, also of one that failed. */
export const latestMeta = signal<RagToolMeta | null>(null);
/** The progress of a build or a question, in words. */
export const progress = signal<string | null>(null);
export const dialog = signal<Dialog>(null);
