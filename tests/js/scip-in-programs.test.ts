// SCIP indexes as a source of answers, on the command line and in the MCP server.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { put, repository, temporaryFolder } from "./hosts/helpers.js";
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
