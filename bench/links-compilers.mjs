/** Compares the references of `whereUsed` with those of compilers. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "../js/build/paths.mjs";
import { asProgram, Problem } from "../js/build/run.mjs";
import { list, print } from "./ask.mjs";
import { COMPILED, neededOf } from "./compilers.mjs";
import { loadPackage } from "./navigator.mjs";
import { table } from "./table.mjs";

/** @typedef {import("./compilers.mjs").Corpus} Corpus */
/** @typedef {import("./compilers.mjs").Declaration} Declaration */
/** @typedef {Exclude<Declaration["kind"], "other">} Kind */
/** @typedef {Awaited<ReturnType<typeof openIn>>} Navigator */
/**
 * @typedef {object} Score
 * @property {number} uses according to the compiler
 * @property {number} found of these, by resolved rows
 * @property {number} candidates of these, by candidates alone
 * @property {number} extra the resolved rows that mean something else
 */

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
		const root = join(folder, corpus.repository.split("/")[1] ?? "");
		for (const [kind, score] of await compare(corpus, root)) {
			const { precision, recall } = ratios(score);
			const needed = neededOf(corpus.language, kind);
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
 * @param {string} root
 */
async function compare(corpus, root) {
	const printed = await corpus.compiler.usesOf(root);
	/** @type {Declaration[]} */
	const declared = printed
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line));
	// A place that the compiler did not read, such as a file of another system, proves nothing.
	const known = new Set(declared.flatMap(({ uses }) => uses.map(placeOf)));
	const nav = await openIn(root);
	/** @type {Map<Kind, Score>} */
	const scores = new Map();
	/** @type {string[]} */
	const missed = [];
	/** @type {string[]} */
	const wrong = [];
	for (const one of declared) {
		if (one.kind === "other") continue;
		const answer = await answerOf(nav, one);
		if (!answer) continue;
		const { resolved, candidates } = answer;
		const score = scores.get(one.kind) ?? emptyScore();
		scores.set(one.kind, score);
		const uses = new Set(one.uses.map(placeOf));
		score.uses += uses.size;
		for (const at of uses) {
			if (resolved.has(at)) score.found += 1;
			else {
				if (candidates.has(at)) score.candidates += 1;
				missed.push(`${one.kind} ${one.name} ${lineAt(root, at)}`);
			}
		}
		for (const at of resolved)
			if (!uses.has(at) && known.has(at)) {
				score.extra += 1;
				wrong.push(`${one.kind} ${one.name} ${lineAt(root, at)}`);
			}
	}
	nav.close();
	list(`${corpus.repository}: missed`, spread(missed));
	list(`${corpus.repository}: wrong`, spread(wrong));
	return scores;
}

/** @returns {Score} */
function emptyScore() {
	return { uses: 0, found: 0, candidates: 0, extra: 0 };
}

/** @param {string} root */
async function openIn(root) {
	const { open, nodeHost } = await loadPackage();
	const nav = await open(nodeHost(root, { readOnly: true }));
	await nav.buildGraph();
	return nav;
}

/**
 * Returns the places of references; `undefined` for a declaration in a file above the size limit.
 *
 * @param {Navigator} nav
 * @param {Declaration} declaration
 */
async function answerOf(nav, { file, line, column }) {
	const symbol = `${file}:${line}:${column + 1}`;
	const { items, meta } = await nav.whereUsed(symbol, { limit: 10_000 });
	// A file above the size limit, or one that code includes and that has no known extension.
	if (
		meta.error_code === "FILE_UNREADABLE" ||
		meta.error_code === "LANGUAGE_UNAVAILABLE"
	)
		return undefined;
	// A definition that the parser did not find has no rows.
	if (meta.error_code === "INVALID_ARGUMENT")
		return { resolved: new Set(), candidates: new Set() };
	if (meta.error_code)
		throw new Problem(`${symbol}: ${meta.error_code}: ${meta.message}`);
	const places = (/** @type {string} */ resolution) => {
		const rows = items.filter((item) => item.resolution === resolution);
		return new Set(
			rows.map((item) => placeOf([item.file, item.line, item.start_utf16])),
		);
	};
	return { resolved: places("resolved"), candidates: places("candidate") };
}

/** @param {[file: string, line: number, column: number]} place */
function placeOf([file, line, column]) {
	return `${file}:${line}:${column}`;
}

/**
 * @param {string} root
 * @param {string} place
 */
function lineAt(root, place) {
	const [file = "", line] = place.split(":");
	const lines = readFileSync(join(root, file), "utf8").split("\n");
	return `${place} ${lines[Number(line) - 1]?.trim()}`;
}

/** Samples a list evenly. */
function spread(/** @type {string[]} */ all) {
	const step = Math.ceil(all.length / EXAMPLES);
	return all.filter((_, at) => at % step === 0);
}

/** @param {Score} score */
function ratios({ uses, found, candidates, extra }) {
	const share = (/** @type {number} */ part, /** @type {number} */ whole) =>
		whole === 0 ? 1 : part / whole;
	return {
		precision: share(found, found + extra),
		recall: share(found, uses),
		reached: share(found + candidates, uses),
	};
}

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
commits.

For each declaration that a compiler finds, \`whereUsed\` lists its references. A row counts as right
if its file, line and column are those of a reference that the compiler resolves to the declaration.
Precision and recall are those of resolved rows; the last column is the recall with candidates.
Overloads are declarations of their own.
Rows in files that the compiler does not read, such as those for other systems, count neither way.

${table(head, rows)}
`;
}
