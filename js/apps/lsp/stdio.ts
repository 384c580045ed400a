import { Console } from "node:console";
import { pathToFileURL } from "node:url";
import {
	StreamMessageReader,
	StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import type { LanguagePlugin } from "../../core/language-plugins.js";
import type { LimitOptions } from "../../core/limits.js";
import { startCompiling } from "../../core/wasm-module.js";
import "../../entries/node.js";
import { nodeHost } from "../../hosts/node/host.js";
import { serveConnection } from "./server/server.js";

export interface StdioOptions {
	/** The folders to serve if the client names none. */
	folders: readonly string[];
	limits: LimitOptions;
	/** Further languages. */
	languages: LanguagePlugin[];
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
	const { folders, limits, languages } = options;
	const server = serveConnection(reader, writer, {
		openHost: (folder) => nodeHost(new URL(folder)),
		folders: folders.map((folder) => pathToFileURL(folder).href),
		open: { ...limits, languages },
	});
	process.once("SIGINT", server.close);
	process.once("SIGTERM", server.close);
	const wasShutDown = await server.ended;
	// A client may keep the pipe open.
	process.stdin.destroy();
	return wasShutDown ? 0 : 1;
}
