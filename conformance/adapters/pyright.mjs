/**
 * Pyright's language server. It has no index on disk: it loads the files when it starts, and then
 * relies on its client. The client `pyright` says nothing about files; `pyright-watched` says which
 * ones changed before each question, as an editor with a perfect watcher does.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
	createMessageConnection,
	StreamMessageReader,
	StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { pyrightPackage } from "../../bench/pyright-client.mjs";
import { fileEvents, fileStates } from "./file-events.mjs";

/** @typedef {import("../types.d.ts").Asked} Asked */
/** @typedef {import("../types.d.ts").Adapter} Adapter */
/** @typedef {{ line: number, character: number }} Position */
/** @typedef {{ uri: string, range: { start: Position } }} Location */
/** @typedef {{ name: string, kind: number, location: Location }} WorkspaceSymbol */

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
	const server = await started(folder);
	const buffers = new Set();
	let files = fileStates(folder);
	let textVersion = 0;
	const uriOf = (/** @type {string} */ file) =>
		pathToFileURL(join(folder, file)).href;
	const notify = server.connection.sendNotification.bind(server.connection);
	return {
		async index() {},
		async interruptIndex() {},
		async setBuffer(file, text) {
			const uri = uriOf(file);
			if (buffers.delete(file))
				await notify("textDocument/didClose", { textDocument: { uri } });
			if (text === null) return;
			buffers.add(file);
			textVersion += 1;
			await notify("textDocument/didOpen", {
				textDocument: { uri, languageId: "python", version: textVersion, text },
			});
		},
		async ask(asked) {
			if (isWatched) {
				const now = fileStates(folder);
				const changes = fileEvents(files, now).map(({ file, type }) => ({
					uri: uriOf(file),
					type,
				}));
				files = now;
				if (changes.length > 0) {
					await notify("workspace/didChangeWatchedFiles", { changes });
					await setTimeout(SETTLED_MS);
				}
			}
			const found = await locations(server.connection, asked);
			return {
				kind: "rows",
				rows: found.map(({ uri, range }) => ({
					file: relative(folder, fileURLToPath(uri)).replaceAll("\\", "/"),
					line: range.start.line + 1,
					claim: "unsaid",
				})),
				index: "unsaid",
				complete: false,
			};
		},
		close: server.close,
	};
}

/**
 * @param {import("vscode-jsonrpc/node").MessageConnection} connection
 * @param {Asked} asked
 * @returns {Promise<Location[]>}
 */
async function locations(connection, asked) {
	if (asked.ask === "search") return [];
	const query = asked.symbol;
	/** @type {WorkspaceSymbol[] | null} */
	const symbols = await connection.sendRequest("workspace/symbol", { query });
	const definitions = (symbols ?? [])
		.filter(({ name, kind }) => name === query && DEFINITIONS.includes(kind))
		.map(({ location }) => location);
	if (asked.ask === "definitions") return definitions;
	const found = [];
	for (const { uri, range } of definitions) {
		/** @type {Location[] | null} */
		const references = await connection.sendRequest("textDocument/references", {
			textDocument: { uri },
			position: range.start,
			context: { includeDeclaration: false },
		});
		found.push(...(references ?? []));
	}
	return found;
}

/**
 * Starts a server that has loaded the files of a folder.
 *
 * @param {string} folder
 */
async function started(folder) {
	const script = join(await pyrightPackage(), "langserver.index.js");
	const server = spawn(process.execPath, [script, "--stdio"], {
		cwd: folder,
		stdio: ["pipe", "pipe", "ignore"],
	});
	const connection = createMessageConnection(
		new StreamMessageReader(server.stdout),
		new StreamMessageWriter(server.stdin),
	);
	const loaded = new Promise((resolve) => {
		connection.onNotification("window/logMessage", ({ message }) => {
			if (/^(?:Found \d+|No) source file/.test(message)) resolve(undefined);
		});
	});
	connection.onRequest("workspace/configuration", ({ items }) =>
		items.map(() => ({})),
	);
	connection.onRequest("client/registerCapability", () => null);
	connection.onRequest("window/workDoneProgress/create", () => null);
	connection.listen();
	const uri = pathToFileURL(folder).href;
	await connection.sendRequest("initialize", {
		processId: process.pid,
		rootUri: uri,
		workspaceFolders: [{ uri, name: "repository" }],
		capabilities: {
			workspace: {
				configuration: true,
				workspaceFolders: true,
				didChangeWatchedFiles: { dynamicRegistration: true },
			},
		},
	});
	await connection.sendNotification("initialized", {});
	await loaded;
	return {
		connection,
		async close() {
			await connection.sendRequest("shutdown");
			await connection.sendNotification("exit");
			connection.dispose();
			server.kill();
		},
	};
}
