import { countWords } from "../../../core/counts.js";
import {
	describeCompleteness,
	displaySymbol,
} from "../../../core/plain-words.js";
import type {
	MovePlanResult,
	PlannedEdit,
	RenamePlanResult,
} from "../../../entries/node.js";
import { place, printable, type View } from "../view.js";
import type { Printed } from "./queries.js";
import { printRows } from "./rows.js";
import { summaryLines } from "./summary.js";

/** Prints the edits of a plan below the names of their files, and why it is refused. */
export function printPlan(
	plan: RenamePlanResult | MovePlanResult,
	heading: string,
	view: View,
): Printed {
	const { items, definitions, files, candidates, candidates_total } = plan;
	const { bold, dim, red } = view.colors;
	const names = definitions.map(({ kind, symbol, file, start_line }) => {
		const name = bold(printable(displaySymbol(symbol)));
		return `${dim(kind)} ${name}  ${place(view, file, start_line)}`;
	});
	const edits = files.flatMap(({ file, hash, moves_to }) => {
		const isNew = hash === null ? dim(" (new)") : "";
		const moved = moves_to === null ? isNew : dim(` → ${printable(moves_to)}`);
		const own = items.filter((item) => item.file === file);
		const rows = own.map((item) => editRow(item, view));
		return ["", `${place(view, file)}${moved}`, ...rows];
	});
	const more = candidates_total - candidates.length;
	const left =
		candidates_total === 0
			? []
			: [
					"",
					bold(heading),
					...printRows(candidates, view),
					...(more > 0 ? [dim(`… and ${more} more`)] : []),
				];
	const refusals = plan.refusals.map(
		({ message }) => `${red(bold("refused:"))} ${printable(message)}`,
	);
	const count = `${countWords(items.length, "edit")} in ${countWords(files.length, "file")}`;
	const sureness =
		items.length === 0 ? "" : `, ${printable(describeCompleteness(plan))}`;
	return {
		rows: [...names, ...edits, ...left],
		summary: [
			...refusals,
			...summaryLines(plan.meta, `${count}${sureness}`, view),
		],
	};
}

function editRow(item: PlannedEdit, view: View): string {
	const { green, red, yellow, dim } = view.colors;
	const { line, start_utf16, old_text, new_text, kind, resolution } = item;
	const doubt =
		resolution === "candidate" ? yellow("  (only the name matches)") : "";
	const change = `${red(shown(old_text))} → ${green(shown(new_text))}`;
	return `  ${line}:${start_utf16 + 1}  ${change}  ${dim(kind)}${doubt}`;
}

/** Returns a text, or the number of its lines if it has several. */
function shown(text: string): string {
	const lines = text.trim().split(/\r\n|[\r\n]/);
	if (lines.length > 1) return countWords(lines.length, "line");
	return text.trim() === "" ? "nothing" : printable(text.trim());
}
