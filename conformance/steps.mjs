/** Performs the steps of a scenario that concern files and git. */
import {
	chmodSync,
	existsSync,
	linkSync,
	lstatSync,
	mkdirSync,
	renameSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Problem } from "../js/build/run.mjs";
import { runProgram } from "./process.mjs";

/** @typedef {import("./types.d.ts").Step} Step */
/** @typedef {Extract<Step, { do: "write" }>} Write */

/** The time of every file at the beginning, long before any index. */
const OLD_TIME = new Date("2024-01-01T00:00:00Z");

/** No settings of the machine, and commits that are the same everywhere. */
const GIT_ENV = {
	GIT_CONFIG_GLOBAL: "/dev/null",
	GIT_CONFIG_NOSYSTEM: "1",
	GIT_CONFIG_COUNT: "3",
	GIT_CONFIG_KEY_0: "protocol.file.allow",
	GIT_CONFIG_VALUE_0: "always",
	GIT_CONFIG_KEY_1: "init.defaultBranch",
	GIT_CONFIG_VALUE_1: "main",
	GIT_CONFIG_KEY_2: "commit.gpgSign",
	GIT_CONFIG_VALUE_2: "false",
	GIT_EDITOR: "true",
	GIT_AUTHOR_NAME: "Vectors",
	GIT_AUTHOR_EMAIL: "vectors@example.org",
	GIT_AUTHOR_DATE: "2024-01-01T00:00:00Z",
	GIT_COMMITTER_NAME: "Vectors",
	GIT_COMMITTER_EMAIL: "vectors@example.org",
	GIT_COMMITTER_DATE: "2024-01-01T00:00:00Z",
};

/**
 * Writes the files that a scenario begins with.
 *
 * @param {string} folder
 * @param {Record<string, string>} files
 */
export function writeFiles(folder, files) {
	mkdirSync(folder, { recursive: true });
	for (const [file, text] of Object.entries(files)) {
		writeText(folder, { do: "write", file, text });
		utimesSync(join(folder, file), OLD_TIME, OLD_TIME);
	}
}

/**
 * Performs a step, and reports whether it was one of these.
 *
 * @param {string} folder
 * @param {Step} step
 * @param {string[]} ignored what git must not take for files of the repository
 */
export async function changeFiles(folder, step, ignored) {
	const at = (/** @type {string} */ file) => join(folder, file);
	switch (step.do) {
		case "write":
			writeText(folder, step);
			return true;
		case "rename":
			mkdirSync(dirname(at(step.to)), { recursive: true });
			renameSync(at(step.from), at(step.to));
			return true;
		case "delete":
			rmSync(at(step.file), { recursive: true });
			return true;
		case "touch": {
			const time = new Date(step.time);
			utimesSync(at(step.file), time, time);
			return true;
		}
		case "chmod":
			chmodSync(at(step.file), Number.parseInt(step.mode, 8));
			return true;
		case "symlink":
			symlinkSync(step.target, at(step.file));
			return true;
		case "hardlink":
			linkSync(at(step.target), at(step.file));
			return true;
		case "git":
			await git(resolve(folder, step.in ?? "."), step, ignored);
			return true;
		default:
			return false;
	}
}

/**
 * @param {string} folder
 * @param {Write} step
 */
function writeText(folder, { file, text, encoding, keep_time, replace }) {
	const path = join(folder, file);
	mkdirSync(dirname(path), { recursive: true });
	const before = existsSync(path) ? lstatSync(path) : undefined;
	if (replace) {
		const other = `${path}.new`;
		writeFileSync(other, text, encoding ?? "utf-8");
		renameSync(other, path);
	} else writeFileSync(path, text, encoding ?? "utf-8");
	if (keep_time && before) utimesSync(path, before.atime, before.mtime);
}

/**
 * @param {string} cwd
 * @param {Extract<Step, { do: "git" }>} step
 * @param {string[]} ignored
 */
async function git(cwd, { args, fails }, ignored) {
	const ran = await runProgram({ program: "git", args, cwd, env: GIT_ENV });
	const isAsSaid = (ran.status === 0) === !fails;
	if (!isAsSaid) throw new Problem(`git ${args.join(" ")}: ${ran.stderr}`);
	if (args[0] === "init") await ignore(cwd, ignored);
}

/**
 * Lets git ignore the index of the tool, as its users do.
 *
 * @param {string} cwd
 * @param {string[]} ignored
 */
async function ignore(cwd, ignored) {
	const args = ["rev-parse", "--git-path", "info/exclude"];
	const { stdout } = await runProgram({ program: "git", args, cwd });
	const file = resolve(cwd, stdout.trim());
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, ignored.map((path) => `/${path}\n`).join(""));
}
