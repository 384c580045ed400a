import type { Navigator } from "../navigator.js";
import type { OfRoots, RootStatus } from "./answers.js";

/** The queries whose answers say which repository a row is from. */
export type RootsMethod =
	| "search"
	| "whereUsed"
	| "lineage"
	| "locate"
	| "definition"
	| "typeDefinition"
	| "identify"
	| "outline"
	| "files"
	| "occurrences"
	| "impact"
	| "trace"
	| "renamePlan"
	| "movePlan"
	| "recheck"
	| "explore"
	| "ask"
	| "route"
	| "buildGraph";

/** The queries of several repositories; `open` makes it from a list. */
export type RootsNavigator = {
	[M in RootsMethod]: (
		...given: Parameters<Navigator[M]>
	) => Promise<OfRoots<Awaited<ReturnType<Navigator[M]>>>>;
} & {
	status(...given: Parameters<Navigator["status"]>): Promise<
		Omit<OfRoots<Awaited<ReturnType<Navigator["status"]>>>, "roots"> & {
			roots: RootStatus[];
		}
	>;
} & Navigator;
