import type {
	AgentResult,
	BuildAllResult,
	Definition,
	Direction,
	ImpactResult,
	LineageResult,
	NavItem,
	OutlineItem,
	PassageKind,
	Progress,
	Proof,
	RagResult,
	RagToolMeta,
	SearchMode,
	SearchResult,
	Verdict,
	WhereUsedResult,
} from "../../../core/api.js";
import type { PathMatch } from "./fuzzy.js";

/** Where the files are. */
export type Source =
	| { kind: "served"; url: string }
	| { kind: "zip"; name: string; bytes: Uint8Array }
	| { kind: "folder"; handle: FileSystemDirectoryHandle };

/** A repository that was opened. */
export interface Opened {
	name: string;
	kind: Source["kind"];
	/** What it leaves out, in words. */
	notes: string[];
}

/** How a file compares with the index. */
export interface FileStatus {
	verdict: Verdict;
	proof: Proof;
}

/** The files, and how they compare with the index. */
export interface Files {
	/** `null` until the files have been compared. */
	meta: RagToolMeta | null;
	paths: readonly string[];
	/** The statuses of the files that differ from the index. */
	statuses: Map<string, FileStatus>;
}

/** A file's text, or the reason why it is not shown. */
export type FileText = { text: string } | { problem: string };

/** The queries of the page. Each has a number, by which it can be cancelled. */
export interface ViewerWorker {
	open(source: Source): Promise<Opened>;
	/** Returns another text when the files may differ. */
	version(): Promise<string>;
	/** Lists the files, without comparing them with the index. */
	paths(): Promise<readonly string[]>;
	files(id: number): Promise<Files>;
	text(path: string): Promise<FileText>;
	/** Reads what a search needs, so that the first one answers as fast as later ones. */
	warm(): Promise<void>;
	/** Finds files by some letters of their paths. */
	matchFiles(text: string, limit: number): Promise<PathMatch[]>;
	/** Finds definitions by words of their names. */
	matchSymbols(id: number, text: string): Promise<NavItem[]>;
	search(
		id: number,
		query: string,
		mode: SearchMode,
		cursor: string | null,
	): Promise<SearchResult>;
	/** The subject is a symbol, or a place as `file:line:column`. */
	whereUsed(
		id: number,
		subject: string,
		cursor: string | null,
	): Promise<WhereUsedResult>;
	lineage(
		id: number,
		subject: string,
		direction: Direction,
		depth: number,
	): Promise<LineageResult>;
	/** Compares the files with a commit. */
	impact(id: number, from: string): Promise<ImpactResult>;
	locate(id: number, subject: string): Promise<RagResult<Definition>>;
	identify(
		id: number,
		file: string,
		line: number,
	): Promise<RagResult<Definition>>;
	outline(id: number, file: string): Promise<RagResult<OutlineItem>>;
	ask(
		id: number,
		question: string,
		only: PassageKind | null,
		onProgress: (progress: Progress) => void,
	): Promise<AgentResult>;
	build(
		id: number,
		onProgress: (progress: Progress) => void,
	): Promise<BuildAllResult>;
	cancel(id: number): void;
}
