// An MCP server with one tool of its own: node server.js [folder]
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { open } from "ragnav";
import { nodeHost } from "ragnav/hosts/node";
import { z } from "zod";

const nav = await open(nodeHost(process.argv[2] ?? "."));
const server = new McpServer({ name: "who-uses", version: "0.1.0" });

server.registerTool(
	"who_uses",
	{
		description: "Lists the places that refer to a function, class or method.",
		inputSchema: { symbol: z.string().describe("Its name, such as Cart.add") },
		annotations: { readOnlyHint: true },
	},
	async ({ symbol }) => {
		const { meta, items } = await nav.whereUsed(symbol, { limit: 50 });
		const lines = items.map(({ file, line, symbol: caller }) =>
			caller ? `${file}:${line} in ${caller}` : `${file}:${line}`,
		);
		// The model learns how far the answer may be trusted.
		lines.push(`${items.length} rows, ${meta.status}: ${meta.message ?? ""}`);
		return {
			content: [{ type: "text", text: lines.join("\n") }],
			isError: meta.status === "ERROR",
		};
	},
);

server.server.onclose = () => nav.close();
await server.connect(new StdioServerTransport());
