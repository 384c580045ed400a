import { formatCount } from "../../../core/counts.js";
import {
	describeDifference,
	describeSkipReason,
} from "../../../core/plain-words.js";
import { describeRoot } from "../../../core/roots/describe-root.js";
import { describeCompilerIndex } from "../../../core/scip/describe-index.js";
import type { FilesResult, RootStatus } from "../../../entries/node.js";
import type { BuildGraphAnswer, StatusAnswer } from "../answers.js";

/** Formats files, one per line. */
export function filesText({ items }: FilesResult): string[] {
	return items.map(({ file, language, skipped }) => {
		if (skipped !== null) return `${file}  ${describeSkipReason(skipped)}`;
		return language === null ? file : `${file}  ${language}`;
	});
}

/** Formats the statuses of files, below their numbers. */
export function statusText(answer: StatusAnswer): string[] {
	const { items, counts, without_symbols, compiler_indexes } = answer;
	const { roots = [] } = answer as { roots?: RootStatus[] };
	const rows = items.map(
		({ file, verdict, proof, reason }) =>
			`${verdict}  ${file}  ${reason ?? describeDifference(proof)}`,
	);
	const unknown = without_symbols.map(
		({ extension, files }) => `${files} ${extension || "without extension"}`,
	);
	const without =
		unknown.length === 0 ? [] : [`without symbols: ${unknown.join(", ")}`];
	const each = roots.map((root) => `${root.name}: ${describeRoot(root)}`);
	const indexes = compiler_indexes.map(describeCompilerIndex);
	return [...countsLine(counts), ...each, ...rows, ...without, ...indexes];
}

/** Formats the files that a build changed, below their numbers. */
export function buildText({
	items,
	counts,
	up_to_date,
}: BuildGraphAnswer): string[] {
	const rows = items.map(({ file, change }) => `${change}  ${file}`);
	const done = up_to_date ? ["up to date"] : [];
	return [...countsLine(counts), ...rows, ...done];
}

/** Formats counts other than 0: `3 changed, 1,200 unchanged`. */
function countsLine(counts: object): string[] {
	const parts = Object.entries(counts)
		.filter(([, count]) => count > 0)
		.map(([name, count]) => `${formatCount(count)} ${name}`);
	return parts.length === 0 ? [] : [parts.join(", ")];
}
