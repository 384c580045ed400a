import type {
	MovePlanResult,
	PlannedEdit,
	RenamePlanResult,
} from "../../core/api.js";
import { describeCompleteness } from "../../core/plain-words.js";
import { grouped } from "./rows.js";

/** Returns why a plan is refused, and its edits below the names of their files. */
export function planText(plan: RenamePlanResult | MovePlanResult): string[] {
	const { items, refusals, candidates, candidates_total, files } = plan;
	const moves = files.flatMap(({ file, hash, moves_to }) => {
		const created = hash === null ? [`create ${file}`] : [];
		return moves_to === null ? created : [`move ${file} to ${moves_to}`];
	});
	const left = candidates.map(
		({ file, line, start_utf16 }) => `${file}:${line}:${start_utf16 + 1}`,
	);
	const heading = `by name alone, not edited (${candidates_total}):`;
	return [
		...refusals.map(({ message }) => `REFUSED: ${message}`),
		...grouped(items, editText),
		...moves,
		...(left.length === 0 ? [] : [heading, ...left]),
		...(items.length === 0
			? []
			: [`references: ${describeCompleteness(plan)}`]),
	];
}

function editText(item: PlannedEdit): string {
	const { line, start_utf16, old_text, new_text, resolution } = item;
	const doubt = resolution === "candidate" ? "  (by name alone)" : "";
	const change = `${brief(old_text)} -> ${brief(new_text)}`;
	return `${line}:${start_utf16 + 1}  ${change}${doubt}`;
}

/** Shortens a text of several lines to its first; an empty text is one that is not there. */
function brief(text: string): string {
	const lines = text.trim().split("\n");
	const [first = ""] = lines;
	if (lines.length > 1) return `${first} … (${lines.length} lines)`;
	return first || "nothing";
}
