import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { filesUnder } from "../js/build/cache.mjs";
import { inRoot } from "../js/build/paths.mjs";
import { asProgram, Problem } from "../js/build/run.mjs";
import { askNative, list, print, sum } from "./ask.mjs";
import { need } from "./corpus.mjs";
import { CORPORA, faultOf, tagsOf } from "./ctags.mjs";
import { table } from "./table.mjs";
import { TRUTHS } from "./truths.mjs";

/** @typedef {import("./ctags.mjs").Row} Row */
/** @typedef {import("./ctags.mjs").Corpus | import("./truths.mjs").Corpus} Corpus */
/** @typedef {{ missing: Row[], extra: Row[], equal: number, faults: Record<string, number> }} Compared */

const NEEDED = 0.98;
const REPORT = inRoot("bench", "REPORT-definitions.md");

const REPORT_HEAD = `# Definitions beside other parsers

\`npm run definitions-accuracy -- FOLDER --write\` wrote this page. FOLDER holds the repositories at
these commits.

A definition counts as equal if its file, the line of its name, its name and its kind are equal.
Fields, variables and enumerators are left out, since ragnav has no definitions of them.
Files that the other parser refuses are left out.
For Swift, the grammar by which editors colour it takes the place of a parser. It refuses no file.`;

const REPORT_END = `
[\`ctags.mjs\`](ctags.mjs) recognises faults of ctags by the words of the source line. The last column
counts them; they count neither for nor against ragnav.
`;

await asProgram(async () => {
	const [folder, ...options] = process.argv.slice(2);
	if (!folder) {
		throw new Problem(
			"Name the folder that holds the repositories, and --write to write the report.",
		);
	}
	const [ctags] = need("ctags");
	/** @type {{ corpus: Corpus, compared: Compared }[]} */
	const all = [];
	const named = options.filter((option) => !option.startsWith("--"));
	for (const corpus of [...CORPORA, ...TRUTHS]) {
		if (named.length > 0 && !named.includes(corpus.language)) continue;
		const root = join(folder, corpus.repository.split("/")[1] ?? "");
		const candidates = filesUnder(root).filter((file) =>
			corpus.extensions.some((extension) => file.endsWith(extension)),
		);
		const [theirs, files] = await truthOf(ctags, corpus, candidates);
		const ours = await definitionsOf(files);
		const compared = compare(corpus, ours, theirs);
		all.push({ corpus, compared });
		show(corpus, root, compared);
	}
	const report = reportOf(all, versionOf(ctags));
	print(`\n${report}`);
	if (options.includes("--write") && named.length === 0)
		writeFileSync(REPORT, report);
	if (all.some(({ compared }) => Math.min(...ratios(compared)) < NEEDED))
		throw new Problem(
			"The definitions are less accurate than they have to be.",
		);
});

/**
 * Returns the definitions that the other parser finds, and the files that it reads.
 *
 * @param {string} ctags
 * @param {Corpus} corpus
 * @param {string[]} files
 * @returns {Promise<[Row[], string[]]>}
 */
async function truthOf(ctags, corpus, files) {
	if (!("truth" in corpus)) return [tagsOf(ctags, corpus, files), files];
	/** @type {Map<string, Row[]>} */
	const read = new Map();
	for (const [file, rows] of await corpus.truth.definitionsOf(files)) {
		if (rows) read.set(file, rows);
	}
	print(`${corpus.repository}: ${files.length - read.size} files are refused`);
	return [[...read.values()].flat(), [...read.keys()]];
}

/**
 * @param {string[]} files
 * @returns {Promise<Row[]>}
 */
async function definitionsOf(files) {
	/** @type {{ file: string, facts: { names: [string, string, number, number][] } | null }[]} */
	const answers = await askNative("native_facts", files);
	return answers.flatMap(({ file, facts }) =>
		(facts?.names ?? []).map(([path, kind, line]) => ({
			file,
			line,
			kind,
			name: path.slice(path.lastIndexOf(".") + 1),
		})),
	);
}

/**
 * Pairs the definitions that have one file, line, name and kind, each at most once.
 *
 * @param {Corpus} corpus
 * @param {Row[]} ours
 * @param {Row[]} theirs
 * @returns {Compared}
 */
function compare(corpus, ours, theirs) {
	/** @type {Map<string, Row[]>} */
	const unpaired = new Map();
	for (const row of ours) {
		const rows = unpaired.get(keyOf(row));
		if (rows) rows.push(row);
		else unpaired.set(keyOf(row), [row]);
	}
	const missing = theirs.filter((row) => !unpaired.get(keyOf(row))?.pop());
	const extra = [...unpaired.values()].flat();
	/** @type {Record<string, number>} */
	const faults = {};
	const lines = cachedLines();
	const [ownMissing, ownExtra] = [missing, extra].map((rows, index) =>
		rows.filter((row) => {
			if ("truth" in corpus) return true;
			const fault = faultOf(corpus.language, row, index === 1, lines(row.file));
			if (fault) faults[fault] = (faults[fault] ?? 0) + 1;
			return !fault;
		}),
	);
	return {
		missing: ownMissing ?? [],
		extra: ownExtra ?? [],
		equal: ours.length - extra.length,
		faults,
	};
}

/** @param {Row} row */
function keyOf({ file, line, kind, name }) {
	return [file, line, kind, name].join("\n");
}

/** @returns {(file: string) => string[]} */
function cachedLines() {
	/** @type {Map<string, string[]>} */
	const known = new Map();
	return (file) => {
		const lines = known.get(file) ?? readFileSync(file, "utf8").split(/\r?\n/);
		known.set(file, lines);
		return lines;
	};
}

/**
 * Returns precision and recall.
 *
 * @param {Compared} compared
 * @returns {[number, number]}
 */
function ratios({ missing, extra, equal }) {
	return [equal / (equal + extra.length), equal / (equal + missing.length)];
}

/**
 * @param {Corpus} corpus
 * @param {string} root
 * @param {Compared} compared
 */
function show({ repository }, root, { missing, extra, faults }) {
	const shown = (/** @type {Row} */ { file, line, kind, name }) =>
		`${relative(root, file)}:${line} ${kind} ${name}`;
	list(`${repository}: only the truth has`, missing.map(shown));
	list(`${repository}: only ragnav has`, extra.map(shown));
	list(
		`${repository}: faults of ctags`,
		Object.entries(faults).map(([fault, count]) => `${count} × ${fault}`),
	);
}

/** @param {string} ctags */
function versionOf(ctags) {
	const { stdout } = spawnSync(ctags, ["--version"], { encoding: "utf8" });
	return /^[^,]*/.exec(stdout)?.[0] ?? "ctags";
}

/**
 * @param {{ corpus: Corpus, compared: Compared }[]} all
 * @param {string} truth
 */
function reportOf(all, truth) {
	const rows = all.map(({ corpus, compared }) => {
		const [precision, recall] = ratios(compared);
		return [
			corpus.language,
			corpus.repository,
			corpus.commit.slice(0, 10),
			"truth" in corpus ? corpus.truth.name : truth,
			String(compared.equal + compared.extra.length),
			precision.toFixed(4),
			recall.toFixed(4),
			String(sum(Object.values(compared.faults), (count) => count)),
		];
	});
	const head = [
		"language",
		"repository",
		"commit",
		"truth",
		"definitions",
		"precision",
		"recall",
		"faults of ctags",
	];
	return `${REPORT_HEAD}

${table(head, rows)}
${REPORT_END}`;
}
