/** Compares the references of `whereUsed` with those of compilers, over listed repositories. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "../js/build/paths.mjs";
import { asProgram, Problem } from "../js/build/run.mjs";
import { print } from "./ask.mjs";
import { COMPILED, neededOf } from "./compilers.mjs";
import { compareLinks, ratios } from "./links-comparison.mjs";
import { table } from "./table.mjs";

/** @typedef {import("./compilers.mjs").Corpus} Corpus */
/** @typedef {import("./links-comparison.mjs").Kind} Kind */
/** @typedef {import("./links-comparison.mjs").Score} Score */

const REPORT = inRoot("bench", "REPORT-links.md");
const EXAMPLES = 20;

await asProgram(async () => {
	const [folder, ...options] = process.argv.slice(2);
	if (!folder)
		throw new Problem(
			"Name the folder that holds the repositories, and --write to write the report.",
		);
	const named = options.filter((option) => !option.startsWith("--"));
	/** @type {string[][]} */
	const rows = [];
	let isEnough = true;
	for (const corpus of COMPILED) {
		if (named.length > 0 && !named.includes(corpus.language)) continue;
		const { compiler, language, repository } = corpus;
		const root = join(folder, repository.split("/")[1] ?? "");
		const truth = await compiler.usesOf(root);
		const scores = await compareLinks(repository, root, truth, EXAMPLES);
		for (const [kind, score] of scores) {
			const { precision, recall } = ratios(score);
			const needed = neededOf(language, kind);
			isEnough &&= precision >= needed.precision && recall >= needed.recall;
			rows.push(rowOf(corpus, kind, score));
		}
	}
	const report = reportOf(rows);
	print(`\n${report}`);
	if (options.includes("--write") && named.length === 0)
		writeFileSync(REPORT, report);
	if (!isEnough) throw new Problem("The links are less accurate than needed.");
});

/**
 * @param {Corpus} corpus
 * @param {Kind} kind
 * @param {Score} score
 */
function rowOf({ language, repository, commit, compiler }, kind, score) {
	const { precision, recall, reached } = ratios(score);
	return [
		language,
		repository,
		commit.slice(0, 10),
		compiler.name,
		kind,
		`${score.uses}`,
		...[precision, recall, reached].map((ratio) => ratio.toFixed(4)),
	];
}

/** @param {string[][]} rows */
function reportOf(rows) {
	const head = [
		"language",
		"repository",
		"commit",
		"truth",
		"kind",
		"references",
		"precision",
		"recall",
		"with candidates",
	];
	return `# References beside compilers

\`npm run links-compilers -- FOLDER --write\` wrote this page. FOLDER holds the repositories at these
commits. \`npm run links-repository -- LANGUAGE FOLDER\` compares any other repository.

For each declaration that a compiler finds, \`whereUsed\` lists its references. A row counts as right
if its file, line and column are those of a reference that the compiler resolves to the declaration.
Precision and recall are those of resolved rows; the last column is the recall with candidates.
Overloads are declarations of their own.
Rows in files that the compiler does not read, such as those for other systems, count neither way.

${table(head, rows)}
`;
}
