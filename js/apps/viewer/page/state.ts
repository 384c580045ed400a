import { signal } from "@preact/signals";
import type {
	AgentResult,
	Definition,
	Direction,
	LineageResult,
	OutlineItem,
	RagResult,
	RagToolMeta,
	SearchMode,
	SearchResult,
	WhereUsedResult,
} from "../../../core/api.js";
import type { Files, Opened } from "./worker-api.js";

/** An answer that is there, or on its way while the one before still shows. */
export interface Answer<T> {
	asking: boolean;
	value: T | null;
}

/** What the middle of the page shows. */
export type Shown =
	| { kind: "text"; file: string; text: string; line: number | null }
	| { kind: "problem"; file: string; problem: string };

export type Panel = "search" | "outline" | "used" | "lineage" | "ask";

export const NO_ANSWER = { asking: false, value: null };

export const opened = signal<Opened | null>(null);
/** What keeps the whole page from working, or came of something that was asked for. */
export const trouble = signal<string | null>(null);
export const files = signal<Files | null>(null);
export const shown = signal<Shown | null>(null);
/** The definitions around the cursor's line, innermost first. */
export const around = signal<Definition[]>([]);
export const panel = signal<Panel>("search");
export const query = signal("");
export const mode = signal<SearchMode>("literal");
export const found = signal<Answer<SearchResult>>(NO_ANSWER);
/** The symbol that is asked about. */
export const symbol = signal("");
export const used = signal<Answer<WhereUsedResult>>(NO_ANSWER);
export const direction = signal<Direction>("upstream");
export const depth = signal(2);
export const lineage = signal<Answer<LineageResult>>(NO_ANSWER);
/** The definitions of the file that is shown. */
export const outline = signal<Answer<RagResult<OutlineItem>>>(NO_ANSWER);
export const question = signal("");
export const answered = signal<Answer<AgentResult>>(NO_ANSWER);
/** What the last answer rests on. */
export const restsOnMeta = signal<RagToolMeta | null>(null);
/** How far a build is, in words. */
export const building = signal<string | null>(null);
export const helpIsOpen = signal(false);
