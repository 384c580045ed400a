import type { RagResult } from "../../entries/node.js";

/** The exit codes are those of grep and ripgrep: rows, no rows, an error. */
export const EXIT_OK = 0;
export const EXIT_NO_ROWS = 1;
export const EXIT_ERROR = 2;
/** The code of `build-graph --check` if a build would change the index. */
export const EXIT_WOULD_CHANGE = 3;

/** Returns the exit code of an answer whose rows were asked for. */
export function exitCodeOf({ meta, items }: RagResult<unknown>): number {
	if (meta.status === "ERROR") return EXIT_ERROR;
	return items.length === 0 ? EXIT_NO_ROWS : EXIT_OK;
}

/** Returns the exit code of an answer that is good with no rows too. */
export function errorCodeOf({
	meta,
}: Pick<RagResult<unknown>, "meta">): number {
	return meta.status === "ERROR" ? EXIT_ERROR : EXIT_OK;
}
