import { countWords } from "../../../core/counts.js";
import { displaySymbol } from "../../../core/plain-words.js";
import { sureness } from "../../../core/sureness.js";
import type { ExploreResult, Source } from "../../../entries/node.js";
import { printable, printableLines, type View } from "../view.js";
import { printDefinitions } from "./definitions.js";
import { section, testRow } from "./impact.js";
import { printLineageRows } from "./lineage.js";
import type { Printed } from "./queries.js";
import { summaryLines } from "./summary.js";

const TAB = "    ";

/** Prints definitions, the source of the first, its callers, its callees and its tests. */
export function printExplore(answer: ExploreResult, view: View): Printed {
	const { items, code, callers, callers_total, callees, callees_total } =
		answer;
	const { tests, tests_total, meta } = answer;
	const rows = [
		...printDefinitions(items, view),
		...(code === null ? [] : sourceRows(code, view)),
		...section(
			"callers:",
			printLineageRows(callers, "upstream", view),
			callers_total,
			view,
		),
		...section(
			"callees:",
			printLineageRows(callees, "downstream", view),
			callees_total,
			view,
		),
		...section(
			"tests that reach it:",
			tests.map((test) => testRow(test, view)),
			tests_total,
			view,
		),
	];
	const count = `${countWords(items.length, "definition")}${printable(sureness(answer))}`;
	return { rows, summary: summaryLines(meta, count, view) };
}

function sourceRows(code: Source, { colors: { bold, dim } }: View): string[] {
	const { symbol, start_line, end_line, shown_lines, text } = code;
	const lines = end_line - start_line + 1;
	const more = lines - shown_lines;
	return [
		"",
		bold(`source of ${printable(displaySymbol(symbol))}:`),
		...printableLines(text.replaceAll("\t", TAB)).split("\n"),
		...(more > 0
			? [dim(`… ${countWords(more, "further line")} (--token-budget)`)]
			: []),
	];
}
