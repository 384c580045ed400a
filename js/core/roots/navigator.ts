import type { Navigator } from "../navigator.js";
import type { OfRoots, RootStatus } from "./answers.js";

type Method =
	| "search"
	| "whereUsed"
	| "lineage"
	| "locate"
	| "definition"
	| "identify"
	| "outline"
	| "files"
	| "impact"
	| "trace"
	| "renamePlan"
	| "explore"
	| "ask"
	| "route"
	| "buildGraph";

/** The queries of several repositories; `open` makes it from a list. */
export type RootsNavigator = {
	[M in Method]: (
		...given: Parameters<Navigator[M]>
	) => Promise<OfRoots<Awaited<ReturnType<Navigator[M]>>>>;
} & {
	status(...given: Parameters<Navigator["status"]>): Promise<
		Omit<OfRoots<Awaited<ReturnType<Navigator["status"]>>>, "roots"> & {
			roots: RootStatus[];
		}
	>;
} & Navigator;
