/** Compares the facts of ragnav with what a parser says of the same files. */
import { relative } from "node:path";
import { askNative } from "./ask.mjs";

/**
 * A parser that says what single files contain.
 *
 * @typedef {object} Parser
 * @property {string} name
 * @property {string} language the name in ragnav
 * @property {(root: string, folder?: string) => Promise<string>} factsOf prints a {@link Truth} of
 *   each file on a line, of those in a folder below the root if one is given
 */
/** @typedef {(string | number | null)[]} Row */
/** @typedef {"definitions" | "imports" | "calls" | "references"} Category */
/**
 * What a file contains. The language does not say what `ambiguous` rows of references are. The
 * parser does not read the `skipped` lines, from the first to the last of each range.
 *
 * @typedef {object} Unknown
 * @property {string} file
 * @property {Row[]} ambiguous
 * @property {[first: number, last: number][]} [skipped]
 */
/** @typedef {Unknown & Record<Category, Row[]>} Truth */
/** @typedef {{ equal: number, missed: string[], wrong: string[] }} Score */
/** @typedef {{ file: string, facts: Record<string, Row[]> | null }} Answer */

/** @type {Category[]} */
const CATEGORIES = ["definitions", "imports", "calls", "references"];
/** The number of files at a time: the facts are many times as large as the files. */
const BATCH = 200;

/**
 * @param {Parser} parser
 * @param {string} root
 * @param {string} [folder]
 * @returns {Promise<Map<Category, Score>>}
 */
export async function compare(parser, root, folder) {
	const printed = await parser.factsOf(root, folder);
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
	const isSkipped = (/** @type {Row} */ row) => {
		const line = Number(row.find((cell) => typeof cell === "number"));
		const skipped = truth.skipped ?? [];
		return skipped.some(([first, last]) => first <= line && line <= last);
	};
	const ours = answered(facts);
	const unknown = keysOf(truth.ambiguous);
	for (const [category, score] of scores) {
		const theirs = keysOf(truth[category].filter((row) => !isSkipped(row)));
		const own = keysOf(ours[category].filter((row) => !isSkipped(row)));
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
