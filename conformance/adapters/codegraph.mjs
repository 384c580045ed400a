/** codegraph: its command line without the daemon. */

import { codegraph as command } from "../../bench/commands.mjs";
import { findPeers } from "../../bench/peers.mjs";
import { Problem } from "../../js/build/run.mjs";
import { runProgram } from "../process.mjs";

/** @typedef {import("../types.d.ts").Asked} Asked */
/** @typedef {import("../types.d.ts").Claim} Claim */
/** @typedef {import("../types.d.ts").Row} Row */
/** @typedef {{ node: { name: string, kind: string, filePath: string, startLine: number } }} Found */
/** @typedef {{ definition: { filePath: string }, callers: Caller[], edges: Edge[] }} Callers */
/** @typedef {{ id: string, filePath: string }} Caller */
/** @typedef {{ source: string, line: number | null }} Edge */

const INTERRUPT_MS = 300;
const ROWS = "100";
/** The nodes that are no definitions of functions and classes. */
const OTHER_KINDS = ["file", "import"];

/** @type {Promise<string> | undefined} */
let script;

async function installed() {
	const { codegraph, missing } = await findPeers();
	if (codegraph) return codegraph;
	throw new Problem(missing.join("\n"));
}

/** @type {import("../types.d.ts").Adapter} */
export const codegraph = {
	name: "codegraph",
	index_paths: [".codegraph"],
	asks: ["definitions", "references"],
	has_buffers: false,
	claims:
		"Not with its rows. `codegraph status` counts the pending changes, which counts here as a word about all rows.",
	version: async () => {
		const { versions } = await findPeers();
		const named = versions.find((each) => each.startsWith("codegraph"));
		return named?.replace(/ \(.*/, "") ?? "codegraph";
	},
	open,
};

/**
 * @param {string} folder
 * @param {string} scratch
 * @returns {Promise<import("../types.d.ts").Session>}
 */
async function open(folder, scratch) {
	script ??= installed();
	const path = await script;
	const run = (/** @type {string[]} */ args, /** @type {object} */ how = {}) =>
		runProgram({ ...command(path, scratch, folder, ...args), ...how });
	let isBuilt = false;
	return {
		async index() {
			// The first build makes the index, later ones update it, as its documentation says.
			await run(isBuilt ? ["sync"] : ["init", "-y"]);
			isBuilt = true;
		},
		async interruptIndex() {
			const args = isBuilt ? ["sync"] : ["init", "-y"];
			await run(args, { end_after_ms: INTERRUPT_MS });
		},
		async setBuffer() {},
		async ask(asked) {
			const { stdout, stderr } = await run(argsOf(asked));
			const answer = parsed(stdout);
			if (!answer) return { kind: "refused", reason: stderr || stdout };
			const index = indexClaim((await run(["status", "--json"])).stdout);
			const places =
				asked.ask === "definitions"
					? definitions(answer, asked.symbol)
					: references(answer);
			const rows = places.map((place) => ({ ...place, claim: index }));
			return { kind: "rows", rows, index, complete: false };
		},
		async close() {},
	};
}

/** @param {Asked} asked */
function argsOf(asked) {
	if (asked.ask === "definitions")
		return ["query", asked.symbol, "--json", "-l", ROWS];
	const symbol = asked.ask === "references" ? asked.symbol : asked.text;
	return ["callers", symbol, "--json", "-l", ROWS];
}

/** @param {string} text */
function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/**
 * @param {Found[]} found
 * @param {string} symbol
 */
const definitions = (found, symbol) =>
	found
		.filter(({ node }) => node.name === symbol)
		.filter(({ node }) => !OTHER_KINDS.includes(node.kind))
		.map(({ node }) => ({ file: node.filePath, line: node.startLine }));

/** @param {{ definitions?: Callers[] }} answer */
const references = ({ definitions: all = [] }) =>
	all.flatMap(({ callers, edges }) => {
		const files = new Map(callers.map(({ id, filePath }) => [id, filePath]));
		return edges.flatMap(({ source, line }) => {
			const file = files.get(source);
			return file && line ? [{ file, line }] : [];
		});
	});

/**
 * @param {string} text
 * @returns {Claim}
 */
function indexClaim(text) {
	const status = parsed(text);
	const { added, modified, removed } = status?.pendingChanges ?? {};
	if (added === undefined) return "unsaid";
	const isComplete = status.index?.state === "complete";
	return isComplete && added + modified + removed === 0
		? "current"
		: "outdated";
}
