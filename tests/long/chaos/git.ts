// git as a process, beside which this program goes on.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { GIT_ENVIRONMENT } from "../../js/hosts/helpers.js";

const MAX_OUTPUT = 64 << 20;

/** Runs git without the machine's configuration, and returns its output. */
export async function runGit(cwd: string, ...args: string[]): Promise<string> {
	const { stdout } = await promisify(execFile)("git", args, {
		cwd,
		env: GIT_ENVIRONMENT,
		maxBuffer: MAX_OUTPUT,
	});
	return stdout;
}
