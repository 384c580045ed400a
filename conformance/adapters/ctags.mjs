/** Universal Ctags: definitions, from a file `tags` that editors read. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram, Problem } from "../../js/build/run.mjs";
import { runProgram } from "../process.mjs";

/** @typedef {import("../types.d.ts").Row} Row */

const TAGS = "tags";
const INTERRUPT_MS = 3;
const BUILD = ["-R", "--fields=+n", "--sort=no", "-f", TAGS, "."];

/** @type {import("../types.d.ts").Adapter} */
export const ctags = {
	name: "ctags",
	index_paths: [TAGS],
	asks: ["definitions"],
	has_buffers: false,
	claims:
		"None: a tag has a pattern, with which an editor may search the line again.",
	version,
	open,
};

function program() {
	const found = findProgram(["ctags"]);
	if (found) return found;
	throw new Problem(
		"Missing ctags. Install the package universal-ctags (apt-get, brew).",
	);
}

async function version() {
	const how = { program: program(), args: ["--version"], cwd: process.cwd() };
	const { stdout } = await runProgram(how);
	return stdout.split(/[,(]/)[0]?.trim() ?? "ctags";
}

/**
 * @param {string} folder
 * @returns {Promise<import("../types.d.ts").Session>}
 */
async function open(folder) {
	const how = { program: program(), args: BUILD, cwd: folder };
	return {
		async index() {
			await runProgram(how);
		},
		async interruptIndex() {
			await runProgram({ ...how, end_after_ms: INTERRUPT_MS });
		},
		async setBuffer() {},
		async ask(asked) {
			if (asked.ask !== "definitions")
				return { kind: "not_applicable", reason: "It finds definitions only." };
			const tags = tagsOf(folder);
			if (tags === undefined)
				return { kind: "refused", reason: "There is no file of tags." };
			const rows = tags.split("\n").flatMap(rowOf(asked.symbol));
			return { kind: "rows", rows, index: "unsaid", complete: false };
		},
		async close() {},
	};
}

/** @param {string} folder */
function tagsOf(folder) {
	try {
		return readFileSync(join(folder, TAGS), "utf8");
	} catch {
		return undefined;
	}
}

/**
 * @param {string} symbol
 * @returns {(line: string) => Row[]}
 */
const rowOf = (symbol) => (line) => {
	const [name, file] = line.split("\t");
	const number = /\tline:(\d+)/.exec(line)?.[1];
	if (name !== symbol || file === undefined || number === undefined) return [];
	const path = file.replace(/^\.\//, "");
	return [{ file: path, line: Number(number), claim: "unsaid" }];
};
