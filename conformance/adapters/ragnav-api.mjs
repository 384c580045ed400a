/** ragnav as a library: one navigator, which stays open during a scenario. */

import { readFileSync } from "node:fs";
import { loadPackage } from "../../bench/navigator.mjs";
import { inRoot } from "../../js/build/paths.mjs";
import { answerOf, CLAIMS, ROWS } from "./ragnav-answer.mjs";

/** @typedef {import("../types.d.ts").Asked} Asked */

/** Returns the version of the built package. */
export async function ragnavVersion() {
	const text = readFileSync(inRoot("pkg", "package.json"), "utf8");
	return `ragnav ${JSON.parse(text).version}`;
}

/** @type {import("../types.d.ts").Adapter} */
export const ragnavApi = {
	name: "ragnav-api",
	index_paths: [".llmc"],
	asks: ["definitions", "references", "search"],
	has_buffers: true,
	claims: CLAIMS,
	version: ragnavVersion,
	open,
};

/**
 * @param {string} folder
 * @returns {Promise<import("../types.d.ts").Session>}
 */
async function open(folder) {
	const ragnav = await loadPackage();
	/** @type {Map<string, { path: string, version: number, text: string }>} */
	const buffers = new Map();
	let version = 0;
	const host = ragnav.nodeHost(folder);
	const nav = await ragnav.open(
		Object.assign(host, { overlay: () => [...buffers.values()] }),
		{ workers: 0 },
	);
	return {
		async index() {
			await nav.buildGraph();
		},
		async interruptIndex() {
			const stop = new AbortController();
			const onProgress = () => stop.abort();
			await nav.buildGraph({ signal: stop.signal, onProgress });
		},
		async setBuffer(file, text) {
			version += 1;
			if (text === null) buffers.delete(file);
			else buffers.set(file, { path: file, version, text });
		},
		async ask(asked) {
			return answerOf(await answer(nav, asked));
		},
		async close() {
			nav.close();
		},
	};
}

/**
 * @param {import("../../js/entries/node.js").Navigator} nav
 * @param {Asked} asked
 */
function answer(nav, asked) {
	switch (asked.ask) {
		case "definitions":
			return nav.locate(asked.symbol);
		case "references":
			return nav.whereUsed(asked.symbol, { limit: ROWS });
		case "search":
			return nav.search(asked.text, { limit: ROWS });
	}
}
