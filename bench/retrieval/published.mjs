/**
 * Summarises the results that semble publishes for other tools, over the repositories that this
 * bench measures, and compares our plain BM25 with the published one, repository by repository.
 * Both take semble's rule, where several chunks of a file take several places.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { inRoot } from "../../js/build/paths.mjs";
import { asProgram, Problem } from "../../js/build/run.mjs";
import { table } from "../table.mjs";
import { fileAt, mirrorOf } from "./mirrors.mjs";
import { sembleCheckouts } from "./questions.mjs";
import { PUBLISHED, PUBLISHED_BM25, SEMBLE } from "./sources.mjs";

/**
 * @typedef {object} PublishedRepository
 * @property {string} repo
 * @property {string} language
 * @property {string} [mode]
 * @property {number} ndcg10
 * @property {Record<string, number>} [by_category]
 */
/** @typedef {{ value: number, weight: number }} Weighted */

await asProgram(async () => {
	const { values } = parseArgs({
		options: {
			data: { type: "string" },
			save: { type: "boolean", default: false },
		},
	});
	if (!values.data) throw new Problem("Name the data folder: --data DIR");
	const data = resolve(values.data);
	const semble = await mirrorOf(data, SEMBLE);
	const questions = sembleCheckouts(data, false).flatMap(
		(checkout) => checkout.questions,
	);
	const tools = PUBLISHED.map(({ tool, file, mode }) => ({
		tool,
		repositories: repositoriesOf(semble, file, mode),
	}));
	const summaries = tools.map(({ tool, repositories }) => ({
		tool,
		...summaryOf(repositories, questions),
	}));
	if (values.save) {
		const file = inRoot("bench/retrieval/results/published.json");
		writeFileSync(file, `${JSON.stringify(summaries, null, "\t")}\n`);
	}
	const bm25 = tools.find(({ tool }) => tool === PUBLISHED_BM25);
	process.stdout.write(`${comparison(bm25?.repositories ?? [])}\n`);
});

/**
 * @param {string} semble the clone
 * @param {string} file
 * @param {string | undefined} mode
 * @returns {PublishedRepository[]}
 */
function repositoriesOf(semble, file, mode) {
	const path = `benchmarks/results/${file}.json`;
	/** @type {{ repos: PublishedRepository[] }} */
	const published = JSON.parse(fileAt(semble, "HEAD", path));
	return published.repos.filter((row) => row.mode === mode);
}

/**
 * Returns the means over questions. A published score is that of a repository, so it counts as often
 * as the repository has questions.
 *
 * @param {PublishedRepository[]} repositories
 * @param {import("./questions.mjs").Question[]} questions
 */
function summaryOf(repositories, questions) {
	/** @type {Weighted[]} */
	const all = [];
	/** @type {Record<string, Weighted[]>} */
	const languages = {};
	/** @type {Record<string, Weighted[]>} */
	const kinds = {};
	const measured = new Map(
		questions.map(({ repo, language }) => [repo, language]),
	);
	for (const [name, language] of measured) {
		const row = repositories.find(({ repo }) => repo === name);
		if (!row) throw new Problem(`There is no published result of ${name}.`);
		const own = questions.filter(({ repo }) => repo === name);
		const score = { value: row.ndcg10, weight: own.length };
		all.push(score);
		languages[language] = [...(languages[language] ?? []), score];
		for (const [kind, value] of Object.entries(row.by_category ?? {})) {
			const weight = own.filter((question) => question.kind === kind).length;
			kinds[kind] = [...(kinds[kind] ?? []), { value, weight }];
		}
	}
	return {
		all: weightedMean(all),
		kind: means(kinds),
		language: means(languages),
	};
}

/** @param {Record<string, Weighted[]>} groups */
function means(groups) {
	const entries = Object.entries(groups).map(
		([name, values]) => /** @type {const} */ ([name, weightedMean(values)]),
	);
	return Object.fromEntries(entries.sort());
}

/** @param {Weighted[]} values */
function weightedMean(values) {
	const weight = values.reduce((total, { weight }) => total + weight, 0);
	const sum = values.reduce(
		(total, { value, weight }) => total + value * weight,
		0,
	);
	return Number((weight > 0 ? sum / weight : 0).toFixed(4));
}

/** @param {PublishedRepository[]} published the results of plain BM25 */
function comparison(published) {
	const file = inRoot("bench/retrieval/results/semble-root-bm25.json");
	/** @type {ReturnType<typeof import("./summary.mjs").summaryOf>} */
	const ours = JSON.parse(readFileSync(file, "utf8"));
	const pairs = Object.entries(ours.repo).map(([name, { scores }]) => {
		const theirs = published.find(({ repo }) => repo === name);
		if (!theirs) throw new Problem(`There is no published result of ${name}.`);
		return { name, theirs: theirs.ndcg10, ours: scores["by rows"] ?? 0 };
	});
	const mean = (/** @type {"theirs" | "ours"} */ side) =>
		pairs.reduce((total, pair) => total + pair[side], 0) / pairs.length;
	const rows = [
		...pairs,
		{ name: "mean", theirs: mean("theirs"), ours: mean("ours") },
	];
	return table(
		["repository", "published", "ours", "difference"],
		rows.map(({ name, theirs, ours }) => [
			name,
			theirs.toFixed(3),
			ours.toFixed(3),
			(ours - theirs).toFixed(3),
		]),
	);
}
