import { fileURLToPath } from "node:url";
import { build } from "./build.mjs";
import { inRoot } from "./paths.mjs";
import { asProgram, Problem, run } from "./run.mjs";

const PROGRAMS = ["chaos", "soak", "trials"];

/**
 * Runs one of the programs in `tests/long` over the built package.
 *
 * @param {string} name
 * @param {string[]} args
 */
export function runLong(name, args) {
	const program = inRoot("tests", "long", `${name}.ts`);
	const flags = ["--expose-gc", "--import", "tsx"];
	return run(process.execPath, [...flags, program, ...args], { stdout: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	await asProgram(async () => {
		const [name = "", ...args] = process.argv.slice(2);
		if (!PROGRAMS.includes(name))
			throw new Problem(`There are: ${PROGRAMS.join(" ")}`);
		await build();
		await runLong(name, args);
	});
}
