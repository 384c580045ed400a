import {
	BrowserMessageReader,
	BrowserMessageWriter,
} from "vscode-jsonrpc/browser";
import {
	createProtocolConnection,
	type MessageReader,
	type MessageWriter,
} from "vscode-languageserver";
import {
	type LanguageServer,
	type LanguageServerOptions,
	serveConnection,
} from "./server.js";

export type { LanguageServer, LanguageServerOptions } from "./server.js";

/** What messages of the protocol come and go through: a `MessagePort`, or a worker's `self`. */
export interface LanguagePort {
	postMessage(message: unknown): void;
	onmessage: ((event: never) => unknown) | null;
	addEventListener(type: string, listener: (event: never) => void): void;
}

/**
 * Serves the Language Server Protocol over a port, as between a worker and its page.
 *
 * Each workspace folder is a repository of its own. The text of open documents replaces that of
 * files, so answers follow unsaved edits. The server builds no index unless the client runs
 * `ragnav.buildIndex`.
 *
 * @example
 * ```js
 * import { memoryHost } from "ragnav/hosts/memory";
 * import { serveLanguage } from "ragnav/lsp";
 *
 * const { port1, port2 } = new MessageChannel();
 * const openHost = () => memoryHost({ "a.py": "def total(): return 1\n" });
 * const server = serveLanguage(port1, { openHost });
 * const params = { processId: null, capabilities: {}, rootUri: "memory:///shop" };
 * port2.postMessage({ jsonrpc: "2.0", id: 1, method: "initialize", params });
 * const { data } = await new Promise((resolve) => {
 *   port2.onmessage = resolve;
 * });
 * console.log(data.result.serverInfo.name); // ragnav
 * server.close();
 * port1.close();
 * ```
 */
export function serveLanguage(
	port: LanguagePort,
	options: LanguageServerOptions,
): LanguageServer {
	const reader: MessageReader = new BrowserMessageReader(port as never);
	const writer: MessageWriter = new BrowserMessageWriter(port as never);
	return serveConnection(createProtocolConnection(reader, writer), options);
}
