// SCIP indexes as a source of answers, on the command line, in the MCP server and in the language
// server.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import {
	createProtocolConnection,
	type Location,
	StreamMessageReader,
	StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { memoryHost } from "#ragnav/hosts/memory";
import { put, repository, temporaryFolder } from "./hosts/helpers.js";
import { Client, FOLDER } from "./lsp-client.js";
import { CLI, Session } from "./mcp-client.js";
import { FILES, SHOP, SHOW } from "./scip-shop.js";

/** Writes the files and an index of them into a folder. */
function shopFolder(t: TestContext): string {
	const root = repository(temporaryFolder(t));
	for (const [file, text] of Object.entries(FILES)) put(join(root, file), text);
	put(join(root, "index.scip"), SHOP);
	return root;
}

function ragnav(args: string[], env: NodeJS.ProcessEnv = {}) {
	return spawnSync(process.execPath, [CLI, ...args], {
		encoding: "utf8",
		env: { ...process.env, ...env },
	});
}

test("the command line takes indexes from an option or the environment", (t) => {
	const root = shopFolder(t);
	const index = join(root, "index.scip");
	const asked = ["where-used", "Cart.total", "--repo", root];
	const { stdout, stderr } = ragnav([...asked, "--scip", index]);
	assert.match(
		stdout,
		/cart\.total\(\) {2}\(call in show\.show by a compiler\)/,
	);
	assert.match(stderr, /1 row/);
	const env = { RAGNAV_SCIP: index };
	assert.match(ragnav(asked, env).stdout, /by a compiler/);
	const status = ragnav(["status", "--repo", root, "--scip", index]);
	assert.match(status.stdout, /index\.scip: 2 documents used/);
	// All names stay at their places, but the file is later than the index.
	put(join(root, "show.py"), SHOW.replace("()\n    order", "( )\n#   order"));
	const changed = ragnav(["status", "--repo", root, "--scip", index]);
	assert.match(changed.stdout, /index\.scip: 1 document used, 1 changed/);
	const outside = put(join(temporaryFolder(t), "index.scip"), "");
	for (const [file, problem] of [
		[join(root, "none.scip"), /there is no SCIP index/],
		[outside, /is not in .*; move it there/],
	] as const) {
		const failed = ragnav([...asked, "--scip", file]);
		assert.equal(failed.status, 2);
		assert.match(failed.stderr, problem);
	}
});

test("the MCP server takes indexes", async (t) => {
	const root = shopFolder(t);
	const args = ["--repo", root, "--scip", join(root, "index.scip")];
	const session = await Session.start(t, args);
	const answer = await session.call("rag_where_used", { symbol: "Cart.total" });
	assert.equal(answer.items.length, 1);
	assert.equal(answer.items[0]?.evidence, "compiler");
	const outside = put(join(temporaryFolder(t), "index.scip"), SHOP);
	const failed = ragnav(["mcp", "--repo", root, "--scip", outside]);
	assert.equal(failed.status, 2);
	assert.match(failed.stderr, /is in no repository of the server/);
});

/** The call of `Cart.total` on an object of unknown type. */
const asked = (uri: string) => ({
	textDocument: { uri },
	position: { line: 1, character: 10 },
});

/** The lines of the shop at which places are. */
const linesOf = (places: Location[]) =>
	places.map(
		({ uri, range }) => `${uri.split("/").at(-1)}:${range.start.line + 1}`,
	);

test("a client of the language server names indexes", async (t) => {
	const host = memoryHost({ ...FILES, "index.scip": SHOP });
	const use = asked(`${FOLDER}/show.py`);
	const place = (scip: string[]) =>
		Client.start(t, {
			openHost: () => host,
			initialize: { capabilities: {}, initializationOptions: { scip } },
		});
	const definition = async (client: Client) =>
		linesOf(await client.ask("textDocument/definition", use));
	const without = await place([]);
	assert.deepEqual(await definition(without), ["shapes.py:2", "shapes.py:7"]);
	const client = await place(["index.scip", "none.scip"]);
	assert.deepEqual(await definition(client), ["shapes.py:2"]);
	const references: Location[] = await client.ask("textDocument/references", {
		...use,
		context: { includeDeclaration: false },
	});
	assert.deepEqual(linesOf(references), ["show.py:2"]);
	const command = { command: "ragnav.status" };
	const [status] = await client.ask<string[]>(
		"workspace/executeCommand",
		command,
	);
	assert.deepEqual(status?.split("\n"), [
		"No index yet; read live (3 files)",
		"index.scip: 2 documents used",
		"none.scip: not used: the repository has no such file",
	]);
});

test("ragnav lsp takes indexes", async (t) => {
	const root = shopFolder(t);
	const outside = put(join(temporaryFolder(t), "other.scip"), SHOP);
	const indexes = ["--scip", join(root, "index.scip"), "--scip", outside];
	const child = spawn(process.execPath, [CLI, "lsp", ...indexes]);
	t.after(() => child.kill("SIGKILL"));
	let stderr = "";
	child.stderr.on("data", (chunk) => {
		stderr += chunk;
	});
	const client = createProtocolConnection(
		new StreamMessageReader(child.stdout),
		new StreamMessageWriter(child.stdin),
	);
	client.listen();
	t.after(() => client.dispose());
	const rootUri = pathToFileURL(root).href;
	const start = { processId: process.pid, rootUri, capabilities: {} };
	await client.sendRequest("initialize", start);
	const found: Location[] = await client.sendRequest(
		"textDocument/definition",
		asked(`${rootUri}/show.py`),
	);
	assert.deepEqual(linesOf(found), ["shapes.py:2"]);
	assert.match(stderr, /other\.scip is not in .*do without it/);
	const absent = ragnav(["lsp", "--scip", join(root, "none.scip")]);
	assert.equal(absent.status, 2);
	assert.match(absent.stderr, /there is no SCIP index/);
});

test("ragnav reads the index that it writes", (t) => {
	const root = shopFolder(t);
	const file = join(root, "own.scip");
	const { status, stderr } = ragnav(["export", "--scip", file, "--repo", root]);
	assert.equal(status, 0, stderr);
	const read = ragnav(["status", "--repo", root, "--scip", file]);
	assert.match(read.stdout, /own\.scip: 2 documents used/);
	// What the index of a compiler resolves is exported too.
	const env = { RAGNAV_SCIP: join(root, "index.scip") };
	const json = ["export", "--scip", file, "--repo", root, "--json"];
	const { occurrences } = JSON.parse(ragnav(json, env).stdout);
	const without = JSON.parse(ragnav(json).stdout);
	assert.equal(occurrences - without.occurrences, 2);
});
