import { readFileSync } from "node:fs";
import { inRoot } from "../../js/build/paths.mjs";

/**
 * @typedef {{ all: number, kind: Record<string, number>, language: Record<string, number> }} Scores
 */
/** @typedef {{ name: string, scores: Scores }} Tool */

/** The summaries of our tools over semble's folders and over whole repositories. */
const OURS = [
	["ragnav: `search --mode ranked`", "ranked"],
	["ragnav: `ask`", "ask"],
	["ragnav: `ask` with a token table", "ask-vectors"],
	["plain BM25, as this bench runs it", "bm25"],
];

/** The tools that were asked the issues, and their scores. */
const ISSUE_TOOLS = ["ranked", "ask"];
const ISSUE_SCORES = ["files@1", "files@5", "files@10", "functions@10"];

/** The score that semble publishes. */
const SCORE = "by rows";

/**
 * Shows the results that `npm run bench:retrieval` recorded, beside those that others publish.
 *
 * @returns {import("../report.mjs").Group[]}
 */
export function recordedRetrieval() {
	const root = [...OURS.flatMap(ourTool("root")), ...publishedTools()];
	const whole = OURS.flatMap(ourTool("whole"));
	return [
		group(
			"kinds",
			"Retrieval: semble's questions, by kind",
			`${HOW}; an empty cell is not published`,
			["all", ...namesOf(root, "kind")],
			[
				...root.map((tool) => rowOf(tool, "kind", namesOf(root, "kind"))),
				...whole.map(({ name, scores }) =>
					rowOf(
						{ name: `${name}, whole repositories`, scores },
						"kind",
						namesOf(root, "kind"),
					),
				),
			],
		),
		group(
			"languages",
			"Retrieval: semble's questions, by language",
			HOW,
			["all", ...namesOf(root, "language")],
			root.map((tool) => rowOf(tool, "language", namesOf(root, "language"))),
		),
		group(
			"issues",
			"Retrieval: issues of SWE-bench Lite",
			"recorded by `npm run bench:retrieval`; the share of issues whose edited files, or " +
				"functions, are all within the first N",
			ISSUE_SCORES,
			ISSUE_TOOLS.map(issueRow),
		),
	];
}

const HOW =
	"recorded by `npm run bench:retrieval`, not timed and not in the run of this report: NDCG@10 of " +
	"420 questions about 21 repositories, by semble's rule, where each row takes a place; the other " +
	"tools' scores are those that semble publishes";

/**
 * @param {string} id
 * @param {string} title
 * @param {string} note
 * @param {string[]} head
 * @param {string[][]} cells
 * @returns {import("../report.mjs").Group}
 */
function group(id, title, note, head, cells) {
	return {
		id: `retrieval-${id}`,
		title,
		note,
		rows: [],
		quality: { head: ["", ...head], cells },
	};
}

/** @param {"root" | "whole"} folder */
function ourTool(folder) {
	return (/** @type {string[]} */ [name = "", file]) => {
		const summary = resultsOf(`semble-${folder}-${file}`);
		const scoresIn = (
			/** @type {import("../retrieval/summary.mjs").Groups} */ groups,
		) =>
			Object.fromEntries(
				Object.entries(groups).map(([key, { scores }]) => [
					key,
					scores[SCORE] ?? 0,
				]),
			);
		const scores = {
			all: summary.all.scores[SCORE] ?? 0,
			kind: scoresIn(summary.kind),
			language: scoresIn(summary.language),
		};
		return [{ name, scores }];
	};
}

/** @returns {Tool[]} */
function publishedTools() {
	/** @type {(Scores & { tool: string })[]} */
	const published = resultsOf("published");
	return published.map(({ tool, ...scores }) => ({
		name: `${tool}, published`,
		scores,
	}));
}

/**
 * @param {Tool[]} tools
 * @param {"kind" | "language"} property
 */
function namesOf(tools, property) {
	return [
		...new Set(tools.flatMap(({ scores }) => Object.keys(scores[property]))),
	].sort();
}

/**
 * @param {Tool} tool
 * @param {"kind" | "language"} property
 * @param {string[]} names
 */
function rowOf({ name, scores }, property, names) {
	const cells = names.map((key) => scores[property][key]?.toFixed(3) ?? "");
	return [name, scores.all.toFixed(3), ...cells];
}

/** @param {string} tool */
function issueRow(tool) {
	const { all } = resultsOf(`lite-${tool}`);
	const cells = ISSUE_SCORES.map(
		(score) => all.scores[score]?.toFixed(3) ?? "",
	);
	return [`ragnav: ${tool}, ${all.questions} issues`, ...cells];
}

/** @param {string} name */
function resultsOf(name) {
	const file = inRoot("bench", "retrieval", "results", `${name}.json`);
	return JSON.parse(readFileSync(file, "utf8"));
}
