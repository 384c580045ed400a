import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Problem } from "../js/build/run.mjs";
import { ragnav } from "./commands.mjs";

/** @typedef {import("./measured.mjs").Command} Command */

/** `ragnav serve` over a folder. */
export class Served {
	/**
	 * @param {string} folder
	 * @param {string} [sockets] an existing folder, which only its own commands look into
	 */
	constructor(folder, sockets) {
		this.folder = folder;
		/** @type {Record<string, string>} */
		this.env = sockets ? { XDG_RUNTIME_DIR: sockets } : {};
		/** @type {import("node:child_process").ChildProcess | undefined} */
		this.server = undefined;
	}

	/**
	 * @param {string[]} args
	 * @returns {Command}
	 */
	command(...args) {
		return { ...ragnav(this.folder, ...args), env: this.env };
	}

	/** Starts the server unless it runs. */
	async start() {
		if (this.server) return;
		const { program, args, cwd } = this.command("serve");
		const server = spawn(program, args, {
			cwd,
			env: { ...process.env, ...this.env },
			stdio: ["ignore", "pipe", "inherit"],
		});
		this.server = server;
		for await (const line of createInterface({ input: server.stdout })) {
			if (!line.startsWith("answering commands")) continue;
			server.stdout.resume();
			return;
		}
		throw new Problem("`ragnav serve` ended before it answered.");
	}

	async stop() {
		if (!this.server) return;
		const ended = once(this.server, "close");
		this.server.kill();
		await ended;
		this.server = undefined;
	}
}
