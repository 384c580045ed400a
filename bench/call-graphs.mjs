/** The call graphs of SWARM-CG, a collection of small programs by category, beside what tools find. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { filesUnder } from "../js/build/cache.mjs";
import { list } from "./ask.mjs";
import { loadPackage } from "./navigator.mjs";

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} folder its folder in a checkout of the collection
 * @property {RegExp} sources the names of source files
 * @property {string} constructor the name of constructors in the call graphs
 */
/** @typedef {{ found: number, missed: number, extra: number }} Score */

/** @type {Suite[]} */
export const SUITES = [
	{
		name: "Python, headergen",
		folder: "benchmarks/python/headergen",
		sources: /\.py$/,
		constructor: "__init__",
	},
	{
		name: "Python, extended",
		folder: "benchmarks/python/pycg_extended",
		sources: /\.py$/,
		constructor: "__init__",
	},
	{
		name: "JavaScript",
		folder: "benchmarks/javascript/swarm_js",
		sources: /\.js$/,
		constructor: "constructor",
	},
];
/**
 * @typedef {object} Program
 * @property {string} folder
 * @property {Navigator} nav over its sources
 * @property {Set<string>} functions by their names with those of their modules
 * @property {Set<string>} modules
 */
const GRAPH = "callgraph.json";

/**
 * Returns the scores of a suite by the category of its programs.
 *
 * @param {Suite} suite
 * @param {string} folder
 * @param {(suite: Suite, program: Program) => Promise<Set<string>>} callsBy finds the calls between
 * functions of a program, as `caller -> called`
 */
export async function scoresOf(suite, folder, callsBy = resolvedCalls) {
	/** @type {Map<string, Score>} */
	const scores = new Map();
	/** @type {string[]} */
	const differences = [];
	for (const category of readdirSync(folder).sort()) {
		for (const program of readdirSync(join(folder, category)).sort()) {
			const score = scores.get(category) ?? emptyScore();
			scores.set(category, score);
			const at = join(folder, category, program);
			const { expected, found } = await callsOf(suite, at, callsBy);
			for (const call of expected) {
				score[found.has(call) ? "found" : "missed"] += 1;
				if (!found.has(call))
					differences.push(`missed in ${category}/${program}: ${call}`);
			}
			for (const call of found) {
				if (expected.has(call)) continue;
				score.extra += 1;
				differences.push(`extra in ${category}/${program}: ${call}`);
			}
		}
	}
	list(suite.name, differences);
	return scores;
}

/**
 * Returns the calls between the definitions of a program: those of its call graph and those that
 * a tool finds.
 *
 * @param {Suite} suite
 * @param {string} folder
 * @param {(suite: Suite, program: Program) => Promise<Set<string>>} callsBy
 */
async function callsOf(suite, folder, callsBy) {
	const files = sourcesOf(suite, folder);
	const { open, memoryHost } = await loadPackage();
	const nav = await open(memoryHost(files));
	const { functions, modules } = await definitionsOf(nav, Object.keys(files));
	const found = await callsBy(suite, { folder, nav, functions, modules });
	nav.close();
	/** @type {Record<string, string[]>} */
	const graph = JSON.parse(readFileSync(join(folder, GRAPH), "utf8"));
	/** @type {Set<string>} */
	const expected = new Set();
	/** @type {Set<string>} */
	const known = new Set();
	const plain = (/** @type {string} */ name) =>
		name.replaceAll("<constructor>", suite.constructor);
	for (const [caller, called] of Object.entries(graph)) {
		known.add(plain(caller));
		for (const one of called.map(plain)) {
			known.add(one);
			if (functions.has(one))
				expected.add(`${callerOf(plain(caller), modules)} -> ${one}`);
		}
	}
	// The graph says nothing about functions that it does not name.
	const isKnown = (/** @type {string} */ call) =>
		known.has(call.split(" -> ")[1] ?? "");
	return { expected, found: new Set([...found].filter(isKnown)) };
}

/**
 * Returns the caller of a graph as ragnav names it: the code of a function without a name belongs
 * to what is around it.
 *
 * @param {string} caller
 * @param {Set<string>} modules
 */
export function callerOf(caller, modules) {
	const names = caller.split(".").filter((name) => !name.startsWith("<"));
	const name = names.join(".");
	const module = name.replace(/\.__init__$/, "");
	return modules.has(module) ? module : name;
}

/**
 * @param {Suite} suite
 * @param {string} folder
 */
function sourcesOf(suite, folder) {
	const paths = filesUnder(folder).filter((path) => suite.sources.test(path));
	return Object.fromEntries(
		paths.map((path) => [
			relative(folder, path).replaceAll("\\", "/"),
			readFileSync(path, "utf8"),
		]),
	);
}

/** @typedef {Awaited<ReturnType<Awaited<ReturnType<typeof loadPackage>>["open"]>>} Navigator */

/**
 * Returns the names of functions and of modules. The graphs name constructors, not classes.
 *
 * @param {Navigator} nav
 * @param {string[]} files
 */
async function definitionsOf(nav, files) {
	/** @type {Set<string>} */
	const functions = new Set();
	const modules = new Set(files.map(moduleOf));
	for (const file of files) {
		const { items } = await nav.outline(file);
		for (const { kind, symbol } of items) {
			const isFunction = kind === "function" || kind === "method";
			if (isFunction) functions.add(symbol.slice("sym:".length));
		}
	}
	return { functions, modules };
}

/** @param {string} file */
export function moduleOf(file) {
	return file
		.replace(/\.\w+$/, "")
		.replace(/\/(?:__init__|index)$/, "")
		.replaceAll("/", ".");
}

/**
 * Returns the calls that `lineage` resolves.
 *
 * @param {Suite} _
 * @param {Program} program
 */
async function resolvedCalls(_, { nav, functions }) {
	/** @type {Set<string>} */
	const calls = new Set();
	for (const name of functions) {
		const answer = await nav.lineage(`sym:${name}`, "upstream", {
			limit: 1000,
		});
		for (const item of answer.items) {
			if (item.edge !== "calls" || item.resolution !== "resolved") continue;
			const caller = item.symbol?.slice("sym:".length) ?? moduleOf(item.file);
			calls.add(`${caller} -> ${name}`);
		}
	}
	return calls;
}

/** @returns {Score} */
export function emptyScore() {
	return { found: 0, missed: 0, extra: 0 };
}
