/** What each tool scored in its last run, in a file for each tool, so that one can run alone. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "../js/build/paths.mjs";
import { ADAPTERS } from "./adapters/index.mjs";
import { addScores, emptyScore } from "./score.mjs";

/** @typedef {import("./types.d.ts").Adapter} Adapter */
/** @typedef {import("./score.mjs").Score} Score */
/** @typedef {{ scenario: string, score: Score }} Result the score of one question */
/**
 * @typedef {object} ToolResults
 * @property {string} tool
 * @property {string} version
 * @property {string[]} asks
 * @property {string} claims
 * @property {number} scenarios
 * @property {Record<string, Score>} groups
 * @property {Record<string, Score>} losses the scenarios with anything but right rows
 */

const FOLDER = inRoot("conformance", "results");

/**
 * @param {Adapter} adapter
 * @param {Result[]} results
 * @returns {Promise<ToolResults>}
 */
export async function toolResults(adapter, results) {
	const { name, asks, claims } = adapter;
	const scenarios = sums(results, (scenario) => scenario);
	const losses = Object.entries(scenarios).filter(([, score]) => isLoss(score));
	return {
		tool: name,
		version: await adapter.version(),
		asks,
		claims,
		scenarios: Object.keys(scenarios).length,
		groups: sums(results, (scenario) => scenario.split("/")[0] ?? ""),
		losses: Object.fromEntries(losses),
	};
}

/** @param {ToolResults} results */
export function writeResults(results) {
	mkdirSync(FOLDER, { recursive: true });
	const text = JSON.stringify(results, undefined, "\t");
	writeFileSync(join(FOLDER, `${results.tool}.json`), `${text}\n`);
}

/**
 * Reads the results of all tools, in the order of the adapters.
 *
 * @returns {ToolResults[]}
 */
export function readResults() {
	const files = readdirSync(FOLDER);
	return ADAPTERS.map(({ name }) => `${name}.json`)
		.filter((file) => files.includes(file))
		.map((file) => JSON.parse(readFileSync(join(FOLDER, file), "utf8")));
}

/** @param {Score} score */
function isLoss({ missing, wrong, wrong_said, false_claims, refused }) {
	return missing + wrong + wrong_said + false_claims + refused > 0;
}

/**
 * @param {Result[]} results
 * @param {(scenario: string) => string} keyOf
 */
function sums(results, keyOf) {
	/** @type {Record<string, Score>} */
	const sum = {};
	const sorted = results.toSorted((a, b) => (a.scenario < b.scenario ? -1 : 1));
	for (const { scenario, score } of sorted) {
		const key = keyOf(scenario);
		sum[key] = addScores(sum[key] ?? emptyScore(), score);
	}
	return sum;
}
