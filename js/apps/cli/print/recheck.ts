import { countWords } from "../../../core/counts.js";
import type {
	RecheckItem,
	RecheckResult,
	RowPlace,
	RowState,
} from "../../../entries/node.js";
import { place, printable, type View } from "../view.js";
import type { Printed } from "./queries.js";
import { summaryLines } from "./summary.js";

const STATES = ["moved", "changed", "gone", "new"] as const;

/** Prints the rows that are not as they were, and the numbers of all. */
export function printRecheck(answer: RecheckResult, view: View): Printed {
	const { items, counts, meta } = answer;
	const differing = items.filter(({ state }) => state !== "unchanged");
	const rows = differing.map((item) => recheckRow(item, view));
	const others = STATES.filter((state) => counts[state] > 0);
	const said = others.map((state) => `, ${counts[state]} ${state}`);
	const count = `${countWords(counts.unchanged, "row")} unchanged${said.join("")}`;
	return { rows, summary: summaryLines(meta, count, view) };
}

function recheckRow(item: RecheckItem, view: View): string {
	const { state, was, now, text } = item;
	const places = [was, now].flatMap((one) =>
		one === null ? [] : [placeOf(one, view)],
	);
	const shown = [...new Set(places)].join(" → ");
	const line = text === null ? "" : `  ${printable(text.trim())}`;
	return `${colored(state, view)}  ${shown}${line}`;
}

function placeOf({ file, line }: RowPlace, view: View): string {
	return place(view, file, line ?? undefined);
}

function colored(state: RowState, view: View): string {
	const { red, green, yellow } = view.colors;
	const word = state.padEnd(7);
	if (state === "gone") return red(word);
	return state === "new" ? green(word) : yellow(word);
}
