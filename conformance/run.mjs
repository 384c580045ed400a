/**
 * Plays the freshness vectors with each tool: `npm run conformance`. After `--`,
 * `--only ragnav-cli,ripgrep` and `--group edits` choose tools and groups, `--every 3` takes every
 * third scenario of a group, and `--at-once 8` plays eight scenarios at a time. `--show` prints the
 * answers that are not right, and `--write` writes `conformance/results` and
 * `conformance/REPORT.md`.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { inRoot } from "../js/build/paths.mjs";
import {
	asProgram,
	Problem,
	runPackage,
	say,
	since,
} from "../js/build/run.mjs";
import { ADAPTERS } from "./adapters/index.mjs";
import { reportOf, summaryOf } from "./report.mjs";
import { readResults, toolResults, writeResults } from "./results.mjs";
import { play } from "./runner.mjs";
import { scoreOf } from "./score.mjs";
import { readVectors } from "./vectors.mjs";

/** @typedef {import("./types.d.ts").Adapter} Adapter */
/** @typedef {import("./types.d.ts").Scenario} Scenario */
/** @typedef {import("./results.mjs").Result} Result */

await asProgram(async () => {
	const { values } = parseArgs({
		options: {
			only: { type: "string" },
			group: { type: "string" },
			every: { type: "string", default: "1" },
			"at-once": { type: "string", default: "4" },
			show: { type: "boolean", default: false },
			write: { type: "boolean", default: false },
		},
	});
	if (values.write && values.group)
		throw new Problem("Results are of all groups. Omit --group.");
	const groups = chosen(readVectors(), ({ group }) => group, values.group);
	const scenarios = groups.flatMap((group) =>
		group.scenarios.filter((_, at) => at % Number(values.every) === 0),
	);
	const tools = [];
	for (const adapter of chosen(ADAPTERS, ({ name }) => name, values.only)) {
		const started = performance.now();
		const atOnce = Number(values["at-once"]);
		const results = await playAll(adapter, scenarios, atOnce, values.show);
		const tool = await toolResults(adapter, results);
		tools.push(tool);
		if (values.write) writeResults(tool);
		say(`${adapter.name}: ${since(started)}`);
	}
	process.stdout.write(`${summaryOf(tools)}\n`);
	if (values.write) await writeReport();
});

async function writeReport() {
	const report = reportOf(readResults(), readVectors());
	writeFileSync(inRoot("conformance", "REPORT.md"), report);
	await runPackage(
		["@biomejs/biome", "biome"],
		["format", "--write", inRoot("conformance", "results")],
	);
}

/**
 * @template T
 * @param {T[]} all
 * @param {(each: T) => string} nameOf
 * @param {string | undefined} names
 */
function chosen(all, nameOf, names) {
	if (names === undefined) return all;
	const known = all.map(nameOf);
	const unknown = names.split(",").find((name) => !known.includes(name));
	if (unknown) throw new Problem(`No "${unknown}". There are: ${known}`);
	return all.filter((each) => names.split(",").includes(nameOf(each)));
}

/**
 * @param {Adapter} adapter
 * @param {Scenario[]} scenarios
 * @param {number} atOnce
 * @param {boolean} isShown
 */
async function playAll(adapter, scenarios, atOnce, isShown) {
	/** @type {Result[]} */
	const results = [];
	const waiting = [...scenarios];
	const work = async () => {
		for (let next = waiting.shift(); next; next = waiting.shift())
			results.push(...(await resultsOf(adapter, next, isShown)));
	};
	await Promise.all(Array.from({ length: atOnce }, work));
	return results;
}

/**
 * @param {Adapter} adapter
 * @param {Scenario} scenario
 * @param {boolean} isShown
 * @returns {Promise<Result[]>}
 */
async function resultsOf(adapter, scenario, isShown) {
	const answered = await play(adapter, scenario);
	return answered.map(({ question, answer }) => {
		const score = scoreOf(question, scenario.may_claim, answer);
		const { missing, wrong, wrong_said, false_claims, refused } = score;
		if (isShown && missing + wrong + wrong_said + false_claims + refused > 0)
			say(`${scenario.id} ${JSON.stringify({ question, answer })}`);
		return { scenario: scenario.id, score };
	});
}
