import type { Verdict } from "../../generated/glue.js";
import type { Host, RootState } from "../host.js";

/** An answer about several repositories. */
export type OfRoots<A> = (A extends { items: (infer Row)[] }
	? Omit<A, "items"> & { items: (Row & RowRoot)[] }
	: A) & {
	/** The state of each repository, in the order in which they were given. */
	roots: RootState[];
};

/** The repository of a row. */
export interface RowRoot {
	/** The name of the repository, with which the path begins. */
	root: string;
}

/** The state of one of several repositories, with the counts of its files. */
export interface RootStatus extends RootState {
	/** The number of files of each verdict; without an index there are none. */
	counts: Partial<Record<Verdict, number>>;
}

/** The lists of an answer whose rows have a place. */
const LISTS = [
	...(["items", "definitions", "affected", "tests", "results"] as const),
	...(["callers", "callees", "candidates"] as const),
];

/** A row of any answer. */
interface Row {
	file?: unknown;
	/** A passage names its file here. */
	citation?: { path?: unknown } | null;
	/** A row that is compared with an earlier one has its place here. */
	now?: { file: string } | null;
	was?: { file: string } | null;
	root?: string;
}

/** Adds to an answer the state of each repository, and to its rows their repository. */
export function withRoots<A extends object>(answer: A, host: Host): A {
	const states = host.roots?.();
	if (states === undefined) return answer;
	const lists = answer as Partial<Record<(typeof LISTS)[number], Row[]>>;
	for (const name of LISTS) {
		for (const row of lists[name] ?? []) {
			const compared = row.now?.file ?? row.was?.file;
			const path = row.file ?? row.citation?.path ?? compared;
			if (typeof path === "string") row.root = rootOf(path);
		}
	}
	return { ...answer, roots: states };
}

/** Adds to the states of repositories the counts of their files. */
export function withCounts<
	A extends { items: { file: string; verdict: Verdict }[] },
>(answer: A): A {
	const { roots } = answer as A & { roots?: RootState[] };
	if (roots === undefined) return answer;
	const counts = new Map<string, RootStatus["counts"]>();
	for (const { file, verdict } of answer.items) {
		const root = rootOf(file);
		const own = counts.get(root) ?? {};
		own[verdict] = (own[verdict] ?? 0) + 1;
		counts.set(root, own);
	}
	const counted = roots.map((state) => {
		const own = Object.entries(counts.get(state.name) ?? {});
		return { ...state, counts: Object.fromEntries(own.sort(byVerdict)) };
	});
	return { ...answer, roots: counted };
}

const VERDICTS: readonly string[] = [
	"unchanged",
	"changed",
	"added",
	"removed",
	"skipped",
	"unknown",
] satisfies Verdict[];

function byVerdict([one]: [string, number], [other]: [string, number]): number {
	return VERDICTS.indexOf(one) - VERDICTS.indexOf(other);
}

/**
 * Returns the arguments of a query. A commit belongs to the repository of the file: in another one
 * nothing would be known of the file.
 */
export function withOwnCommit(given: object, host: Host): object {
	const { file, commit } = given as { file?: unknown; commit?: unknown };
	if (typeof file !== "string" || typeof commit !== "string") return given;
	if (host.roots === undefined) return given;
	const prefix = `${rootOf(file)}:`;
	return commit.startsWith(prefix)
		? given
		: { ...given, commit: prefix + commit };
}

function rootOf(path: string): string {
	return path.split("/", 1)[0] ?? path;
}
