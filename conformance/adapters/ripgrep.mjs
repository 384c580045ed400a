/** ripgrep, which has no index: it reads every file for each answer. */
import { ripgrepProgram } from "../../bench/ripgrep.mjs";
import { runProgram } from "../process.mjs";

/** @typedef {import("../types.d.ts").Row} Row */

/** The exit code of an answer without rows. */
const NOTHING_FOUND = 1;

/** @type {import("../types.d.ts").Adapter} */
export const ripgrep = {
	name: "ripgrep",
	index_paths: [],
	asks: ["search"],
	has_buffers: false,
	claims: "None, and none is needed: it reads the files for each answer.",
	version,
	open,
};

async function version() {
	const program = ripgrepProgram();
	const args = ["--version"];
	const { stdout } = await runProgram({ program, args, cwd: process.cwd() });
	return stdout.split("\n")[0]?.replace(/ \(.*/, "") ?? "ripgrep";
}

/**
 * @param {string} folder
 * @returns {Promise<import("../types.d.ts").Session>}
 */
async function open(folder) {
	return {
		async index() {},
		async interruptIndex() {},
		async setBuffer() {},
		async ask(asked) {
			if (asked.ask !== "search")
				return { kind: "not_applicable", reason: "It searches text only." };
			const flags = ["-nF", "--no-heading", "--no-config", "--null"];
			const { status, stdout, stderr } = await runProgram({
				program: ripgrepProgram(),
				args: [...flags, "--", asked.text, "./"],
				cwd: folder,
			});
			// It says so with code 2 if a file could not be read, and prints the other rows.
			if (status !== 0 && status !== NOTHING_FOUND && stdout === "")
				return { kind: "refused", reason: stderr };
			return {
				kind: "rows",
				rows: stdout.split("\n").flatMap(rowOf),
				index: "unsaid",
				complete: false,
			};
		},
		async close() {},
	};
}

/**
 * @param {string} line
 * @returns {Row[]}
 */
function rowOf(line) {
	const found = /^\.\/([^\0]+)\0(\d+):/.exec(line);
	if (!found?.[1]) return [];
	return [{ file: found[1], line: Number(found[2]), claim: "unsaid" }];
}
