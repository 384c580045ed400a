import { describeRoot } from "../../../core/roots/describe-root.js";
import type { RootState, RootStatus } from "../../../entries/node.js";
import { printable, printableLines, type View } from "../view.js";

/** Returns a line for each of several repositories that is not a part of the answer. */
export function failedRoots(answer: object, { colors }: View): string[] {
	const { roots = [] } = answer as { roots?: RootState[] };
	const failed = roots.filter(({ error_code }) => error_code !== null);
	return failed.map(({ name, error_code, message }) => {
		const code = colors.red(`${printable(name)}: ${error_code}:`);
		return `${code} ${printableLines(message ?? "it failed")}`;
	});
}

/** Returns a line for each of several repositories: its commit, and what its files are. */
export function rootLines(answer: object, { colors }: View): string[] {
	const { roots = [] } = answer as { roots?: RootStatus[] };
	return roots.map((root) =>
		colors.dim(`${printable(root.name)}: ${describeRoot(root)}`),
	);
}
