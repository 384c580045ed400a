import { formatCount } from "../counts.js";
import type { RootStatus } from "./answers.js";

/** The number of digits that tell commits apart. */
const SHORT_ID = 10;

/** Describes one of several repositories: its commit, and what its files are. */
export function describeRoot({
	head,
	counts,
}: Pick<RootStatus, "head" | "counts">): string {
	const commit = head === null ? "no commit" : head.slice(0, SHORT_ID);
	const files = Object.entries(counts)
		.filter(([, count]) => count > 0)
		.map(([verdict, count]) => `${formatCount(count)} ${verdict}`);
	return [commit, ...files].join(", ");
}
