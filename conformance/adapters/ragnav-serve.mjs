/** ragnav's command line while `ragnav serve` keeps the repository open. */
import { Served } from "../../bench/served.mjs";
import { ragnavCli } from "./ragnav-cli.mjs";

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
	const served = new Served(folder);
	await served.start();
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
			await served.stop();
		},
	};
}
