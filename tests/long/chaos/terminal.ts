import { type ChildProcess, execFile, spawn } from "node:child_process";
import { CLI } from "../../js/mcp-client.js";
import {
	type Answer,
	answerOf,
	type Client,
	LIMIT,
	QUESTIONS,
	type Question,
	TIMEOUT_MS,
	wordPattern,
} from "./client.js";

const MAX_OUTPUT = 64 << 20;

/** A terminal: a process for each question. */
export class Terminal implements Client {
	readonly name = "cli";
	readonly questions = QUESTIONS;
	readonly #folder: string;

	constructor(folder: string) {
		this.#folder = folder;
	}

	async ask(question: Question, name: string): Promise<Answer> {
		const args =
			question === "search"
				? ["search", wordPattern(name), "--regex"]
				: [question, name];
		if (question !== "locate") args.push("--limit", String(LIMIT));
		const { stdout, stderr } = await this.#run([...args, "--json"]);
		if (stdout.startsWith("{")) return answerOf(JSON.parse(stdout));
		const none = new Set<string>();
		return { all: none, current: none, says: stderr, isError: true };
	}

	/** Builds the index; returns the process. */
	startBuild(): ChildProcess {
		return spawn(process.execPath, [CLI, "build-graph"], {
			cwd: this.#folder,
			stdio: ["ignore", "ignore", "pipe"],
		});
	}

	processes(): number[] {
		return [];
	}

	async close(): Promise<void> {}

	#run(args: string[]): Promise<{ stdout: string; stderr: string }> {
		return new Promise((resolve) => {
			const options = {
				cwd: this.#folder,
				maxBuffer: MAX_OUTPUT,
				timeout: TIMEOUT_MS,
			};
			execFile(
				process.execPath,
				[CLI, ...args],
				options,
				(_, stdout, stderr) => {
					resolve({ stdout, stderr });
				},
			);
		});
	}
}
