import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { makeFolder } from "../../js/build/cache.mjs";
import { inCache, inRoot } from "../../js/build/paths.mjs";
import { Problem, run, say } from "../../js/build/run.mjs";
import { need } from "../corpus.mjs";

/** @typedef {import("../ctags.mjs").Row} Row */

const GRAMMAR = "tree-sitter-dart-orchard==0.7.0";
const PARSER = "tree-sitter==0.26.1";

/** The number of bytes that the program prints of all files at most. */
const MAX_OUTPUT = 1 << 28;

/** @type {import("../truths.mjs").Truth} */
export const DART_ORCHARD = {
	name: "dart-orchard 0.7.0",
	definitionsOf,
};

/**
 * Returns the definitions that another grammar of Dart reads. No package in a registry
 * contains a parser of the Dart team.
 *
 * @param {string[]} files
 */
async function definitionsOf(files) {
	const [python] = need("python3");
	const packages = await install(python);
	const program = inRoot("bench", "truth", "dart_definitions.py");
	const { error, status, stdout, stderr } = spawnSync(
		python,
		[program, packages],
		{
			input: files.map((file) => `${file}\n`).join(""),
			encoding: "utf8",
			maxBuffer: MAX_OUTPUT,
		},
	);
	if (error || status !== 0)
		throw new Problem(`python3 failed: ${error?.message ?? stderr}`);
	/** @type {Map<string, Row[] | undefined>} */
	const read = new Map();
	for (const row of stdout.split("\n")) {
		const [file = "", number, kind = "", name = ""] = row.split("\t");
		if (kind === "refused") read.set(file, undefined);
		if (kind === "read") read.set(file, []);
		if (name) read.get(file)?.push({ file, line: Number(number), kind, name });
	}
	return [...read];
}

/**
 * Installs the parser once, and returns the folder of its packages.
 *
 * @param {string} python
 */
async function install(python) {
	const folder = inCache("truths", GRAMMAR);
	if (existsSync(folder)) return folder;
	say(`truth: installing ${GRAMMAR}`);
	await makeFolder(folder, (unfinished) =>
		run(python, [
			...["-m", "pip", "--quiet", "install", "--no-deps"],
			...["--target", unfinished, GRAMMAR, PARSER],
		]),
	);
	return folder;
}
