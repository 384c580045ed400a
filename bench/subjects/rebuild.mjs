import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { codegraph, ragnav } from "../commands.mjs";
import { measured } from "../measured.mjs";
import { walkAndStat } from "../node-peers.mjs";
import { timed } from "../rounds.mjs";
import { shownRounds } from "../units.mjs";
import { openNavigator, SETTLING_MS, settle } from "./index-files.mjs";

export const WALK = "Node: walk and stat";
export const EDITED = "ragnav: build, one edited file";
export const UNCHANGED = "ragnav: build, nothing changed";

/** @typedef {import("../bench.mjs").Bench} Bench */
/** @typedef {import("../measured-corpora.mjs").Corpus} Corpus */
/** @typedef {import("../report.mjs").Group} Group */

/**
 * Measures builds over an existing index, as whole processes.
 *
 * @param {Bench} bench
 * @param {Corpus} corpus
 * @param {number} rounds
 * @returns {Promise<Group>}
 */
export async function rebuildProcesses(bench, corpus, rounds) {
	await settle(corpus);
	const subjects = [
		...pair(bench, corpus, "nothing changed", {
			ours: () => settle(corpus),
		}),
		...pair(bench, corpus, "one edited file", {
			ours: editor(corpus.ours, corpus.edited),
			theirs: editor(corpus.theirs, corpus.edited),
		}),
	];
	return {
		id: `${corpus.id}-rebuild`,
		title: `${corpus.title}: builds over an index`,
		note: `whole processes, ${shownRounds(rounds)}`,
		rows: await timed(subjects, rounds, { uncounted: 0 }),
	};
}

/**
 * Measures ragnav's build after codegraph's, if codegraph is installed.
 *
 * @param {Bench} bench
 * @param {Corpus} corpus
 * @param {string} kind
 * @param {{ ours: () => unknown, theirs?: () => unknown }} ready
 * @returns {import("../rounds.mjs").Subject[]}
 */
function pair({ peers, home }, corpus, kind, ready) {
	const { codegraph: script } = peers;
	const own = {
		name: `ragnav build-graph, ${kind}`,
		before: ready.ours,
		measure: () => measured(ragnav(corpus.ours, "build-graph")),
	};
	if (!script) return [own];
	const peer = {
		name: `codegraph sync, ${kind}`,
		before: ready.theirs,
		measure: () => measured(codegraph(script, home, corpus.theirs, "sync")),
		mayFail: true,
	};
	return [peer, { ...own, peers: [peer.name] }];
}

/**
 * Measures builds with one navigator, and the minimal check whether anything changed.
 *
 * @param {Corpus} corpus
 * @param {number} rounds
 * @returns {Promise<Group>}
 */
export async function rebuildInProcess(corpus, rounds) {
	await settle(corpus);
	const nav = await openNavigator(corpus.ours);
	const build = () => nav.buildGraph();
	const subjects = [
		{ name: WALK, run: () => walkAndStat(corpus.ours, corpus.files) },
		{
			name: UNCHANGED,
			peers: [WALK],
			before: async () => {
				await sleep(SETTLING_MS);
				await build();
			},
			run: build,
		},
		{
			name: EDITED,
			peers: [WALK],
			before: editor(corpus.ours, corpus.edited),
			run: build,
		},
	];
	const rows = await timed(subjects, rounds);
	nav.close();
	return {
		id: `${corpus.id}-rebuild-in-process`,
		title: `${corpus.title}: builds in a process that goes on`,
		note:
			`one open navigator; an edit is built at once; ${shownRounds(rounds)} after one that ` +
			"is not counted",
		rows,
	};
}

/**
 * Changes the comment at the end of a file, once its last stamp is not racy.
 *
 * @param {string} folder
 * @param {string} file
 */
export function editor(folder, file) {
	const path = join(folder, file);
	const text = readFileSync(path, "utf8");
	let edits = 0;
	return async () => {
		await sleep(SETTLING_MS);
		edits += 1;
		writeFileSync(path, `${text}\n# edit ${edits}\n`);
	};
}
