import { spawnSync } from "node:child_process";
import { inRoot } from "../../js/build/paths.mjs";
import { Problem } from "../../js/build/run.mjs";

/** @typedef {import("../ctags.mjs").Row} Row */

/** The number of bytes that the program prints of all files at most. */
const MAX_OUTPUT = 1 << 28;

/** @type {import("../truths.mjs").Truth} */
export const ZIG_AST = { name: "std.zig.Ast 0.17.1", definitionsOf };

/**
 * Returns the functions and the constants whose values are types, as Zig's own parser reads them.
 *
 * @param {string[]} files
 */
function definitionsOf(files) {
	const program = inRoot("bench", "truth", "zig_definitions.zig");
	const { error, status, stdout, stderr } = spawnSync(
		"zig",
		["run", program, "--", ...files],
		{ encoding: "utf8", maxBuffer: MAX_OUTPUT },
	);
	if (error || status !== 0) {
		throw new Problem(`zig failed: ${error?.message ?? stderr}`);
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
