import type { RenamePlanResult } from "../../core/api.js";
import { describeCompleteness } from "../../core/plain-words.js";
import { grouped } from "./rows.js";

/** Returns why a rename is refused, and its edits below the names of their files. */
export function renameText(plan: RenamePlanResult): string[] {
	const { items, refusals, candidates, candidates_total, files } = plan;
	const edits = grouped(items, (item) => {
		const { line, start_utf16, old_text, new_text, resolution } = item;
		const doubt = resolution === "candidate" ? "  (by name alone)" : "";
		return `${line}:${start_utf16 + 1}  ${old_text} -> ${new_text}${doubt}`;
	});
	const moves = files.flatMap(({ file, moves_to }) =>
		moves_to === null ? [] : [`move ${file} to ${moves_to}`],
	);
	const left = candidates.map(
		({ file, line, start_utf16 }) => `${file}:${line}:${start_utf16 + 1}`,
	);
	const heading = `by name alone, not edited (${candidates_total}):`;
	return [
		...refusals.map(({ message }) => `REFUSED: ${message}`),
		...edits,
		...moves,
		...(left.length === 0 ? [] : [heading, ...left]),
		...(items.length === 0
			? []
			: [`references: ${describeCompleteness(plan)}`]),
	];
}
