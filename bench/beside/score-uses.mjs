import { LINES_AFTER } from "./truth-typescript.mjs";

/** @typedef {import("./corpora.mjs").Declaration} Declaration */
/** @typedef {import("./corpora.mjs").Place} Place */
/** @typedef {import("./corpora.mjs").Truth} Truth */
/** @typedef {{ uses: number, found: number, wrong: number }} Score */

/** @returns {Score} */
export const emptyScore = () => ({ uses: 0, found: 0, wrong: 0 });

/**
 * Adds the rows of a tool about a declaration to its score. A row counts for a use on its line or,
 * since some tools name the line on which a statement starts, on the lines soon after it.
 *
 * @param {Score} score
 * @param {Truth} truth
 * @param {Declaration} declaration
 * @param {Place[]} rows
 */
export function addRows(score, truth, declaration, rows) {
	const uses = new Set(declaration.uses.map(keyOf));
	const found = new Set();
	for (const [file, line] of distinct(rows)) {
		const use = linesFrom(line)
			.map((at) => keyOf([file, at]))
			.find((key) => uses.has(key));
		if (use) found.add(use);
		else if (truth.meaningOf(declaration, [file, line]) === "other")
			score.wrong += 1;
	}
	score.uses += uses.size;
	score.found += found.size;
}

/** @param {Score} score */
export function ratiosOf({ uses, found, wrong }) {
	return {
		uses,
		precision: found / Math.max(1, found + wrong),
		recall: found / Math.max(1, uses),
	};
}

/** @param {number} line */
const linesFrom = (line) =>
	Array.from({ length: LINES_AFTER + 1 }, (_, more) => line + more);

/** @param {Place} place */
const keyOf = ([file, line]) => `${file}:${line}`;

/** @param {Place[]} places */
const distinct = (places) =>
	new Map(places.map((place) => [keyOf(place), place])).values();
