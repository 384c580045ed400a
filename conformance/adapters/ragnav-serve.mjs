/** ragnav's command line while `ragnav serve` keeps the repository open. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { CLI, ragnavCli } from "./ragnav-cli.mjs";

/** @type {import("../types.d.ts").Adapter} */
export const ragnavServe = {
	...ragnavCli,
	name: "ragnav-serve",
	claims: "Each row has a proof.",
	open,
};

/**
 * @param {string} folder
 * @param {string} scratch
 * @returns {Promise<import("../types.d.ts").Session>}
 */
async function open(folder, scratch) {
	const server = spawn(process.execPath, [CLI, "serve", "--repo", folder], {
		cwd: folder,
		stdio: ["ignore", "pipe", "ignore"],
	});
	const ended = once(server, "close");
	for await (const line of createInterface({ input: server.stdout })) {
		if (line.startsWith("answering commands")) break;
	}
	server.stdout.resume();
	const session = await ragnavCli.open(folder, scratch);
	return {
		...session,
		async ask(asked) {
			const answer = await session.ask(asked);
			// The server updates the index after each step, so a scenario does not know its state.
			return answer.kind === "rows" ? { ...answer, index: "unsaid" } : answer;
		},
		async close() {
			await session.close();
			server.kill();
			await ended;
		},
	};
}
