/**
 * Pyright's language server. It has no index on disk: it loads the files when it starts, and then
 * relies on its client. The client `pyright` says nothing about files; `pyright-watched` says which
 * ones changed before each question, as an editor with a perfect watcher does.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pyrightPackage, startPyright } from "../../bench/pyright-client.mjs";
import { fileEvents, fileStates } from "./file-events.mjs";

/** @typedef {import("../types.d.ts").Asked} Asked */
/** @typedef {import("../types.d.ts").Adapter} Adapter */
/** @typedef {Awaited<ReturnType<typeof startPyright>>} Server */

/** Longer than the server waits after a change, before it looks at files again. */
const SETTLED_MS = 1000;

/** The kinds of the protocol that are functions, methods and classes. */
const DEFINITIONS = [5, 6, 12];

/**
 * @param {string} name
 * @param {boolean} isWatched
 * @returns {Adapter}
 */
const adapter = (name, isWatched) => ({
	name,
	index_paths: [],
	asks: ["definitions", "references"],
	has_buffers: true,
	claims: "None: the protocol has no word for it.",
	version,
	open: (folder) => open(folder, isWatched),
});

export const pyright = adapter("pyright", false);
export const pyrightWatched = adapter("pyright-watched", true);

async function version() {
	const file = join(await pyrightPackage(), "package.json");
	return `pyright ${JSON.parse(readFileSync(file, "utf8")).version}`;
}

/**
 * @param {string} folder
 * @param {boolean} isWatched
 * @returns {Promise<import("../types.d.ts").Session>}
 */
async function open(folder, isWatched) {
	const server = await startPyright(folder);
	const buffers = new Set();
	let files = fileStates(folder);
	let textVersion = 0;
	return {
		async index() {},
		async interruptIndex() {},
		async setBuffer(file, text) {
			const uri = server.uriOf(file);
			if (buffers.delete(file))
				await server.notify("textDocument/didClose", { textDocument: { uri } });
			if (text === null) return;
			buffers.add(file);
			textVersion += 1;
			await server.notify("textDocument/didOpen", {
				textDocument: { uri, languageId: "python", version: textVersion, text },
			});
		},
		async ask(asked) {
			if (isWatched) {
				const now = fileStates(folder);
				await tellChanges(server, fileEvents(files, now));
				files = now;
			}
			const places = await placesOf(server, asked);
			return {
				kind: "rows",
				rows: places.map((place) => ({ ...place, claim: "unsaid" })),
				index: "unsaid",
				complete: false,
			};
		},
		close: server.close,
	};
}

/**
 * @param {Server} server
 * @param {ReturnType<typeof fileEvents>} events
 */
async function tellChanges({ notify, uriOf }, events) {
	if (events.length === 0) return;
	const changes = events.map(({ file, type }) => ({ uri: uriOf(file), type }));
	await notify("workspace/didChangeWatchedFiles", { changes });
	await setTimeout(SETTLED_MS);
}

/**
 * @param {Server} server
 * @param {Asked} asked
 * @returns {Promise<{ file: string, line: number }[]>}
 */
async function placesOf(server, asked) {
	if (asked.ask === "search") return [];
	const symbols = await server.symbolsNamed(asked.symbol);
	const definitions = symbols.filter(({ kind }) => DEFINITIONS.includes(kind));
	if (asked.ask === "definitions")
		return definitions.map(({ file, position }) => ({
			file,
			line: position.line + 1,
		}));
	const found = [];
	for (const { file, position } of definitions)
		found.push(...(await server.references(file, position)));
	return found;
}
