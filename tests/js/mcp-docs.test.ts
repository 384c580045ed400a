// The configurations in docs/mcp.md start the server, and its program prints what the page shows.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
	chmodSync,
	cpSync,
	mkdirSync,
	readFileSync,
	symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { put, temporaryFolder } from "./hosts/helpers.js";
import { sourceRepo } from "./index-repo.js";
import { Session } from "./mcp-client.js";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const PAGE = readFileSync(join(CHECKOUT, "docs", "mcp.md"), "utf8");

function blocks(language: string): string[] {
	const found = PAGE.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm);
	return [...found]
		.filter(([, name]) => name === language)
		.map(([, , text = ""]) => text);
}

interface Configured {
	type?: string;
	command: string;
	args: string[];
	env?: Record<string, string>;
}

/** The keys of servers in the configurations of hosts. */
const KEYS = ["mcpServers", "servers", "context_servers"];

for (const [at, block] of blocks("json").entries()) {
	test(`configuration ${at + 1} starts the server`, async (t) => {
		const [entry, ...others] = Object.entries(JSON.parse(block));
		assert.equal(others.length, 0);
		assert.ok(entry && KEYS.includes(entry[0]));
		const { ragnav } = entry[1] as { ragnav: Configured };
		const { type = "stdio", command, args, env = {} } = ragnav;
		assert.equal(type, "stdio");
		assert.equal(command, "npx");
		assert.deepEqual(args.slice(0, 3), ["-y", "ragnav", "mcp"]);
		const repo = sourceRepo(t);
		const here = args
			.slice(3)
			.map((word) =>
				/^(\.$|\$\{workspaceFolder\}$|\/path\/)/.test(word) ? repo : word,
			);
		const session = await Session.start(t, here, env);
		const isReadOnly = args.includes("--read-only");
		assert.equal(session.tools.length, isReadOnly ? 14 : 15);
		const found = await session.call("rag_search", { query: "needle" });
		assert.equal(found.total, 2);
	});
}

test("the page names the supported hosts", () => {
	const hosts = [
		"Claude Desktop",
		"Claude Code",
		"VS Code",
		"Cursor",
		"Zed",
		"JetBrains IDEs",
		"Others",
	];
	const named = [...PAGE.matchAll(/^\*\*(.+?)\*\*/gm)].map(([, name]) => name);
	assert.deepEqual(named, hosts);
	assert.equal(blocks("json").length, hosts.length);
});

test("the table lists the tools of the server", async (t) => {
	const { tools } = await Session.start(t, ["--repo", sourceRepo(t)]);
	const rows = [...PAGE.matchAll(/^\| `(rag_\w+)` \|.*\| (.*) \|$/gm)];
	assert.deepEqual(
		rows.map(([, name]) => name),
		tools.map(({ name }) => name),
	);
	const common = ["root", "timeout_ms", "stale_policy"];
	for (const [at, [, , listed = ""]] of rows.entries()) {
		const properties = tools[at]?.inputSchema.properties ?? {};
		const own = Object.keys(properties).filter((key) => !common.includes(key));
		const names = listed.split(", ").map((word) => word.replaceAll("`", ""));
		assert.deepEqual(names.sort(), own.sort());
	}
});

test("the commands of the page work", () => {
	const cli = join(CHECKOUT, "pkg", "dist", "cjs", "cli.js");
	const help = execFileSync(process.execPath, [cli, "mcp", "--help-limits"], {
		encoding: "utf8",
	});
	const [commands = ""] = blocks("sh");
	const options = commands.match(/--[\w-]+/g) ?? [];
	assert.deepEqual(
		[...new Set(options)],
		["--repo", "--read-only", "--tools", "--timeout-ms"],
	);
	for (const option of options) assert.ok(help.includes(option), option);
});

test("the program of the page prints its output", (t) => {
	const consumer = temporaryFolder(t);
	const modules = join(consumer, "node_modules");
	mkdirSync(join(modules, ".bin"), { recursive: true });
	cpSync(join(CHECKOUT, "pkg"), join(modules, "ragnav"), { recursive: true });
	const cli = join(modules, "ragnav", "dist", "cjs", "cli.js");
	chmodSync(cli, 0o755);
	symlinkSync(cli, join(modules, ".bin", "ragnav"));
	symlinkSync(
		join(CHECKOUT, "node_modules", "@modelcontextprotocol"),
		join(modules, "@modelcontextprotocol"),
	);
	cpSync(join(CHECKOUT, "tests", "fixtures", "shop"), consumer, {
		recursive: true,
	});
	const [program = ""] = blocks("js");
	put(join(consumer, "program.mjs"), program);
	put(join(consumer, "package.json"), '{ "private": true }');
	const printed = execFileSync(process.execPath, ["program.mjs"], {
		cwd: consumer,
		encoding: "utf8",
	});
	assert.equal(printed, "FALLBACK shop/cart.py 10\n");
});
