import { countWords } from "../../../core/counts.js";
import {
	describeSkipReason,
	displaySymbol,
} from "../../../core/plain-words.js";
import { sureness } from "../../../core/sureness.js";
import type {
	Definition,
	FilesResult,
	LineageResult,
	LocateResult,
	OccurrencesResult,
	OutlineItem,
	RagResult,
	SearchResult,
	WhereUsedResult,
} from "../../../entries/node.js";
import { place, printable, type View } from "../view.js";
import {
	condition,
	printOutline as outlineRows,
	printDefinitions,
	printSubjects,
} from "./definitions.js";
import { printLineageRows } from "./lineage.js";
import { printRows } from "./rows.js";
import { pageSummary, summaryLines } from "./summary.js";

/** What a command prints: its rows, and what is said about them. */
export interface Printed {
	rows: string[];
	summary: string[];
}

/** Prints the rows of a search. */
export function printSearch(result: SearchResult, view: View): Printed {
	const rows = printRows(result.items, view);
	return { rows, summary: pageSummary(result, view) };
}

/** Prints references below the definitions that they are about; resolved ones come first. */
export function printWhereUsed(result: WhereUsedResult, view: View): Printed {
	const { symbol, definitions, items } = result;
	const subjects = printSubjects(symbol, definitions, view);
	const summary = pageSummary(result, view);
	if (view.layout === "vimgrep") {
		// Editors parse every line of standard output as a row.
		return { rows: printRows(items, view), summary: [...subjects, ...summary] };
	}
	const resolved = items.filter(({ resolution }) => resolution !== "candidate");
	const candidates = items.slice(resolved.length);
	const rows = printRows(resolved, view);
	if (candidates.length > 0) {
		const heading = "only the name matches:";
		const gap = rows.length > 0 ? [""] : [];
		rows.push(...gap, view.colors.yellow(heading));
		rows.push(...printRows(candidates, view));
	}
	return { rows: [...subjects, ...rows], summary };
}

/** Prints a lineage below the definitions that it starts from. */
export function printLineage(result: LineageResult, view: View): Printed {
	const { symbol, direction, definitions, items } = result;
	const subjects = printSubjects(symbol, definitions, view);
	const rows = [...subjects, ...printLineageRows(items, direction, view)];
	return { rows, summary: pageSummary(result, view) };
}

/** Prints definitions; those of a symbol with how sure it is that there are no others. */
export function printPlaces(
	answer: RagResult<Definition> | LocateResult,
	view: View,
): Printed {
	const { items, meta } = answer;
	const sure = "suggestions" in answer ? printable(sureness(answer)) : "";
	const count = `${countWords(items.length, "definition")}${sure}`;
	const summary = summaryLines(meta, count, view);
	return { rows: printDefinitions(items, view), summary };
}

/** Prints the definitions of a file. */
export function printOutline(
	{ items, meta }: RagResult<OutlineItem>,
	view: View,
): Printed {
	const rows = outlineRows(items, view);
	const count = countWords(rows.length, "definition");
	return { rows, summary: summaryLines(meta, count, view) };
}

/** Prints the names in a file with the definitions that they mean. */
export function printOccurrences(
	result: OccurrencesResult,
	view: View,
): Printed {
	const rows = result.items.map((item) => {
		const { file, line, start_utf16, kind, definition } = item;
		const when = condition(item, view);
		const at = place(view, file, line, start_utf16 + 1);
		const name = printable(displaySymbol(definition.symbol));
		if (kind === "definition") {
			return `${at}  ${definition.kind} ${view.colors.bold(name)}${when}`;
		}
		const target = place(view, definition.file, definition.line);
		return `${at}  ${kind} of ${view.colors.bold(name)}  ${target}${when}`;
	});
	return { rows, summary: pageSummary(result, view) };
}

/** Prints the files that the walk admits, and those that it skips with the reason. */
export function printFiles(result: FilesResult, view: View): Printed {
	const rows = result.items.map(({ file, language, skipped }) => {
		const why =
			skipped === null
				? (language ?? "")
				: `skipped: ${describeSkipReason(skipped)}`;
		return `${place(view, file)}${why === "" ? "" : view.colors.dim(`  ${why}`)}`;
	});
	return { rows, summary: pageSummary(result, view) };
}
