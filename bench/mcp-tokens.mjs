/**
 * Counts the tokens that a model reads for 40 tasks: from the MCP server, from ripgrep with two
 * lines around each match, and from the three files with the most matches.
 */
import { writeFileSync } from "node:fs";
import { build } from "../js/build/build.mjs";
import { inRoot } from "../js/build/paths.mjs";
import { asProgram, Problem } from "../js/build/run.mjs";
import { print } from "./ask.mjs";
import { table } from "./table.mjs";
import { tokenCosts } from "./token-tasks.mjs";

const REPORT = inRoot("bench", "REPORT-tokens.md");

await asProgram(async () => {
	const [folder, ...options] = process.argv.slice(2);
	if (!folder) throw new Problem("Name a folder, and --write for the report.");
	await build();
	const report = reportOf(await tokenCosts(folder));
	print(report);
	if (options.includes("--write")) writeFileSync(REPORT, report);
});

/** @param {import("./token-tasks.mjs").Summary[]} costs */
function reportOf(costs) {
	const rows = costs.map(({ kind, way, first, all, right, precision }) => [
		`${kind}: ${way}`,
		...[first, all, right].map(String),
		precision.toFixed(2),
	]);
	const head = [
		"task, way",
		"first row",
		"all rows",
		"right rows",
		"precision",
	];
	return `# Tokens for 40 tasks

\`npm run mcp-tokens -- FOLDER --write\` wrote this page. A token is four bytes of the text that a
model reads; rows are the medians of ten tasks about functions and methods that chance chose.
Right rows are those that \`locate\` and resolved references give, which
[other benches](REPORT-links.md) hold against compilers.
"first row" is what is read up to the first right row, "right rows" how many of them are shown, and
"precision" their share of all rows. Rows by name alone, which the server marks, count as wrong.
For "3 files" the three files with the most matches are read; \`explain\` asks for what a function
calls, which no search for its name finds.

${table(head, rows)}
`;
}
