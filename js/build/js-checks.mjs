import { availableParallelism } from "node:os";
import { filesUnder } from "./cache.mjs";
import { inRoot } from "./paths.mjs";
import { Problem, run, runPackage } from "./run.mjs";

const SHOWN = { stdout: true };

/** Reports type errors of TypeScript and of JavaScript with JSDoc types. */
export const checkTypes = () =>
	runPackage(
		["typescript", "tsc"],
		// Built from nothing: TypeScript's build records ignore a changed `lib` in the base configuration.
		["--build", inRoot("js"), "--force"],
		SHOWN,
	);

/** Reports what biome would format otherwise, or warns about. */
export const lintJavaScript = () =>
	runPackage(
		["@biomejs/biome", "biome"],
		["check", "--error-on-warnings", "."],
		SHOWN,
	);

/**
 * Runs every `*.test.ts` of a folder in Node.
 *
 * @param {string} folder below `tests`
 * @param {NodeJS.ProcessEnv} [env] further environment of the tests
 */
export async function runNodeTests(folder, env = {}) {
	// Node 20's runner takes files and no patterns.
	const files = filesUnder(inRoot("tests", folder)).filter((file) =>
		file.endsWith(".test.ts"),
	);
	if (files.length === 0)
		throw new Problem(`No test files in tests/${folder}.`);
	const flags = ["--import", "tsx", "--test", ...atOnce()];
	await run(process.execPath, [...flags, ...files], {
		...SHOWN,
		env: { ...process.env, ...env },
	});
}

/**
 * By default Node runs one file less at once than there are cores, which leaves one of two idle.
 * Node 20 has the flag from 20.10 on.
 */
function atOnce() {
	const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
	if (major === 20 && minor < 10) return [];
	return [`--test-concurrency=${Math.max(2, availableParallelism())}`];
}
