/**
 * Compares the callers that `lineage` resolves with the call graphs of SWARM-CG, a collection of
 * small programs by category.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "../js/build/paths.mjs";
import { asProgram, Problem } from "../js/build/run.mjs";
import { print } from "./ask.mjs";
import { emptyScore, SUITES, scoresOf } from "./call-graphs.mjs";
import { table } from "./table.mjs";

/** @typedef {import("./call-graphs.mjs").Score} Score */

const REPORT = inRoot("bench", "REPORT-calls.md");

await asProgram(async () => {
	const [root, ...options] = process.argv.slice(2);
	if (!root)
		throw new Problem(
			"Name the folder of a checkout of SWARM-CG, and --write to write the report.",
		);
	/** @type {string[][]} */
	const totals = [];
	/** @type {string[][]} */
	const causes = [];
	for (const suite of SUITES) {
		const scores = await scoresOf(suite, join(root, suite.folder));
		const all = emptyScore();
		for (const [category, score] of [...scores].sort()) {
			for (const key of /** @type {(keyof Score)[]} */ (Object.keys(all)))
				all[key] += score[key];
			causes.push([`${suite.name}: ${category}`, ...cellsOf(score)]);
		}
		totals.push([suite.name, ...cellsOf(all)]);
	}
	const report = reportOf(totals, causes);
	print(`\n${report}`);
	if (options.includes("--write")) writeFileSync(REPORT, report);
});

/** @param {Score} score */
function cellsOf({ found, missed, extra }) {
	const share = (/** @type {number} */ whole) =>
		whole === 0 ? "-" : (found / whole).toFixed(3);
	return [
		String(found + missed),
		share(found + extra),
		share(found + missed),
		String(missed),
		String(extra),
	];
}

/**
 * @param {string[][]} totals
 * @param {string[][]} causes
 */
function reportOf(totals, causes) {
	const head = ["calls", "precision", "recall", "missed", "extra"];
	return `# Calls beside known call graphs

\`npm run links-calls -- FOLDER --write\` wrote this page. FOLDER holds a checkout of
[SWARM-CG](https://github.com/secure-software-engineering/SWARM-CG): small programs, each with its
call graph.

A call counts as found if \`lineage\` has a resolved row for it. Calls of functions outside of the
program and of functions without a name do not count. The folder \`pycg\` is not measured.

${table(["programs", ...head], totals)}

${table(["category", ...head], causes)}
`;
}
