import {
	mkdirSync,
	openSync,
	readFileSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { inRoot } from "../../js/build/paths.mjs";
import { asProgram, Problem, say, since } from "../../js/build/run.mjs";
import { inWorkspace } from "../workspace.mjs";
import { issueCheckouts, sembleCheckouts } from "./questions.mjs";
import { TOOLS, withTools } from "./retrievers.mjs";
import { allWithin, CUTOFF, ndcg, ndcgOfFiles } from "./scores.mjs";
import { summaryOf, summaryTable } from "./summary.mjs";

/** The places at which the files of an issue are counted. */
const FILE_CUTOFFS = [1, 5, 10];

/** The number of files that are shown of a bad answer. */
const SHOWN_FILES = 5;

/** @typedef {import("./summary.mjs").Outcome} Outcome */

await asProgram(async () => {
	const options = readOptions();
	const outcomes = await measure(options);
	for (const tool of options.tools) {
		const own = outcomes.filter((outcome) => outcome.tool === tool);
		const summary = summaryOf(own);
		process.stdout.write(`\n${tool}\n\n${summaryTable(summary)}\n`);
		if (options.worst > 0) showWorst(own, options.worst);
		if (options.save) save(summary, options, tool);
	}
});

/**
 * Puts every question to every tool.
 *
 * @param {ReturnType<typeof readOptions>} options
 */
async function measure(options) {
	const { data, suite, tools, isWhole } = options;
	const checkouts = chosen(
		suite === "semble"
			? sembleCheckouts(data, isWhole)
			: issueCheckouts(data, suite),
		options,
	);
	const out = options.out && openSync(options.out, "w");
	const embedding = await embeddingOf(options.table);
	/** @type {Outcome[]} */
	const outcomes = [];
	await inWorkspace(async (temp) => {
		for (const { name, prepare, questions } of checkouts) {
			const started = performance.now();
			const withFunctions = questions.some(
				({ functions }) => functions.length > 0,
			);
			const how = { withFunctions, embedding };
			await withTools(prepare(temp), tools, how, async (ranks) => {
				for (const question of questions)
					for (const [tool, rank] of ranks) {
						const ranking = await rank(question.query);
						const outcome = outcomeOf(tool, question, ranking, suite);
						outcomes.push(outcome);
						if (out) writeSync(out, `${JSON.stringify(outcome)}\n`);
					}
			});
			say(`${name}: ${questions.length} questions in ${since(started)}`);
		}
	});
	return outcomes;
}

/**
 * Returns the options of `open` for the vectors of a table, or none without a table.
 *
 * @param {string | undefined} table a file
 */
async function embeddingOf(table) {
	if (!table) return {};
	const { embedStatic, loadTokenTable } = await import("#ragnav/embed-static");
	return embedStatic(loadTokenTable(readFileSync(table)));
}

/**
 * @param {ReturnType<typeof summaryOf>} summary
 * @param {ReturnType<typeof readOptions>} options
 * @param {string} tool
 */
function save(summary, { suite, isWhole, table }, tool) {
	const mode = suite === "semble" ? (isWhole ? "-whole" : "-root") : "";
	const vectors = table ? "-vectors" : "";
	const folder = inRoot("bench", "retrieval", "results");
	mkdirSync(folder, { recursive: true });
	const file = join(folder, `${suite}${mode}-${tool}${vectors}.json`);
	writeFileSync(file, `${JSON.stringify(summary, null, "\t")}\n`);
}

/**
 * @param {string} tool
 * @param {import("./questions.mjs").Question} question
 * @param {import("./retrievers.mjs").Ranking} ranking
 * @param {string} suite
 * @returns {Outcome}
 */
function outcomeOf(tool, question, ranking, suite) {
	const { targets, functions } = question;
	const gold = [...new Set(targets.map(({ path }) => path))];
	/** @type {Record<string, number>} */
	const scores = {};
	if (suite === "semble") {
		scores["NDCG@10"] = ndcgOfFiles(ranking.files, gold);
		scores["by rows"] = ndcgOfRows(ranking.rows, targets);
	} else {
		for (const count of FILE_CUTOFFS)
			scores[`files@${count}`] = allWithin(ranking.files, gold, count);
		if (ranking.functions && functions.length > 0)
			scores[`functions@${CUTOFF}`] = allWithin(
				ranking.functions,
				functions,
				CUTOFF,
			);
	}
	const files = ranking.files.slice(0, CUTOFF);
	return { tool, question, files, functions: ranking.functions ?? [], scores };
}

/**
 * Returns the NDCG by the rule of semble, where several rows of a file take several places.
 *
 * @param {import("./retrievers.mjs").Ranking["rows"]} rows
 * @param {import("./questions.mjs").Target[]} targets
 */
function ndcgOfRows(rows, targets) {
	const ranks = targets
		.map((target) => rows.findIndex((row) => covers(row, target)) + 1)
		.filter((rank) => rank > 0);
	return ndcg(ranks, targets.length);
}

/**
 * Reports whether a row is in a target. Like semble's rule, it accepts a path that is the end of
 * the other one.
 *
 * @param {import("./retrievers.mjs").Ranking["rows"][number]} row
 * @param {import("./questions.mjs").Target} target
 */
function covers(row, target) {
	const isSame =
		row.path === target.path ||
		row.path.endsWith(`/${target.path}`) ||
		target.path.endsWith(`/${row.path}`);
	const { start_line, end_line } = target;
	if (!isSame || start_line === undefined || end_line === undefined)
		return isSame;
	return row.end_line >= start_line && row.start_line <= end_line;
}

/**
 * @param {Outcome[]} outcomes
 * @param {number} count
 */
function showWorst(outcomes, count) {
	const total = (/** @type {Outcome} */ { scores }) =>
		Object.values(scores).reduce((sum, score) => sum + score, 0);
	const sorted = outcomes.toSorted((one, other) => total(one) - total(other));
	for (const { question, files, scores } of sorted.slice(0, count)) {
		const [query = ""] = question.query.split("\n");
		const shown = Object.entries(scores).map(
			([name, score]) => `${name} ${score.toFixed(3)}`,
		);
		process.stdout.write(
			`\n${question.id} (${question.kind}): ${query}\n` +
				`  ${shown.join(", ")}\n` +
				`  gold:  ${question.targets.map(({ path }) => path).join(" ")}\n` +
				`  first: ${files.slice(0, SHOWN_FILES).join(" ")}\n`,
		);
	}
}

/**
 * Returns the checkouts of the named repositories, and of those as many as wanted, evenly spread.
 *
 * @param {import("./questions.mjs").Checkout[]} checkouts
 * @param {{ repos: string[], limit: number }} options
 */
function chosen(checkouts, { repos, limit }) {
	const named = checkouts.filter(
		({ name }) => repos.length === 0 || repos.includes(name),
	);
	if (named.length === 0) throw new Problem("No repository is left.");
	const step = Math.max(1, named.length / limit);
	return named.filter((_, at) => Math.floor(at % step) === 0).slice(0, limit);
}

function readOptions() {
	const { values } = parseArgs({
		options: {
			data: { type: "string" },
			suite: { type: "string", default: "semble" },
			tool: { type: "string", multiple: true, default: ["ranked"] },
			whole: { type: "boolean", default: false },
			repo: { type: "string", multiple: true, default: [] },
			limit: { type: "string", default: "Infinity" },
			out: { type: "string" },
			table: { type: "string" },
			save: { type: "boolean", default: false },
			worst: { type: "string", default: "0" },
		},
	});
	const { data, suite, tool, whole, repo, limit, out, save, worst, table } =
		values;
	if (!data) throw new Problem("Name the data folder: --data DIR");
	if (suite !== "semble" && suite !== "lite" && suite !== "multilingual")
		throw new Problem(`There is no suite "${suite}".`);
	const unknown = tool.find((name) => !TOOLS.includes(name));
	if (unknown) throw new Problem(`There is no tool "${unknown}".`);
	return {
		data: resolve(data),
		suite: /** @type {"semble" | "lite" | "multilingual"} */ (suite),
		tools: tool,
		isWhole: whole,
		repos: repo,
		limit: Number(limit),
		out,
		table,
		save,
		worst: Number(worst),
	};
}
