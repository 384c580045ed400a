/**
 * semble: its command line, which brings its index up to date before each search. It ranks pieces of
 * files, and this asks for all of them: the rows are the lines of these pieces that have the text.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../js/build/cache.mjs";
import { inCache, inRoot } from "../../js/build/paths.mjs";
import { pythonEnvironment } from "../../js/build/python.mjs";
import { run } from "../../js/build/run.mjs";
import { runProgram } from "../process.mjs";

/** @typedef {import("../types.d.ts").Row} Row */
/** @typedef {{ file_path: string, start_line: number, content: string }} Piece */

const SEMBLE = "0.7.0";
const INDEX = ".semble";
const INTERRUPT_MS = 700;
/** More pieces than any scenario has. */
const PIECES = "500";
const MAIN = "from semble.cli import main; main()";

/** @type {Promise<{ python: string, model: string }> | undefined} */
let installed;

/** @type {import("../types.d.ts").Adapter} */
export const semble = {
	name: "semble",
	index_paths: [INDEX],
	asks: ["search"],
	has_buffers: false,
	claims:
		"None: it compares the times of files with its index before it searches.",
	version: async () => `semble ${SEMBLE}`,
	open,
};

async function install() {
	const python = await pythonEnvironment({
		name: "semble",
		requirements: [`semble==${SEMBLE}`],
	});
	// Its own model is downloaded when it is first used. It decides the order alone.
	const model = inCache("peers", "semble-model");
	const script = inRoot("conformance", "adapters", "semble_model.py");
	if (!existsSync(model))
		await makeFolder(model, (unfinished) => run(python, [script, unfinished]));
	return { python, model };
}

/**
 * @param {string} folder
 * @returns {Promise<import("../types.d.ts").Session>}
 */
async function open(folder) {
	installed ??= install();
	const { python, model } = await installed;
	const search = (/** @type {string} */ text, /** @type {object} */ how = {}) =>
		runProgram({
			program: python,
			args: ["-c", MAIN, "search", text, folder, "-k", PIECES],
			cwd: folder,
			env: {
				HF_HUB_OFFLINE: "1",
				SEMBLE_MODEL_NAME: model,
				SEMBLE_CACHE_LOCATION: join(folder, INDEX),
			},
			...how,
		});
	return {
		async index() {
			// It has no command for this.
			await search("anything");
		},
		async interruptIndex() {
			await search("anything", { end_after_ms: INTERRUPT_MS });
		},
		async setBuffer() {},
		async ask(asked) {
			if (asked.ask !== "search")
				return { kind: "not_applicable", reason: "It searches only." };
			const { status, stdout, stderr } = await search(asked.text);
			if (status !== 0 || !stdout.startsWith("{"))
				return { kind: "refused", reason: stderr };
			/** @type {Piece[]} */
			const pieces = JSON.parse(stdout).results ?? [];
			const rows = pieces.flatMap((piece) => rowsOf(piece, asked.text));
			return { kind: "rows", rows, index: "unsaid", complete: false };
		},
		async close() {},
	};
}

/**
 * @param {Piece} piece
 * @param {string} text
 * @returns {Row[]}
 */
function rowsOf({ file_path, start_line, content }, text) {
	return content
		.split("\n")
		.flatMap((line, at) =>
			line.includes(text)
				? [{ file: file_path, line: start_line + at, claim: "unsaid" }]
				: [],
		);
}
