import { spawn } from "node:child_process";
import { Problem } from "../js/build/run.mjs";

const TIME_LIMIT_MS = 60_000;

/**
 * @typedef {object} Started
 * @property {string} program
 * @property {string[]} args
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} [env] further environment
 * @property {number} [end_after_ms] the time after which the process is ended as by a crash
 */

/**
 * Runs a program to its end.
 *
 * @param {Started} started
 * @returns {Promise<{ status: number | null, stdout: string, stderr: string }>}
 */
export function runProgram({ program, args, cwd, env, end_after_ms }) {
	return new Promise((resolve, reject) => {
		const child = spawn(program, args, {
			cwd,
			env: { ...process.env, ...env },
			stdio: ["ignore", "pipe", "pipe"],
		});
		const timer = setTimeout(
			() => child.kill("SIGKILL"),
			end_after_ms ?? TIME_LIMIT_MS,
		);
		let stdout = "";
		let stderr = "";
		child.stdout.setEncoding("utf8").on("data", (text) => {
			stdout += text;
		});
		child.stderr.setEncoding("utf8").on("data", (text) => {
			stderr += text;
		});
		child.on("error", (error) =>
			reject(new Problem(`${program}: ${error.message}`)),
		);
		child.on("close", (status) => {
			clearTimeout(timer);
			resolve({ status, stdout, stderr });
		});
	});
}
