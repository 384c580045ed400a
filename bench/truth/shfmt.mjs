import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Problem } from "../../js/build/run.mjs";

/** @typedef {import("../ctags.mjs").Row} Row */
/** @typedef {{ Value: string, ValuePos: { Line: number } }} Word */
/** @typedef {{ Type: "FuncDecl", Name: Word }} Declaration */

/** The syntax tree of a long script has some 100 MB. */
const MAX_OUTPUT = 1 << 30;

/** @type {import("../truths.mjs").Truth} */
export const SHFMT = {
	name: "shfmt 3.6.0",
	definitionsOf: (files) => files.map((file) => [file, definitionsOf(file)]),
};

/**
 * Returns the functions of a script, or `undefined` if shfmt refuses it.
 *
 * @param {string} file
 * @returns {Row[] | undefined}
 */
function definitionsOf(file) {
	const dialect = file.endsWith(".bats") ? "bats" : "bash";
	const { error, status, stdout } = spawnSync(
		"shfmt",
		["--language-dialect", dialect, "--to-json"],
		{ input: readFileSync(file), encoding: "utf8", maxBuffer: MAX_OUTPUT },
	);
	if (error) throw new Problem(`shfmt cannot run: ${error.message}`);
	if (status !== 0) return undefined;
	/** @type {Row[]} */
	const rows = [];
	JSON.parse(stdout, (_, node) => {
		if (node?.Type === "FuncDecl") rows.push(rowOf(file, node));
		return node;
	});
	return rows;
}

/**
 * @param {string} file
 * @param {Declaration} declaration
 * @returns {Row}
 */
function rowOf(file, { Name: { Value: name, ValuePos: position } }) {
	return { file, line: position.Line, kind: "function", name };
}
