import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { inRoot } from "../../js/build/paths.mjs";
import { Problem } from "../../js/build/run.mjs";
import { need } from "../corpus.mjs";
import { npmPackage } from "../npm-corpus.mjs";

/** @typedef {import("../ctags.mjs").Row} Row */

const VERSION = "2.4.20";

/** The number of bytes that the program prints of all files at most. */
const MAX_OUTPUT = 1 << 28;

/** @type {import("../truths.mjs").Truth} */
export const KOTLINC = { name: `kotlinc ${VERSION}`, definitionsOf };

/**
 * Returns the definitions that the compiler of Kotlin reads. It refuses files with a syntax error.
 *
 * @param {string[]} files
 */
async function definitionsOf(files) {
	const [java] = need("java");
	const compiler = await npmPackage(`kotlin-compiler@${VERSION}`);
	const classes = join(compiler, "lib", "kotlin-compiler.jar");
	const program = inRoot("bench", "truth", "KotlinDefinitions.java");
	const { error, status, stdout, stderr } = spawnSync(
		java,
		["-cp", classes, program],
		{
			input: files.map((file) => `${file}\n`).join(""),
			encoding: "utf8",
			maxBuffer: MAX_OUTPUT,
		},
	);
	if (error || status !== 0)
		throw new Problem(`java failed: ${error?.message ?? stderr}`);
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
