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

/** The source of the files. */
export type Source =
	| { kind: "served"; url: string }
	| { kind: "zip"; name: string; bytes: Uint8Array }
	| { kind: "folder"; handle: FileSystemDirectoryHandle };

/** An opened repository. */
export interface Opened {
	name: string;
	kind: Source["kind"];
	/** Messages about what was left out. */
	notes: string[];
}

/** The status of a file: how it compares with the index. */
export interface FileStatus {
	verdict: Verdict;
	proof: Proof;
}

/** The files with their statuses. */
export interface Files {
	/** The metadata of the comparison with the index; `null` until there is one. */
	meta: RagToolMeta | null;
	paths: readonly string[];
	/** The statuses of the files that differ from the index. */
	statuses: Map<string, FileStatus>;
}

/** The text of a file, or the reason why it is not shown. */
export type FileText = { text: string } | { problem: string };

/** The queries of the page. Each has a number, with which the page can cancel it. */
export interface ViewerWorker {
	open(source: Source): Promise<Opened>;
	/** Returns a version of the files, which changes when a file may have changed. */
	version(): Promise<string>;
	/** Lists the files without verifying them against the index. */
	paths(): Promise<readonly string[]>;
	files(id: number): Promise<Files>;
	text(path: string): Promise<FileText>;
	/** Reads the data of searches, so that the first search is as fast as later ones. */
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
	/** Finds references. The subject is a symbol, or a place as `file:line:column`. */
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
