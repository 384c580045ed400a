import { filesInScope } from "./live.mjs";
import { ABSENT, FREQUENT } from "./needles.mjs";
import { readAndScan, walkReadAndScan } from "./node-peers.mjs";
import { median, timed } from "./rounds.mjs";

/** @typedef {import("#ragnav/hosts/node").NodeHost} NodeHost */
/** @typedef {"gitHead" | "ignoreRules" | "readDirs" | "readMany"} Method */

const METHODS = /** @type {const} */ ([
	"gitHead",
	"ignoreRules",
	"readDirs",
	"readMany",
]);

/**
 * Searches in one process with one open navigator, beside what Node alone takes.
 *
 * @param {string} folder
 * @param {number} rounds
 */
export async function warm(folder, rounds) {
	const { open } = await import("#ragnav");
	const { nodeHost } = await import("#ragnav/hosts/node");
	const nav = await open(nodeHost(folder, { readOnly: true }));
	const files = await filesInScope(folder);
	const known = new Set(files);
	const subjects = [
		["absent", ABSENT],
		["frequent", FREQUENT],
	].flatMap(([kind = "", needle = ""]) => [
		{
			name: `Node: read and scan the same files, ${kind} text`,
			run: () => readAndScan(folder, files, needle),
		},
		{
			name: `Node: walk, read and scan, ${kind} text`,
			peer: `Node: read and scan the same files, ${kind} text`,
			run: () => walkReadAndScan(folder, known, needle),
		},
		{
			name: `ragnav: live search, ${kind} text`,
			peer: `Node: read and scan the same files, ${kind} text`,
			run: () => nav.search(needle),
		},
	]);
	const timings = await timed(subjects, rounds);
	nav.close();
	return { files: files.length, timings };
}

/**
 * Where a warm search spends its time: in which of the host's methods, and in the core with the
 * way to it and back.
 *
 * @param {string} folder
 * @param {number} rounds
 * @returns {Promise<{ name: string, median: number }[]>}
 */
export async function split(folder, rounds) {
	const { open } = await import("#ragnav");
	const { nodeHost } = await import("#ragnav/hosts/node");
	const { host, spent } = measured(nodeHost(folder, { readOnly: true }));
	const nav = await open(host);
	/** @type {Record<string, number>[]} */
	const taken = [];
	for (let round = 0; round <= rounds; round += 1) {
		for (const method of METHODS) spent[method] = 0;
		const started = performance.now();
		await nav.search(ABSENT);
		const whole = performance.now() - started;
		const inHost = METHODS.reduce((sum, method) => sum + spent[method], 0);
		if (round > 0) taken.push({ ...spent, core: whole - inHost });
	}
	nav.close();
	return [...METHODS, "core"].map((name) => ({
		name,
		median: median(taken.map((round) => round[name] ?? 0)),
	}));
}

/**
 * The host with a clock around each of its methods.
 *
 * @param {NodeHost} host
 */
function measured(host) {
	/** @type {Record<Method, number>} */
	const spent = { gitHead: 0, ignoreRules: 0, readDirs: 0, readMany: 0 };
	/**
	 * @template {unknown[]} A
	 * @template R
	 * @param {Method} method
	 * @param {(...args: A) => R} work
	 * @returns {(...args: A) => R}
	 */
	const clocked =
		(method, work) =>
		(...args) => {
			const started = performance.now();
			const given = work(...args);
			spent[method] += performance.now() - started;
			return given;
		};
	const wrapped = {
		root: host.root,
		gitHead: clocked("gitHead", host.gitHead),
		ignoreRules: clocked("ignoreRules", host.ignoreRules),
		readDirs: clocked("readDirs", host.readDirs),
		readMany: clocked("readMany", host.readMany),
	};
	return { host: wrapped, spent };
}
