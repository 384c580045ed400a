/** How much a model reads before its first question: the tools of each MCP server. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { pythonEnvironment } from "../../js/build/python.mjs";
import { codegraph, ragnav } from "../commands.mjs";
import { BYTES_OF_A_TOKEN } from "../token-tasks.mjs";
import { codegraphDefinitions, installedCodegraph } from "./codegraph.mjs";
import { ragnavVersion } from "./versions.mjs";

/** @typedef {import("../measured.mjs").Command} Command */
/** @typedef {import("./results.mjs").Row} Row */
/** @typedef {{ tool: string, version: string, shown: string, command: Command }} Server */

const SEMBLE = "0.7.0";

/**
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./results.mjs").Result>}
 */
export async function schemas({ temp }) {
	const folder = join(temp, "schemas");
	mkdirSync(folder);
	const rows = [];
	for (const server of await serversIn(folder, join(temp, "home")))
		rows.push(await rowOf(server));
	return {
		part: "schemas",
		title: "Size of the tools' descriptions",
		note: "What a server tells a model before the first question: the names, descriptions and input schemas of its tools, and its instructions. Output schemas, which clients read, count apart. A token is four bytes.",
		columns: [
			{ key: "tools", title: "tools", unit: "count" },
			{ key: "tokens", title: "tokens", unit: "tokens", better: "less" },
			{ key: "output", title: "output schemas", unit: "tokens" },
		],
		chart: "tokens",
		rows,
	};
}

/**
 * @param {string} folder
 * @param {string} home
 * @returns {Promise<Server[]>}
 */
async function serversIn(folder, home) {
	const { script, version } = await installedCodegraph();
	await codegraphDefinitions(folder, home);
	const python = await pythonEnvironment({
		name: "semble-mcp",
		requirements: [`semble[mcp]==${SEMBLE}`],
	});
	return [
		{
			...{ tool: "ragnav", version: ragnavVersion(), shown: "ragnav mcp" },
			command: ragnav(folder, "mcp"),
		},
		{
			...{ tool: "codegraph", version, shown: "codegraph serve --mcp" },
			command: codegraph(script, home, folder, "serve", "--mcp"),
		},
		{
			...{ tool: "semble", version: SEMBLE, shown: "semble" },
			command: {
				program: python,
				args: ["-c", "from semble.cli import main; main()"],
				cwd: folder,
				env: { HF_HUB_OFFLINE: "1", SEMBLE_CACHE_LOCATION: home },
			},
		},
	];
}

/**
 * @param {Server} server
 * @returns {Promise<Row>}
 */
async function rowOf({ tool, version, shown, command }) {
	const client = new Client({ name: "bench", version: "1" });
	const { program, args, cwd, env } = command;
	await client.connect(
		new StdioClientTransport({
			...{ command: program, args, cwd, stderr: "ignore" },
			env: /** @type {Record<string, string>} */ ({ ...process.env, ...env }),
		}),
	);
	const { tools } = await client.listTools();
	const instructions = client.getInstructions() ?? "";
	await client.close();
	const read = tools.map(({ name, description, inputSchema }) => ({
		...{ name, description, inputSchema },
	}));
	const written = tools.map(({ outputSchema }) => outputSchema ?? {});
	return {
		...{ tool, version, corpus: "", what: "tools/list", command: shown },
		values: {
			tools: tools.length,
			tokens: tokensOf(JSON.stringify(read) + instructions),
			output: tokensOf(JSON.stringify(written)),
		},
	};
}

/** @param {string} text */
const tokensOf = (text) =>
	Math.ceil(Buffer.byteLength(text) / BYTES_OF_A_TOKEN);
