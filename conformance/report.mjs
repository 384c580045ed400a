import { table } from "../bench/table.mjs";
import { addScores, emptyScore } from "./score.mjs";

/** @typedef {import("./types.d.ts").Group} Group */
/** @typedef {import("./score.mjs").Score} Score */
/** @typedef {import("./results.mjs").ToolResults} ToolResults */

const HEAD = [
	"tool",
	"scenarios",
	"**wrong rows, not said**",
	"wrong rows, said",
	"missing rows",
	"right rows",
	"false claims",
	"true claims",
	"refused",
	"not applicable",
];

/**
 * Returns one table with a row for each tool.
 *
 * @param {ToolResults[]} tools
 */
export const summaryOf = (tools) =>
	table(
		HEAD,
		tools.map(({ tool, scenarios, groups }) => {
			const sum = Object.values(groups).reduce(addScores, emptyScore());
			const counts = [
				...[scenarios, sum.wrong, sum.wrong_said, sum.missing, sum.right],
				...[sum.false_claims, sum.true_claims],
				...[sum.refused, sum.not_applicable],
			];
			return [tool, ...counts.map(String)];
		}),
	);

/**
 * @param {ToolResults[]} tools
 * @param {Group[]} groups
 */
export function reportOf(tools, groups) {
	const questions = groups
		.flatMap(({ scenarios }) => scenarios)
		.reduce((sum, scenario) => sum + scenario.questions.length, 0);
	const scenarios = groups.reduce(
		(sum, each) => sum + each.scenarios.length,
		0,
	);
	const parts = [
		"# Freshness of code-navigation tools",
		`\`npm run conformance -- --write\` writes this page. There are ${scenarios} scenarios with ${questions} questions.\nA tool with fewer played every n-th scenario of each group (\`--every n\`): compare only tools with equal\nnumbers of scenarios. [The vectors](README.md) explain the columns.`,
		summaryOf(tools),
		"## Wrong rows that are not said to be, by group",
		byGroup(tools, groups, ({ wrong }) => wrong),
		"## Missing rows, by group",
		byGroup(tools, groups, ({ missing }) => missing),
		"## Tools, and what they claim",
		versions(tools),
		"## Where ragnav loses",
		losses(tools.filter(({ tool }) => tool.startsWith("ragnav"))),
	];
	return `${parts.join("\n\n")}\n`;
}

/**
 * A tool that was not asked anything of a group has an empty cell.
 *
 * @param {ToolResults[]} tools
 * @param {Group[]} groups
 * @param {(score: Score) => number} count
 */
function byGroup(tools, groups, count) {
	const head = ["group", ...tools.map(({ tool }) => tool)];
	const rows = groups.map(({ group }) => [
		group,
		...tools.map(({ groups: scores }) => {
			const sum = scores[group] ?? emptyScore();
			const isAsked = sum.questions > sum.not_applicable;
			return isAsked ? String(count(sum)) : "";
		}),
	]);
	return table(head, rows);
}

/** @param {ToolResults[]} tools */
function versions(tools) {
	const lines = tools.map(
		({ tool, version, asks, claims }) =>
			`| ${tool} | ${version} | ${asks.join(", ")} | ${claims} |`,
	);
	return [
		"| tool | version | questions | claims of freshness |",
		"|---|---|---|---|",
		...lines,
	].join("\n");
}

/** @param {ToolResults[]} tools */
function losses(tools) {
	const lines = tools.flatMap(({ tool, losses: lost }) =>
		Object.entries(lost).map(
			([scenario, score]) => `- ${tool}, \`${scenario}\`: ${words(score)}`,
		),
	);
	return lines.length > 0
		? lines.join("\n")
		: "In these scenarios it gives no wrong row, misses none, refuses nothing and makes no false claim.";
}

/** @param {Score} score */
function words({ wrong, wrong_said, missing, false_claims, refused }) {
	const counts = [
		...[`wrong rows ${wrong + wrong_said}`, `missing rows ${missing}`],
		...[`false claims ${false_claims}`, `refused ${refused}`],
	];
	return counts.filter((each) => !each.endsWith(" 0")).join(", ");
}
