// What commands print about files that a test puts down.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { CLI } from "./mcp-client.js";

/** Runs a command on a repository, and returns the rows that it prints, with paths from its root. */
export function printedRows(repo: string, args: readonly string[]): string {
	const env = { ...process.env, FORCE_COLOR: undefined };
	const program = [CLI, ...args, "--repo", repo];
	const run = spawnSync(process.execPath, program, { encoding: "utf8", env });
	assert.equal(run.status, 0, run.stderr);
	return run.stdout.replaceAll(`${repo}/`, "").trimEnd();
}
