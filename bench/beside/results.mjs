/** What `npm run bench:peers` keeps of a part: numbers, each with how it came about. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "../../js/build/paths.mjs";

/**
 * @typedef {object} Row
 * @property {string} tool
 * @property {string} version
 * @property {string} corpus with its version or commit
 * @property {string} what of the corpus is measured
 * @property {string} command that gives the answers
 * @property {Record<string, number>} values by the keys of the columns; a value may be missing
 */
/** @typedef {"share" | "count" | "milliseconds" | "bytes" | "tokens"} Unit */
/** @typedef {{ key: string, title: string, unit: Unit, better?: "more" | "less" }} Column */
/**
 * @typedef {object} Result
 * @property {string} part
 * @property {string} title
 * @property {string} note
 * @property {Column[]} columns
 * @property {string} chart the key of the column that the chart shows
 * @property {true} [isRecorded] whether another command measured it, perhaps on another computer
 * @property {Row[]} rows
 */
/** @typedef {Result & { date: string, machine: string }} Kept */

export const RESULTS = inRoot("bench", "results");

/**
 * @param {Result} result
 * @param {string} machine
 */
export function keepResult(result, machine) {
	mkdirSync(RESULTS, { recursive: true });
	const date = new Date().toISOString().slice(0, 10);
	/** @type {Kept} */
	const kept = { ...result, date, machine };
	const text = JSON.stringify(kept, undefined, "\t");
	writeFileSync(join(RESULTS, `${result.part}.json`), `${text}\n`);
}

/**
 * Reads what was kept, in the order of the parts.
 *
 * @param {string[]} parts
 * @returns {Kept[]}
 */
export function keptResults(parts) {
	const files = readdirSync(RESULTS);
	return parts
		.map((part) => `${part}.json`)
		.filter((file) => files.includes(file))
		.map((file) => JSON.parse(readFileSync(join(RESULTS, file), "utf8")));
}
