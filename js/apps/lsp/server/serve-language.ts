import {
	BrowserMessageReader,
	BrowserMessageWriter,
} from "vscode-jsonrpc/browser";
import type { MessageReader, MessageWriter } from "vscode-languageserver";
import { RagnavError } from "../../../core/errors.js";
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
 * @throws {RagnavError} `INVALID_ARGUMENT` for a value that is no transport.
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
	const connectionOptions = {
		...options,
		openOptions: () => options.open ?? {},
	};
	if ("reader" in transport) {
		// Those of the package have what the types here leave out.
		const { reader, writer } = transport as unknown as Streams;
		return serveConnection(reader, writer, connectionOptions);
	}
	const port = eventsOf(transport);
	const reader = new BrowserMessageReader(port as never);
	const writer = new BrowserMessageWriter(port as never);
	const server = serveConnection(reader, writer, connectionOptions);
	// Ports say that the other side is gone, where they can at all.
	port.addEventListener("close", server.close);
	return server;
}

interface Streams {
	reader: MessageReader;
	writer: MessageWriter;
}

/** A port as an event target. Its types in Node do not say that it is one. */
function eventsOf(port: LanguagePort): LanguagePort & EventTarget {
	const given = port as LanguagePort & EventTarget;
	if (typeof given.addEventListener === "function") return given;
	const message = "the transport is no MessagePort, worker, or pair of streams";
	throw new RagnavError("INVALID_ARGUMENT", message);
}
