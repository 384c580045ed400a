import {
	BrowserMessageReader,
	BrowserMessageWriter,
} from "vscode-jsonrpc/browser";
import {
	createProtocolConnection,
	type MessageReader,
	type MessageWriter,
} from "vscode-languageserver";
import type { LanguageServer, LanguageServerOptions } from "./options.js";
import { serveConnection } from "./server.js";
import type { LanguagePort, LanguageStreams } from "./transport.js";

export type {
	LanguageServer,
	LanguageServerOptions,
	SharedRepository,
} from "./options.js";
export type {
	Disposing,
	LanguagePort,
	LanguageStreams,
	Subscribe,
} from "./transport.js";

/**
 * Serves the Language Server Protocol over a port, as between a worker and its page, or over streams.
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
	transport: LanguagePort | LanguageStreams,
	options: LanguageServerOptions,
): LanguageServer {
	const { reader, writer } = streamsOf(transport);
	const connection = createProtocolConnection(reader, writer);
	const server = serveConnection(connection, options);
	// Ports say that the other side is gone, where they can at all.
	if (!("reader" in transport))
		transport.addEventListener("close", server.close);
	return server;
}

interface Streams {
	reader: MessageReader;
	writer: MessageWriter;
}

function streamsOf(transport: LanguagePort | LanguageStreams): Streams {
	if ("reader" in transport) return transport as LanguageStreams & Streams;
	return {
		reader: new BrowserMessageReader(transport as never),
		writer: new BrowserMessageWriter(transport as never),
	};
}
