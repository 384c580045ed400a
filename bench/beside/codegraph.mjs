/** The index of codegraph, read as a whole: what its commands answer, without a process for each. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "../../js/build/paths.mjs";
import { output, Problem } from "../../js/build/run.mjs";
import { codegraph } from "../commands.mjs";
import { need } from "../corpus.mjs";
import { measured } from "../measured.mjs";
import { findPeers } from "../peers.mjs";

/**
 * @typedef {[edge: string, file: string, line: number, caller: string, kind: string]} Use with the
 * name and the kind of what holds it
 */
/**
 * @typedef {object} Definition
 * @property {string} file
 * @property {number} start
 * @property {number} end
 * @property {string} name
 * @property {string} kind
 * @property {string} full its name with those of what holds it
 * @property {Use[]} uses
 */

const READER = inRoot("bench", "peers", "codegraph_graph.py");
const TIMEOUT_MS = 300_000;

/** Returns the script and the version of codegraph. */
export async function installedCodegraph() {
	const { codegraph: script, versions, missing } = await findPeers();
	if (!script) throw new Problem(missing.join("\n"));
	const named = versions.find((each) => each.startsWith("codegraph"));
	const [, version = ""] = named?.split(" ") ?? [];
	return { script, version };
}

/**
 * Builds the index in a folder, and returns its definitions.
 *
 * @param {string} folder it writes there
 * @param {string} home
 * @returns {Promise<Definition[]>}
 */
export async function codegraphDefinitions(folder, home) {
	const { script } = await installedCodegraph();
	mkdirSync(home, { recursive: true });
	await measured(codegraph(script, home, folder, "init", "-y"));
	const [python] = need("python3");
	const database = join(folder, ".codegraph", "codegraph.db");
	const printed = output(python, [READER, database], { timeout: TIMEOUT_MS });
	if (printed === undefined)
		throw new Problem(`The index ${database} could not be read.`);
	const lines = printed.split("\n").filter(Boolean);
	return lines.map((line) => JSON.parse(line));
}
