import { countWords } from "../../../core/counts.js";
import type { IndexSummary } from "../../scip/write-index.js";
import { displayPath, printable, type View } from "../view.js";
import type { Printed } from "./queries.js";
import { summaryLines } from "./summary.js";

/** Files that could not be read and are named. */
const MAX_NAMED = 3;

/** What `ragnav export` says about the file that it wrote. */
export interface ExportAnswer extends IndexSummary {
	file: string;
}

/** Prints what was written, and how fresh it is. */
export function printExport(answer: ExportAnswer, view: View): Printed {
	const { documents, symbols, occurrences, candidates, unreadable } = answer;
	const counts = [
		countWords(documents, "document"),
		countWords(symbols, "symbol"),
		countWords(occurrences, "occurrence"),
	].join(", ");
	const left =
		candidates === 0
			? []
			: [
					`left out: ${countWords(candidates, "reference")} to members of objects of unknown type`,
				];
	return {
		rows: [printable(displayPath(answer.file))],
		summary: [
			...left.map(view.colors.dim),
			...unreadLine(unreadable),
			...summaryLines(answer.meta, counts, view),
		],
	};
}

function unreadLine(unreadable: readonly string[]): string[] {
	if (unreadable.length === 0) return [];
	const names = unreadable.slice(0, MAX_NAMED).map(printable).join(", ");
	const more = unreadable.length - MAX_NAMED;
	const rest = more > 0 ? `, and ${more} more (--json names all)` : "";
	return [`left out, since they could not be read: ${names}${rest}`];
}
