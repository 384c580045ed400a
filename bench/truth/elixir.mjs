import { spawnSync } from "node:child_process";
import { inRoot } from "../../js/build/paths.mjs";
import { Problem } from "../../js/build/run.mjs";

/** @typedef {import("../ctags.mjs").Row} Row */

/** The number of bytes that the program prints of all files at most. */
const MAX_OUTPUT = 1 << 28;

/** @type {import("../truths.mjs").Truth} */
export const ELIXIR_CODE = { name: "Elixir 1.14.0", definitionsOf };

/**
 * Returns the modules, protocols, implementations, functions, callbacks and types, as Elixir's own
 * parser reads them. Each clause of a function counts.
 *
 * @param {string[]} files
 */
function definitionsOf(files) {
	const program = inRoot("bench", "truth", "elixir_definitions.exs");
	const { error, status, stdout, stderr } = spawnSync("elixir", [program], {
		input: files.map((file) => `${file}\n`).join(""),
		encoding: "utf8",
		maxBuffer: MAX_OUTPUT,
		env: { ...process.env, LC_ALL: "C.UTF-8" },
	});
	if (error || status !== 0) {
		const reason = error?.message ?? stderr;
		throw new Problem(
			`elixir failed; Debian has it in its package elixir: ${reason}`,
		);
	}
	/** @type {Map<string, Row[] | undefined>} */
	const read = new Map();
	for (const line of stdout.split("\n")) {
		const [file = "", number, kind = "", name = ""] = line.split("\t");
		if (kind === "refused") read.set(file, undefined);
		if (kind === "read") read.set(file, []);
		if (name) read.get(file)?.push({ file, line: Number(number), kind, name });
	}
	return [...read];
}
