import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { inRoot, pkg } from "../js/build/paths.mjs";
import { Problem } from "../js/build/run.mjs";
import { ABSENT, FREQUENT } from "./needles.mjs";
import { ripgrepProgram } from "./ripgrep.mjs";
import { timed } from "./rounds.mjs";

const CLI = join(pkg, "dist", "esm", "cli.js");
const BARE = "node -e 0";

/** A folder of a few files, so that nothing but the start is measured. */
const SMALL = inRoot("js", "cli");

/**
 * Whole processes, from start to exit.
 *
 * @param {string} folder
 * @param {number} rounds
 */
export function processes(folder, rounds) {
	const rg = ripgrepProgram();
	const node = (/** @type {string[]} */ ...args) =>
		start(folder, process.execPath, args);
	const search = (/** @type {string} */ needle) =>
		node(CLI, "search", needle, "--repo", folder, "--json");
	const grep = (/** @type {string} */ needle) =>
		start(folder, rg, ["-nF", "--no-config", "--", needle, "./"]);
	return timed(
		[
			{ name: BARE, run: () => node("-e", "0") },
			{
				name: "ragnav --version",
				peer: BARE,
				run: () => node(CLI, "--version"),
			},
			{
				name: "ragnav route, small folder",
				peer: BARE,
				run: () => node(CLI, "route", "--repo", SMALL),
			},
			{ name: "rg -nF, absent text", run: () => grep(ABSENT) },
			{
				name: "ragnav search, absent text",
				peer: "rg -nF, absent text",
				run: () => search(ABSENT),
			},
			{ name: "rg -nF, frequent text (all rows)", run: () => grep(FREQUENT) },
			{
				name: "ragnav search, frequent text (20 rows)",
				peer: "rg -nF, frequent text (all rows)",
				run: () => search(FREQUENT),
			},
		],
		rounds,
	);
}

/**
 * @param {string} cwd
 * @param {string} command
 * @param {string[]} args
 */
function start(cwd, command, args) {
	const { status, error } = spawnSync(command, args, {
		cwd,
		maxBuffer: 1 << 30,
		stdio: ["ignore", "pipe", "pipe"],
	});
	// ripgrep says 1 where nothing is found.
	if (error || (status !== 0 && command === process.execPath)) {
		throw new Problem(
			`${args.slice(-4).join(" ")} failed: ${error?.message ?? `exit code ${status}`}`,
		);
	}
}
