/** Compares the facts of Go and Java with those of the parsers of their compilers. */
import { writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { inRoot } from "../js/build/paths.mjs";
import { asProgram, Problem } from "../js/build/run.mjs";
import { askNative, list, print } from "./ask.mjs";
import { COMPILED } from "./compilers.mjs";
import { table } from "./table.mjs";
import { GO_PARSER } from "./truth/go.mjs";
import { JAVA_PARSER } from "./truth/java.mjs";

/**
 * A parser that says what single files contain.
 *
 * @typedef {object} Parser
 * @property {string} name
 * @property {string} language the name in ragnav
 * @property {(root: string) => Promise<string>} factsOf prints a {@link Truth} on each line
 */
/** @typedef {(string | number | null)[]} Row */
/** @typedef {"definitions" | "imports" | "calls" | "references"} Category */
/**
 * What a file contains. The language does not say what `ambiguous` rows of references are.
 *
 * @typedef {{ file: string, ambiguous: Row[] } & Record<Category, Row[]>} Truth
 */
/** @typedef {{ equal: number, missed: string[], wrong: string[] }} Score */
/** @typedef {{ file: string, facts: Record<string, Row[]> | null }} Answer */

/** @type {Category[]} */
const CATEGORIES = ["definitions", "imports", "calls", "references"];
const PARSERS = [GO_PARSER, JAVA_PARSER];
const REPORT = inRoot("bench", "REPORT-facts.md");
const NEEDED = 0.995;
const EXAMPLES = 15;
/** The number of files at a time: the facts are many times as large as the files. */
const BATCH = 200;

const HEAD = `# Facts beside parsers of compilers

\`npm run facts-accuracy-compilers -- FOLDER --write\` wrote this page. FOLDER holds the repositories at
these commits.

A row is a definition, an import, a call or any use of a name in one file. It counts as equal if its
name, line and column are equal; an import, if it names the same. Fields, variables and parameters are
no definitions.
Left out are names that need types to be understood: the keys of composite literals in Go, and the
names of arguments of annotations in Java. So are names of packages, and of classes within imports.
\`nil\`, \`true\`, \`false\` and \`iota\` of Go count as literals.
Files that the compiler does not parse are left out, too.`;

await asProgram(async () => {
	const [folder, ...options] = process.argv.slice(2);
	if (!folder)
		throw new Problem(
			"Name the folder that holds the repositories, and --write to write the report.",
		);
	/** @type {string[][]} */
	const rows = [];
	let worst = 1;
	for (const parser of PARSERS) {
		const corpora = COMPILED.filter(
			({ language }) => language === parser.language,
		);
		for (const { repository, commit } of corpora) {
			const root = resolve(folder, repository.split("/")[1] ?? "");
			const scores = await compare(parser, root);
			for (const [category, score] of scores) {
				const { precision, recall } = ratios(score);
				worst = Math.min(worst, precision, recall);
				rows.push([
					...[parser.language, repository, commit.slice(0, 10), parser.name],
					...[category, String(score.equal + score.missed.length)],
					...[precision.toFixed(4), recall.toFixed(4)],
				]);
				list(`${repository}: missed ${category}`, spread(score.missed));
				list(`${repository}: wrong ${category}`, spread(score.wrong));
			}
		}
	}
	const head = [
		...["language", "repository", "commit", "truth"],
		...["kind", "rows", "precision", "recall"],
	];
	const report = `${HEAD}\n\n${table(head, rows)}\n`;
	print(`\n${report}`);
	if (options.includes("--write")) writeFileSync(REPORT, report);
	if (worst < NEEDED)
		throw new Problem("The facts are less accurate than they have to be.");
});

/**
 * @param {Parser} parser
 * @param {string} root
 * @returns {Promise<Map<Category, Score>>}
 */
async function compare(parser, root) {
	const printed = await parser.factsOf(root);
	/** @type {Truth[]} */
	const truths = printed
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line));
	/** @type {Map<Category, Score>} */
	const scores = new Map(
		CATEGORIES.map((category) => [
			category,
			{ equal: 0, missed: [], wrong: [] },
		]),
	);
	for (let start = 0; start < truths.length; start += BATCH) {
		const batch = truths.slice(start, start + BATCH);
		/** @type {Answer[]} */
		const answers = await askNative(
			"native_facts",
			batch.map(({ file }) => file),
		);
		for (const [index, truth] of batch.entries()) {
			const facts = answers[index]?.facts;
			if (facts) compareFile(relative(root, truth.file), truth, facts, scores);
		}
	}
	return scores;
}

/**
 * @param {string} file
 * @param {Truth} truth
 * @param {Record<string, Row[]>} facts
 * @param {Map<Category, Score>} scores
 */
function compareFile(file, truth, facts, scores) {
	const ours = answered(facts);
	const unknown = keysOf(truth.ambiguous);
	for (const [category, score] of scores) {
		const theirs = keysOf(truth[category]);
		const own = keysOf(ours[category]);
		for (const key of theirs) {
			if (own.has(key)) score.equal += 1;
			else score.missed.push(`${file}: ${key}`);
		}
		for (const key of own) {
			if (!theirs.has(key) && !unknown.has(key))
				score.wrong.push(`${file}: ${key}`);
		}
	}
}

/**
 * Converts the native answer to the rows of the truth.
 *
 * @param {Record<string, Row[]>} facts
 * @returns {Record<Category, Row[]>}
 */
function answered({ names = [], imports = [], references = [] }) {
	const placed = (/** @type {Row} */ row) => row.slice(0, 3);
	const named = references.filter(([, , name]) => name !== "_");
	return {
		definitions: names.map(([path, , line = null, column = null]) => [
			String(path).split(".").at(-1) ?? "",
			line,
			column,
		]),
		imports: imports.map(([module = null, , member = null, alias = null]) => [
			module,
			member,
			alias,
		]),
		calls: named.filter((row) => row[3] === "call").map(placed),
		references: named.map(placed),
	};
}

/** @param {Row[]} rows */
function keysOf(rows) {
	return new Set(rows.map((row) => JSON.stringify(row)));
}

/** @param {Score} score */
function ratios({ equal, missed, wrong }) {
	const ratio = (/** @type {string[]} */ other) =>
		equal + other.length === 0 ? 1 : equal / (equal + other.length);
	return { precision: ratio(wrong), recall: ratio(missed) };
}

/**
 * Returns some lines from all over a list.
 *
 * @param {string[]} lines
 */
function spread(lines) {
	const step = Math.max(1, Math.floor(lines.length / EXAMPLES));
	return lines.filter((_, index) => index % step === 0).slice(0, EXAMPLES);
}
