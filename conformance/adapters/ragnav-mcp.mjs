/** ragnav's MCP server, which stays open during a scenario. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { answerOf, CLAIMS, ROWS } from "./ragnav-answer.mjs";
import { ragnavVersion } from "./ragnav-api.mjs";
import { CLI } from "./ragnav-cli.mjs";

/** @typedef {import("../types.d.ts").Asked} Asked */
/** @typedef {Parameters<typeof answerOf>[0]} Envelope */

/** @type {import("../types.d.ts").Adapter} */
export const ragnavMcp = {
	name: "ragnav-mcp",
	index_paths: [".llmc"],
	asks: ["definitions", "references", "search"],
	has_buffers: false,
	claims: CLAIMS,
	version: ragnavVersion,
	open,
};

/**
 * @param {string} folder
 * @returns {Promise<import("../types.d.ts").Session>}
 */
async function open(folder) {
	const client = new Client({ name: "conformance", version: "1" });
	await client.connect(
		new StdioClientTransport({
			command: process.execPath,
			args: [CLI, "mcp", "--repo", folder],
			cwd: folder,
			stderr: "ignore",
		}),
	);
	return {
		async index() {
			await client.callTool({ name: "rag_build_graph", arguments: {} });
		},
		async interruptIndex() {
			const stop = new AbortController();
			const build = client.callTool(
				{ name: "rag_build_graph", arguments: {} },
				undefined,
				{ signal: stop.signal, onprogress: () => stop.abort() },
			);
			// A build that was interrupted rejects, which is what this step is for.
			await build.catch(() => undefined);
		},
		async setBuffer() {},
		async ask(asked) {
			const { structuredContent } = await client.callTool(toolOf(asked));
			return answerOf(/** @type {Envelope} */ (structuredContent));
		},
		close: () => client.close(),
	};
}

/** @param {Asked} asked */
function toolOf(asked) {
	switch (asked.ask) {
		case "definitions":
			return { name: "rag_locate", arguments: { symbol: asked.symbol } };
		case "references": {
			const args = { symbol: asked.symbol, limit: ROWS };
			return { name: "rag_where_used", arguments: args };
		}
		case "search":
			return {
				name: "rag_search",
				arguments: { query: asked.text, limit: ROWS },
			};
	}
}
