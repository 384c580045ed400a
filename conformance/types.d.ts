/** A place as `file:line`: the path from the root with `/`, and the line from 1. */
export type Place = string;

/** What happens to a repository, in order. `vector.schema.json` describes each step. */
export type Step =
	| { do: "index" }
	| { do: "interrupt-index" }
	| { do: "copy-index"; files: Record<string, string> }
	| { do: "keep-index" }
	| { do: "restore-index" }
	| { do: "damage-index"; how: "truncate" | "empty" | "garbage" | "remove" }
	| {
			do: "write";
			file: string;
			text: string;
			encoding?: Encoding;
			keep_time?: true;
			replace?: true;
	  }
	| { do: "rename"; from: string; to: string }
	| { do: "delete"; file: string }
	| { do: "touch"; file: string; time: string }
	| { do: "chmod"; file: string; mode: string }
	| { do: "symlink"; file: string; target: string }
	| { do: "hardlink"; file: string; target: string }
	| { do: "git"; args: string[]; in?: string; fails?: true }
	| { do: "enter"; folder: string }
	| { do: "relocate"; folder: string }
	| { do: "buffer"; file: string; text: string }
	| { do: "close-buffer"; file: string }
	| { do: "ask" };

export type Encoding = "utf-8" | "utf-16le" | "latin1";

/** What is asked of a tool. */
export type Asked =
	| { ask: "definitions"; symbol: string }
	| { ask: "references"; symbol: string }
	| { ask: "search"; text: string };

/** A question with its truth: `rows` must be in the answer, and those of `also` may be. */
export type Question = Asked & { rows: Place[]; also?: Place[] };

/** What a tool may say at most: that its index has the files as they are, or only its rows. */
export type MayClaim = "index" | "rows";

/** What a scenario needs of the system or of the tool. */
export type Need = "buffers" | "links" | "permissions";

export interface Scenario {
	id: string;
	title: string;
	needs?: Need[];
	files: Record<string, string>;
	steps: Step[];
	may_claim: MayClaim;
	questions: Question[];
}

/** A file of `vectors/`. */
export interface Group {
	$schema: string;
	group: string;
	title: string;
	scenarios: Scenario[];
}

/** Whether a tool says that something is as the files are now. */
export type Claim = "current" | "outdated" | "unsaid";

export interface Row {
	file: string;
	line: number;
	/** What the tool says about this row, or about the answer as a whole. */
	claim: Claim;
}

/** What a tool answers to one question. */
export type Answer =
	| {
			kind: "rows";
			rows: Row[];
			/** What the tool says about its index. */
			index: Claim;
			/** Whether the tool says that no row is missing. */
			complete: boolean;
	  }
	| { kind: "refused"; reason: string }
	| { kind: "not_applicable"; reason: string };

/** A tool in one repository, for the length of one scenario. */
export interface Session {
	/** Builds or updates the index, and returns when it is finished. */
	index(): Promise<void>;
	/** Starts to build the index, and ends that early as a crash would. */
	interruptIndex(): Promise<void>;
	/** Gives a file the text of an unsaved buffer, or with `null` its own text again. */
	setBuffer(file: string, text: string | null): Promise<void>;
	ask(question: Asked): Promise<Answer>;
	close(): Promise<void>;
}

/** A tool under test. */
export interface Adapter {
	name: string;
	/** Where in the repository the tool keeps its index: files and folders of the root. */
	index_paths: string[];
	asks: Asked["ask"][];
	has_buffers: boolean;
	/** How the tool says that it is up to date, in one sentence. */
	claims: string;
	/** Returns the name and the version, as the report shows them. */
	version(): Promise<string>;
	/** Opens the tool in a folder. `scratch` is an empty folder outside of the repository. */
	open(folder: string, scratch: string): Promise<Session>;
}
