import type {
	AgentResult,
	BuildAllResult,
	Definition,
	Direction,
	LineageResult,
	OutlineItem,
	Progress,
	Proof,
	RagResult,
	RagToolMeta,
	SearchMode,
	SearchResult,
	Verdict,
	WhereUsedResult,
} from "../../../core/api.js";

/** Where the files are. */
export type Source =
	| { kind: "served"; url: string }
	| { kind: "zip"; name: string; bytes: Uint8Array }
	| { kind: "folder"; handle: FileSystemDirectoryHandle };

/** A repository that was opened. */
export interface Opened {
	name: string;
	kind: Source["kind"];
	/** What was left out of it, in words. */
	notes: string[];
}

/** How a file stands to the index. */
export interface Standing {
	verdict: Verdict;
	proof: Proof;
}

/** The files, and how they stand to the index. */
export interface Files {
	meta: RagToolMeta;
	paths: string[];
	/** Of the files that are in the index, or differ from it. */
	standings: Map<string, Standing>;
}

/** A file's text, or why there is none. */
export type FileText = { text: string } | { problem: string };

/** What the page asks of its worker. Each question has a number, by which it can be cancelled. */
export interface ViewerWorker {
	open(source: Source): Promise<Opened>;
	/** Another text where the files may be others. */
	version(): Promise<string>;
	files(id: number): Promise<Files>;
	text(path: string): Promise<FileText>;
	search(
		id: number,
		query: string,
		mode: SearchMode,
		cursor: string | null,
	): Promise<SearchResult>;
	whereUsed(
		id: number,
		symbol: string,
		cursor: string | null,
	): Promise<WhereUsedResult>;
	lineage(
		id: number,
		symbol: string,
		direction: Direction,
		depth: number,
	): Promise<LineageResult>;
	locate(id: number, symbol: string): Promise<RagResult<Definition>>;
	identify(
		id: number,
		file: string,
		line: number,
	): Promise<RagResult<Definition>>;
	outline(id: number, file: string): Promise<RagResult<OutlineItem>>;
	ask(
		id: number,
		question: string,
		onProgress: (progress: Progress) => void,
	): Promise<AgentResult>;
	build(
		id: number,
		onProgress: (progress: Progress) => void,
	): Promise<BuildAllResult>;
	cancel(id: number): void;
}
