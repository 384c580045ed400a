/** Which calls several tools find, beside the call graphs of SWARM-CG. */
import { join } from "node:path";
import { say } from "../../js/build/run.mjs";
import { emptyScore, moduleOf, SUITES, scoresOf } from "../call-graphs.mjs";
import { copyFolder } from "../workspace.mjs";
import { codegraphDefinitions, installedCodegraph } from "./codegraph.mjs";
import { checkoutOf, titleOf } from "./corpora.mjs";
import { ragnavVersion } from "./versions.mjs";

/** @typedef {import("../call-graphs.mjs").Suite} Suite */
/** @typedef {import("../call-graphs.mjs").Score} Score */
/** @typedef {import("./codegraph.mjs").Definition} Definition */
/** @typedef {import("./results.mjs").Row} Row */

const CORPUS = {
	repository: "secure-software-engineering/SWARM-CG",
	commit: "5929c0a36a9c8e8c6c7539dc412336cdf6c09e58",
};

/**
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./results.mjs").Result>}
 */
export async function lineage({ data, temp }) {
	const root = checkoutOf(data, CORPUS);
	const { version } = await installedCodegraph();
	const rows = [];
	for (const suite of SUITES) {
		say(`${CORPUS.repository}: ${suite.name}`);
		const folder = join(root, suite.folder);
		const same = { corpus: titleOf(CORPUS), what: suite.name };
		rows.push({
			...{ tool: "ragnav", version: ragnavVersion(), ...same },
			command: "ragnav lineage SYMBOL --direction upstream",
			values: valuesOf(await scoresOf(suite, folder)),
		});
		const graph = codegraphCalls(suite, temp);
		rows.push({
			...{ tool: "codegraph", version, ...same },
			command:
				"codegraph init; the edges `calls` and `instantiates` of its index",
			values: valuesOf(await scoresOf(suite, folder, graph)),
		});
	}
	return {
		part: "lineage",
		title: "Calls beside known call graphs",
		note: "Small programs, each with its call graph. A call between two functions of the program is found if the tool has it. ragnav's are its resolved ones.",
		columns: [
			{ key: "calls", title: "calls", unit: "count" },
			{ key: "precision", title: "precision", unit: "share", better: "more" },
			{ key: "recall", title: "recall", unit: "share", better: "more" },
		],
		chart: "recall",
		rows,
	};
}

/** @param {Map<string, Score>} scores */
function valuesOf(scores) {
	const all = emptyScore();
	for (const { found, missed, extra } of scores.values()) {
		all.found += found;
		all.missed += missed;
		all.extra += extra;
	}
	const calls = all.found + all.missed;
	return {
		calls,
		precision: all.found / Math.max(1, all.found + all.extra),
		recall: all.found / Math.max(1, calls),
	};
}

/**
 * Returns a function that finds the calls of a program in codegraph's index of its folder.
 *
 * @param {Suite} suite
 * @param {string} temp
 * @returns {NonNullable<Parameters<typeof scoresOf>[2]>}
 */
function codegraphCalls(suite, temp) {
	let count = 0;
	return async (_, program) => {
		// Each program is a repository of its own, as it is for the call graph.
		const copy = join(temp, `${suite.name.replaceAll(/\W+/g, "-")}-${count}`);
		count += 1;
		copyFolder(program.folder, copy);
		const definitions = await codegraphDefinitions(copy, join(temp, "home"));
		return callsIn(suite, definitions, program);
	};
}

/**
 * @param {Suite} suite
 * @param {Definition[]} definitions
 * @param {import("../call-graphs.mjs").Program} program
 */
function callsIn(suite, definitions, { functions }) {
	/** @type {Set<string>} */
	const calls = new Set();
	for (const { file, full, kind, uses } of definitions) {
		const own = nameOf(file, full);
		// A class is called by its constructor.
		const called = kind === "class" ? `${own}.${suite.constructor}` : own;
		if (!functions.has(called)) continue;
		for (const [edge, from, , caller, holder] of uses)
			if (edge === "calls" || edge === "instantiates")
				calls.add(`${callerOf(from, caller, holder)} -> ${called}`);
	}
	return calls;
}

/**
 * Returns the caller as the call graphs name it: the value of a variable belongs to the code around
 * the variable.
 *
 * @param {string} file
 * @param {string} full
 * @param {string} kind
 */
function callerOf(file, full, kind) {
	if (kind === "file") return nameOf(file, "");
	if (kind !== "variable" && kind !== "constant") return nameOf(file, full);
	return nameOf(file, full.split("::").slice(0, -1).join("::"));
}

/**
 * @param {string} file
 * @param {string} full the name in codegraph, as `Shop::open`
 */
function nameOf(file, full) {
	const names = full.split("::").filter(Boolean);
	return [moduleOf(file), ...names].join(".");
}
