import { Console } from "node:console";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
	StreamMessageReader,
	StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import type { LanguagePlugin } from "../../core/language-plugins.js";
import type { LimitOptions } from "../../core/limits.js";
import { startCompiling } from "../../core/wasm-module.js";
import "../../entries/node.js";
import { nodeHost } from "../../hosts/node/host.js";
import { pathFromRoot } from "../../hosts/node/path-from-root.js";
import { serveConnection } from "./server/server.js";

export interface StdioOptions {
	/** The folders to serve if the client names none. */
	folders: readonly string[];
	limits: LimitOptions;
	/** Further languages. */
	languages: LanguagePlugin[];
	/** The absolute paths of SCIP indexes. */
	scip: readonly string[];
}

/**
 * Serves the Language Server Protocol over standard input and output until the client sends `exit`,
 * or the input ends. Returns the exit code that the protocol demands: 0 only after `shutdown`.
 */
export async function serveStdio(options: StdioOptions): Promise<number> {
	startCompiling();
	// Standard output is the protocol's, whatever prints.
	globalThis.console = new Console(process.stderr, process.stderr);
	const reader = new StreamMessageReader(process.stdin);
	const writer = new StreamMessageWriter(process.stdout);
	reader.onError(({ message }) => {
		process.stderr.write(`ragnav lsp: ${message}\n`);
	});
	const { folders, limits, languages, scip } = options;
	const server = serveConnection(reader, writer, {
		openHost: (folder) => nodeHost(new URL(folder)),
		folders: folders.map((folder) => pathToFileURL(folder).href),
		openOptions: (folder) => ({
			...limits,
			languages,
			scip: indexesIn(fileURLToPath(folder), scip),
		}),
	});
	process.once("SIGINT", server.close);
	process.once("SIGTERM", server.close);
	const wasShutDown = await server.ended;
	// A client may keep the pipe open.
	process.stdin.destroy();
	return wasShutDown ? 0 : 1;
}

/** Returns the paths of the indexes in a folder, from there, and tells which are elsewhere. */
function indexesIn(folder: string, files: readonly string[]): string[] {
	return files.flatMap((file) => {
		const inside = pathFromRoot(folder, file);
		if (inside !== undefined) return [inside];
		const message = `${file} is not in ${folder}, so answers about that folder do without it`;
		process.stderr.write(`ragnav lsp: ${message}\n`);
		return [];
	});
}
