/** Results that other commands write, in the form of the page. */
import { readFileSync } from "node:fs";
import { readResults } from "../../conformance/results.mjs";
import { addScores, emptyScore } from "../../conformance/score.mjs";
import { inRoot } from "../../js/build/paths.mjs";
import { ragnavVersion } from "./versions.mjs";

/** @typedef {import("./results.mjs").Result} Result */
/** @typedef {import("./results.mjs").Row} Row */
/** @typedef {{ all: { scores: Record<string, number> } }} Summary */
/** @typedef {{ tool: string, all: number }} Published */

/** @returns {Promise<Result>} */
export async function freshness() {
	const rows = readResults().map(({ tool, version, scenarios, groups }) => {
		const sum = Object.values(groups).reduce(addScores, emptyScore());
		return {
			...{ tool, version: version.replace(/^.* /, "") },
			...{ corpus: "the freshness vectors", what: `${scenarios} scenarios` },
			command: `npm run conformance -- --only ${tool} --write`,
			values: {
				wrong: sum.wrong,
				said: sum.wrong_said,
				missing: sum.missing,
				right: sum.right,
				refused: sum.refused,
			},
		};
	});
	return {
		...{ part: "freshness", isRecorded: true },
		title: "Answers after files changed",
		note: "Rows that are wrong without a word that they may be, those that are said to be out of date, and true rows that are missing. The [report](../conformance/REPORT.md) has more. The tools answer different questions, so compare the counts of a tool with its own right rows.",
		columns: [
			{ key: "wrong", title: "wrong, not said", unit: "count", better: "less" },
			{ key: "said", title: "wrong, said", unit: "count", better: "less" },
			{ key: "missing", title: "missing", unit: "count", better: "less" },
			{ key: "right", title: "right", unit: "count" },
			{ key: "refused", title: "refused", unit: "count", better: "less" },
		],
		chart: "wrong",
		rows,
	};
}

/** @returns {Promise<Result>} */
export async function retrieval() {
	const own = [
		ownRow("search --mode ranked", "ranked"),
		ownRow("ask", "ask"),
		ownRow("ask with a token table", "ask-vectors"),
	];
	/** @type {Published[]} */
	const published = JSON.parse(read("published"));
	const theirs = published.map(({ tool, all }) => ({
		...{ tool, version: "as semble publishes it" },
		...sameCorpus,
		command: "node bench/retrieval/published.mjs --data DIR --save",
		values: { ndcg: all },
	}));
	return {
		...{ part: "retrieval", isRecorded: true },
		title: "Files that a query is about",
		note: "NDCG@10 by rows, in the folders that semble indexes. The figures of ragnav are recorded by the [retrieval bench](retrieval/README.md); those of the others are what semble publishes for them over the same repositories and queries. They were not measured again here.",
		columns: [{ key: "ndcg", title: "NDCG@10", unit: "share", better: "more" }],
		chart: "ndcg",
		rows: [...own, ...theirs],
	};
}

const sameCorpus = {
	corpus: "semble's 21 repositories",
	what: "420 queries",
};

/**
 * @param {string} way
 * @param {string} file
 * @returns {Row}
 */
function ownRow(way, file) {
	/** @type {Summary} */
	const { all } = JSON.parse(read(`semble-root-${file}`));
	const [tool = "ranked"] = file.split("-");
	return {
		...{ tool: `ragnav ${way}`, version: ragnavVersion(), ...sameCorpus },
		command: `npm run bench:retrieval -- --data DIR --tool ${tool} --save`,
		values: { ndcg: all.scores["by rows"] ?? 0 },
	};
}

/** @param {string} name */
const read = (name) =>
	readFileSync(inRoot("bench", "retrieval", "results", `${name}.json`), "utf8");
