/** A client of pyright's language server, which is installed once into the cache. */
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
	createMessageConnection,
	StreamMessageReader,
	StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { makeFolder } from "../js/build/cache.mjs";
import { inCache } from "../js/build/paths.mjs";
import { Problem } from "../js/build/run.mjs";
import { runNpm } from "../js/build/setup.mjs";

const PYRIGHT = "1.1.414";

/**
 * The settings beside the sources, which override those of the package: all files count, also those
 * for other systems, and the package is that of the folder, not an installed one.
 */
const SETTINGS = {
	include: ["."],
	extraPaths: ["src"],
	pythonPlatform: "All",
};

/** @typedef {{ line: number, character: number }} Position from 0, columns in UTF-16 units */
/** @typedef {{ start: Position, end: Position }} Range */
/** @typedef {{ uri: string, range: Range }} Location */
/** @typedef {{ kind: number, file: string, position: Position }} NamedSymbol */
/**
 * @typedef {{ name: string, kind: number, range: Range, selectionRange: Range, children?:
 * DocumentSymbol[] }} DocumentSymbol
 */
/**
 * @typedef {{ file: string, line: number, column: number }} Place a line from 1, a column from 0
 */

/** Returns the folder of pyright. */
export async function pyrightPackage() {
	const folder = inCache("tools", `pyright-${PYRIGHT}`);
	if (!existsSync(folder)) {
		await makeFolder(folder, (unfinished) =>
			runNpm([
				"install",
				...["--prefix", unfinished, "--ignore-scripts", "--no-audit"],
				...["--no-fund", "--loglevel=error", `pyright@${PYRIGHT}`],
			]),
		);
	}
	return join(folder, "node_modules", "pyright");
}

/** Writes the settings beside the sources. */
export function configure(/** @type {string} */ folder) {
	writeFileSync(join(folder, "pyrightconfig.json"), JSON.stringify(SETTINGS));
}

/**
 * Starts a server that has loaded the sources of a folder. Its settings there are those of the
 * caller: see {@link configure}.
 *
 * @param {string} folder
 */
export async function startPyright(folder) {
	const { connection, close } = await startServer(folder);
	const uriOf = (/** @type {string} */ file) =>
		pathToFileURL(join(folder, file)).href;
	const fileOf = (/** @type {string} */ uri) =>
		relative(folder, fileURLToPath(uri)).replaceAll("\\", "/");
	return {
		uriOf,
		/** Tells the server of something, as an editor does. */
		notify(/** @type {string} */ method, /** @type {object} */ params) {
			return connection.sendNotification(method, params);
		},
		/** @returns {Promise<DocumentSymbol[]>} */
		async symbols(/** @type {string} */ file) {
			const textDocument = { uri: uriOf(file) };
			const method = "textDocument/documentSymbol";
			return (await connection.sendRequest(method, { textDocument })) ?? [];
		},
		/**
		 * Returns the symbols of all files with this name.
		 *
		 * @param {string} name
		 * @returns {Promise<NamedSymbol[]>}
		 */
		async symbolsNamed(name) {
			/** @type {{ name: string, kind: number, location: Location }[] | null} */
			const symbols = await connection.sendRequest("workspace/symbol", {
				query: name,
			});
			return (symbols ?? [])
				.filter((symbol) => symbol.name === name)
				.map(({ kind, location: { uri, range } }) => ({
					kind,
					file: fileOf(uri),
					position: range.start,
				}));
		},
		/**
		 * @param {string} file
		 * @param {Position} position
		 * @returns {Promise<Place[]>}
		 */
		async references(file, position) {
			/** @type {Location[] | null} */
			const locations = await connection.sendRequest(
				"textDocument/references",
				{
					textDocument: { uri: uriOf(file) },
					position,
					context: { includeDeclaration: false },
				},
			);
			return (locations ?? []).map(({ uri, range: { start } }) => ({
				file: fileOf(uri),
				line: start.line + 1,
				column: start.character,
			}));
		},
		close,
	};
}

/** @param {string} folder */
async function startServer(folder) {
	const script = join(await pyrightPackage(), "langserver.index.js");
	const server = spawn(process.execPath, [script, "--stdio"], {
		cwd: folder,
		stdio: ["pipe", "pipe", "ignore"],
	});
	const connection = createMessageConnection(
		new StreamMessageReader(server.stdout),
		new StreamMessageWriter(server.stdin),
	);
	const loaded = new Promise((resolve, reject) => {
		server.on("close", () => reject(new Problem("pyright ended.")));
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
	await connection.sendRequest("initialize", initialization(folder));
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

/** @param {string} folder */
function initialization(folder) {
	const uri = pathToFileURL(folder).href;
	return {
		processId: process.pid,
		rootUri: uri,
		workspaceFolders: [{ uri, name: "repository" }],
		capabilities: {
			workspace: {
				configuration: true,
				workspaceFolders: true,
				// Else the server watches the files itself.
				didChangeWatchedFiles: { dynamicRegistration: true },
			},
			textDocument: {
				documentSymbol: { hierarchicalDocumentSymbolSupport: true },
			},
		},
	};
}
