import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { errorCode } from "../../shared/file-failure.js";

const GIT_TIMEOUT_MS = 10_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** A repository can configure a program that git asks for changed files. */
const NO_MONITOR = ["-c", "core.fsmonitor=false"];

const OPTIONS = {
	// Windows searches the working folder first, and a repository may contain a git.exe.
	cwd: dirname(process.execPath),
	timeout: GIT_TIMEOUT_MS,
	maxBuffer: MAX_OUTPUT_BYTES,
	windowsHide: true,
} as const;

/**
 * Runs git on a repository and returns its output.
 *
 * @throws the error of `execFileSync`; {@link gitFailure} describes it
 */
export function runGit(gitDir: string, args: string[]): string {
	return execFileSync("git", [...NO_MONITOR, "--git-dir", gitDir, ...args], {
		...OPTIONS,
		env: gitEnvironment(),
		encoding: "utf8",
		stdio: ["ignore", "pipe", "pipe"],
	});
}

/**
 * Runs git with an input and returns the bytes of its output.
 *
 * @throws the error of `execFileSync`; {@link gitFailure} describes it
 */
export function runGitOn(
	gitDir: string,
	args: string[],
	input: string,
): Buffer {
	return execFileSync("git", [...NO_MONITOR, "--git-dir", gitDir, ...args], {
		...OPTIONS,
		env: gitEnvironment(),
		input,
	});
}

/** Says why {@link runGit} failed. */
export function gitFailure(error: unknown): string {
	const code = errorCode(error);
	if (code === "ENOENT") return "git is not installed";
	if (code === "ETIMEDOUT") {
		return `git did not answer within ${GIT_TIMEOUT_MS / 1000} s`;
	}
	if (code === "ENOBUFS") {
		return `git wrote more than ${MAX_OUTPUT_BYTES / 2 ** 20} MiB; ask about fewer files or commits`;
	}
	const words =
		error instanceof Error && "stderr" in error ? String(error.stderr) : "";
	return words.trim().split("\n")[0] || `git failed (${code || "no reason"})`;
}

const KEPT_GIT_VARIABLES: ReadonlySet<string> = new Set([
	"GIT_CONFIG_GLOBAL",
	"GIT_CONFIG_NOSYSTEM",
	"GIT_CONFIG_SYSTEM",
	"GIT_EXEC_PATH",
]);

// Removes variables such as GIT_DIR or GIT_TRACE, which change the repository or the output.
function gitEnvironment(): NodeJS.ProcessEnv {
	const own = Object.entries(process.env).filter(
		([name]) => !name.startsWith("GIT_") || KEPT_GIT_VARIABLES.has(name),
	);
	return {
		...Object.fromEntries(own),
		GIT_NO_LAZY_FETCH: "1",
		GIT_OPTIONAL_LOCKS: "0",
		GIT_TERMINAL_PROMPT: "0",
		LC_ALL: "C",
	};
}
