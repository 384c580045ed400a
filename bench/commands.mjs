import { join } from "node:path";
import { inRoot, pkg } from "../js/build/paths.mjs";
import { output } from "../js/build/run.mjs";

/** @typedef {import("./measured.mjs").Command} Command */

const CLI = join(pkg, "dist", "cjs", "cli.js");
const NOTHING_FOUND = 1;

/**
 * @param {string} folder
 * @param {string[]} args
 * @returns {Command}
 */
export function ragnav(folder, ...args) {
	return node(folder, CLI, ...args, "--repo", folder);
}

/**
 * @param {string} cwd
 * @param {string[]} args
 * @returns {Command}
 */
export function node(cwd, ...args) {
	return { program: process.execPath, args, cwd };
}

/** @param {string} cwd */
export function ragnavVersion(cwd) {
	return node(cwd, CLI, "--version");
}

/**
 * Returns the flags of `build-graph` for one and for two workers; none if the command line has no
 * workers.
 *
 * @returns {string[][]}
 */
export function workerFlags() {
	const help = output(process.execPath, [CLI, "build-graph", "--help"]) ?? "";
	if (!help.includes("--workers")) return [[]];
	return [
		["--workers", "1"],
		["--workers", "2"],
	];
}

/**
 * The environment of codegraph: no daemon, telemetry, downloads or updates, and a separate home
 * folder.
 *
 * @param {string} script
 * @param {string} home
 * @param {string} cwd
 * @param {string[]} args
 * @returns {Command}
 */
export function codegraph(script, home, cwd, ...args) {
	const env = {
		HOME: home,
		USERPROFILE: home,
		CODEGRAPH_INSTALL_DIR: join(home, ".codegraph"),
		CODEGRAPH_NO_DAEMON: "1",
		CODEGRAPH_NO_DOWNLOAD: "1",
		CODEGRAPH_NO_UPDATE_CHECK: "1",
		CODEGRAPH_TELEMETRY: "0",
		DO_NOT_TRACK: "1",
	};
	return { ...node(cwd, script, ...args), env };
}

/**
 * @param {string} program
 * @param {string} cwd
 * @param {string} flags
 * @param {string} needle
 * @returns {Command}
 */
export function ripgrep(program, cwd, flags, needle) {
	// Without a path, the program may read standard input.
	const args = [flags, "--no-config", "--", needle, "./"];
	return { program, args, cwd, accepted: [0, NOTHING_FOUND] };
}

/**
 * @param {string} modules
 * @param {string} folder
 * @returns {Command}
 */
export function treeSitterParse(modules, folder) {
	const script = inRoot("bench", "peers", "tree-sitter-parse.mjs");
	return node(folder, script, modules, folder);
}

/**
 * @param {string} python
 * @param {string} folder
 * @returns {Command}
 */
export function astParse(python, folder) {
	const script = inRoot("bench", "peers", "ast_parse.py");
	return { program: python, args: [script, folder], cwd: folder };
}
