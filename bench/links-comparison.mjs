/** Compares the references of `whereUsed` with those that a compiler finds in a repository. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Problem } from "../js/build/run.mjs";
import { list } from "./ask.mjs";
import { navigator } from "./navigator.mjs";

/** @typedef {import("./compilers.mjs").Declaration} Declaration */
/** @typedef {Exclude<Declaration["kind"], "other">} Kind */
/** @typedef {Awaited<ReturnType<typeof navigator>>} Navigator */
/**
 * @typedef {object} Score
 * @property {number} uses according to the compiler
 * @property {number} found of these, by resolved rows
 * @property {number} candidates of these, by candidates alone
 * @property {number} extra the resolved rows that mean something else
 */

/**
 * Returns how the answers compare, by the kind of declaration, and prints examples of differences.
 *
 * @param {string} name the repository in what is printed
 * @param {string} root
 * @param {string} printed what the compiler prints, see {@link import("./compilers.mjs").Compiler}
 * @param {number} examples the most differences to print of each side
 */
export async function compareLinks(name, root, printed, examples) {
	/** @type {Declaration[]} */
	const declared = printed
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line));
	// A place that the compiler did not read, such as a file of another system, proves nothing.
	const known = new Set(declared.flatMap(({ uses }) => uses.map(placeOf)));
	const nav = await navigator(root);
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
	list(`${name}: missed`, spread(missed, examples));
	list(`${name}: wrong`, spread(wrong, examples));
	return scores;
}

/** @param {Score} score */
export function ratios({ uses, found, candidates, extra }) {
	const share = (/** @type {number} */ part, /** @type {number} */ whole) =>
		whole === 0 ? 1 : part / whole;
	return {
		precision: share(found, found + extra),
		recall: share(found, uses),
		reached: share(found + candidates, uses),
	};
}

/** @returns {Score} */
function emptyScore() {
	return { uses: 0, found: 0, candidates: 0, extra: 0 };
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

/**
 * Samples a list evenly.
 *
 * @param {string[]} all
 * @param {number} most
 */
function spread(all, most) {
	const step = Math.ceil(all.length / most);
	return all.filter((_, at) => at % step === 0);
}
