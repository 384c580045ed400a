// What the four clients have in common: they ask the same.
import { readFileSync } from "node:fs";
import type { RagToolMeta } from "#ragnav";

export type Question = "locate" | "where-used" | "search";

export interface Answer {
	/** `file:line` of each row that is said to be current. */
	current: Set<string>;
	/** `file:line` of all rows. */
	all: Set<string>;
	/** The state of the index, or why there is no answer. */
	says: string;
	isError: boolean;
}

export interface Client {
	readonly name: string;
	readonly questions: readonly Question[];
	ask(question: Question, name: string): Promise<Answer>;
	/** The processes that live on between questions. */
	processes(): number[];
	close(): Promise<void>;
}

/** More rows than a name of the tree has. */
export const LIMIT = 1000;
/** The time limit of a question. */
export const TIMEOUT_MS = 120_000;

/** Every question; a browser asks only some. */
export const QUESTIONS: readonly Question[] = [
	"locate",
	"where-used",
	"search",
];

/** Returns a pattern that finds a name as a word. */
export const wordPattern = (name: string) => `\\b${name}\\b`;

/** What the tests read of an answer. */
export interface Envelope {
	meta: RagToolMeta & { rows?: { proof?: string } };
	items: { file: string; line?: number; start_line?: number; proof?: string }[];
}

export function answerOf({ meta, items }: Envelope): Answer {
	const all = new Set<string>();
	const current = new Set<string>();
	for (const { file, line, start_line, proof } of items) {
		const place = `${file}:${line ?? start_line}`;
		all.add(place);
		if ((proof ?? meta.rows?.proof) !== "none") current.add(place);
	}
	const isError = meta.status === "ERROR";
	const says = isError
		? `${meta.error_code}: ${meta.message}`
		: `${meta.status} ${meta.freshness_state}`;
	return { all, current, says, isError };
}

/** Returns the resident memory of a process in MiB; 0 if it has ended. */
export function memoryOf(pid: number): number {
	try {
		const status = readFileSync(`/proc/${pid}/status`, "utf8");
		return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
	} catch {
		return 0;
	}
}
