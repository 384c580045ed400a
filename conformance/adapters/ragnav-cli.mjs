/** ragnav's command line: a process for each question. */
import { inRoot } from "../../js/build/paths.mjs";
import { runProgram } from "../process.mjs";
import { answerOf, CLAIMS, ROWS } from "./ragnav-answer.mjs";
import { ragnavVersion } from "./ragnav-api.mjs";

/** @typedef {import("../types.d.ts").Asked} Asked */

export const CLI = inRoot("pkg", "dist", "cjs", "cli.js");

/** The time after which a build is interrupted: when it has started, and has not finished. */
const INTERRUPT_MS = 150;

/** @type {import("../types.d.ts").Adapter} */
export const ragnavCli = {
	name: "ragnav-cli",
	index_paths: [".llmc"],
	asks: ["definitions", "references", "search"],
	has_buffers: false,
	claims: CLAIMS,
	version: ragnavVersion,
	open,
};

/**
 * @param {string} folder
 * @returns {Promise<import("../types.d.ts").Session>}
 */
async function open(folder) {
	const run = (/** @type {string[]} */ args, /** @type {object} */ how = {}) =>
		runProgram({
			program: process.execPath,
			args: [CLI, ...args, "--repo", folder],
			cwd: folder,
			...how,
		});
	return {
		async index() {
			await run(["build-graph"]);
		},
		async interruptIndex() {
			await run(["build-graph"], { end_after_ms: INTERRUPT_MS });
		},
		async setBuffer() {},
		async ask(asked) {
			const { stdout, stderr } = await run([...argsOf(asked), "--json"]);
			if (!stdout.startsWith("{")) return { kind: "refused", reason: stderr };
			return answerOf(JSON.parse(stdout));
		},
		async close() {},
	};
}

/** @param {Asked} asked */
function argsOf(asked) {
	switch (asked.ask) {
		case "definitions":
			return ["locate", asked.symbol];
		case "references":
			return ["where-used", asked.symbol, "--limit", String(ROWS)];
		case "search":
			return ["search", asked.text, "--limit", String(ROWS)];
	}
}
