import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { workerFlags } from "./commands.mjs";
import {
	djangoCorpus,
	libraryCorpus,
	removeCorpus,
	SCALES,
	treeCorpus,
} from "./measured-corpora.mjs";
import { CODEGRAPH, coldBuild } from "./subjects/cold-build.mjs";
import { liveSearch, liveSearchSplit } from "./subjects/live-search.mjs";
import { oneShot } from "./subjects/one-shot.mjs";
import { openInProcess, openProcesses } from "./subjects/open.mjs";
import { planRepair } from "./subjects/plan-repair.mjs";
import { rebuildInProcess, rebuildProcesses } from "./subjects/rebuild.mjs";
import { recordedRetrieval } from "./subjects/recorded-retrieval.mjs";
import { retrieval } from "./subjects/retrieval.mjs";
import { start } from "./subjects/start.mjs";
import { vectorScan } from "./subjects/vector-scan.mjs";
import { warmIndex } from "./subjects/warm-index.mjs";

/** @typedef {import("./measured-corpora.mjs").Corpus} Corpus */
/** @typedef {import("./report.mjs").Group} Group */
/**
 * @typedef {object} Bench
 * @property {import("./peers.mjs").Peers} peers
 * @property {string} temp removed when the run ends
 * @property {string} home of the peer that might write to one
 * @property {string[][]} workerFlags the ways to build, by their flags
 * @property {(group: Group) => void} keep takes what was measured, at once, so that what fails
 * later costs nothing
 * @property {{ many: number, few: number, cold: number }} rounds of what takes parts of a second,
 * seconds, and more
 */

/** @type {Record<string, (bench: Bench) => Promise<void>>} */
export const PARTS = { django, stdlib, tree, warm, agent };

/**
 * @param {string} temp
 * @param {import("./peers.mjs").Peers} peers
 * @param {number} rounds
 * @param {Bench["keep"]} keep
 * @returns {Bench}
 */
export function benchIn(temp, peers, rounds, keep) {
	const home = join(temp, "home");
	mkdirSync(home);
	return {
		peers,
		temp,
		home,
		workerFlags: workerFlags(),
		keep,
		rounds: {
			many: rounds,
			few: Math.min(rounds, 5),
			cold: Math.min(rounds, 3),
		},
	};
}

/** @param {Bench} bench */
async function django(bench) {
	const corpus = await djangoCorpus(bench.temp);
	// Measured before the first build.
	bench.keep(await start(bench, corpus.ours, bench.rounds.many));
	await indexed(bench, corpus);
	removeCorpus(corpus);
}

/** @param {Bench} bench */
async function stdlib(bench) {
	const corpus = await libraryCorpus(bench.temp);
	await indexed(bench, corpus);
	removeCorpus(corpus);
}

/**
 * @param {Bench} bench
 * @param {Corpus} corpus
 */
async function indexed(bench, corpus) {
	const { many, few, cold } = bench.rounds;
	bench.keep(await coldBuild(bench, corpus, cold));
	bench.keep(await rebuildProcesses(bench, corpus, few));
	bench.keep(await rebuildInProcess(corpus, many));
	bench.keep(await oneShot(bench, corpus, many));
}

/** @param {Bench} bench */
async function tree(bench) {
	for (const scale of SCALES) {
		const corpus = await treeCorpus(bench.temp, scale);
		await scaled(bench, corpus, scale === SCALES.at(-1));
		removeCorpus(corpus);
	}
}

/**
 * @param {Bench} bench
 * @param {Corpus} corpus
 * @param {boolean} isLargest
 */
async function scaled(bench, corpus, isLargest) {
	const { few, cold } = bench.rounds;
	const built = await coldBuild(bench, corpus, isLargest ? 1 : cold);
	bench.keep(built);
	const isPeerBuilt = built.rows.some(
		({ name, isCutOff, failure }) =>
			name === CODEGRAPH && !isCutOff && !failure,
	);
	// Without an index there are no queries.
	const peers = isPeerBuilt
		? bench.peers
		: { ...bench.peers, codegraph: undefined };
	const able = { ...bench, peers };
	bench.keep(await rebuildProcesses(able, corpus, isLargest ? 1 : cold));
	bench.keep(await rebuildInProcess(corpus, few));
	bench.keep(await openProcesses(able, corpus, few));
	bench.keep(await openInProcess(corpus, few));
}

/** @param {Bench} bench */
async function warm(bench) {
	const { many } = bench.rounds;
	const corpus = await djangoCorpus(bench.temp);
	// Measured before the first build.
	bench.keep(await liveSearch(corpus.ours, many));
	bench.keep(await liveSearchSplit(corpus.ours, many));
	bench.keep(await warmIndex(bench, corpus, many));
	removeCorpus(corpus);
	const library = await libraryCorpus(bench.temp);
	bench.keep(await warmIndex(bench, library, many));
	removeCorpus(library);
}

/** @param {Bench} bench */
async function agent(bench) {
	const { many } = bench.rounds;
	bench.keep(await planRepair(many));
	bench.keep(await vectorScan(bench.temp, many));
	bench.keep(await retrieval(bench.temp));
	for (const group of recordedRetrieval()) bench.keep(group);
}
