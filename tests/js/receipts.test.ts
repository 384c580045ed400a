// Receipts: the program, the command line and MCP.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { describeSince, open } from "#ragnav";
import { nodeHost } from "#ragnav/hosts/node";
import { put, temporaryFolder } from "./hosts/helpers.js";
import { CLI, Session } from "./mcp-client.js";

const PRICES = "def price():\n    return 1\n";
const SHOP = "from prices import price\n\ndef order():\n    return price()\n";

function shop(t: TestContext): string {
	const root = temporaryFolder(t);
	put(join(root, "prices.py"), PRICES);
	put(join(root, "shop.py"), SHOP);
	return root;
}

function edit(root: string): void {
	put(join(root, "shop.py"), `# A shop.\n${SHOP}price()\n`);
}

test("a receipt says what became of each row, and since gives what differs", async (t) => {
	const root = shop(t);
	const nav = await open(nodeHost(root));
	t.after(() => nav.close());
	const { meta } = await nav.whereUsed("price");
	edit(root);
	const { items, counts, query } = await nav.recheck(meta.receipt);
	assert.equal(query, "where_used");
	assert.deepEqual(
		items.map(({ state, was, now }) => [state, was?.line, now?.line]),
		[
			["moved", 1, 2],
			["moved", 4, 5],
			["new", undefined, 6],
		],
	);
	assert.deepEqual(counts, {
		unchanged: 0,
		moved: 2,
		changed: 0,
		gone: 0,
		new: 1,
	});
	await nav.buildGraph();
	const again = await nav.whereUsed("price", { since: meta.receipt });
	assert.equal(again.items.length, 3);
	assert.equal(
		again.meta.since && describeSince(again.meta.since),
		"1 new, 2 moved, 0 unchanged",
	);
	const last = await nav.whereUsed("price", { since: again.meta.receipt });
	assert.deepEqual(last.items, []);
	assert.equal(last.meta.since?.unchanged, 3);
	const none = await nav.recheck(null);
	assert.equal(none.meta.error_code, "INVALID_ARGUMENT");
});

test("several repositories are rechecked as one", async (t) => {
	const [lib, app] = [temporaryFolder(t), temporaryFolder(t)];
	put(join(lib, "prices.py"), PRICES);
	put(join(app, "shop.py"), "def price(): pass\nprice()\n");
	const nav = await open([
		{ name: "lib", host: nodeHost(lib) },
		{ name: "app", host: nodeHost(app) },
	]);
	t.after(() => nav.close());
	const { meta } = await nav.search("price");
	put(join(app, "shop.py"), "def price(): pass\n");
	const { items } = await nav.recheck(meta.receipt);
	assert.deepEqual(
		items.map(({ state, root }) => [root, state]),
		[
			["app", "unchanged"],
			["app", "gone"],
			["lib", "unchanged"],
		],
	);
});

test("ragnav recheck takes a receipt, or an answer from standard input", (t) => {
	const root = shop(t);
	const ragnav = (args: string[], input = "") =>
		spawnSync(process.execPath, [CLI, ...args], {
			cwd: root,
			input,
			encoding: "utf8",
		});
	const answer = ragnav(["where-used", "price", "--json"]).stdout;
	edit(root);
	const { receipt } = JSON.parse(answer).meta;
	for (const run of [
		ragnav(["recheck", receipt]),
		ragnav(["recheck", "-"], answer),
	]) {
		assert.equal(
			run.stdout,
			[
				"moved    shop.py:1 → shop.py:2  from prices import price",
				"moved    shop.py:4 → shop.py:5  return price()",
				"new      shop.py:6  price()",
				"",
			].join("\n"),
		);
		assert.match(run.stderr, /^0 rows unchanged, 2 moved, 1 new · /);
		assert.equal(run.status, 0);
	}
	const since = ragnav(["where-used", "price", "--since-receipt", receipt]);
	assert.match(
		since.stderr,
		/since the receipt: 1 new, 2 moved, 0 unchanged\n/,
	);
	const cut = ragnav(["recheck", receipt.slice(0, -4)]);
	assert.match(cut.stderr, /that is no receipt, or a part of one/);
	assert.equal(cut.status, 2);
	const other = ragnav(["where-used", "order", "--since-receipt", receipt]);
	assert.match(other.stderr, /the receipt belongs to another query/);
	assert.equal(other.status, 2);
});

test("recheck waits for an answer that comes late on standard input", async (t) => {
	const root = shop(t);
	const run = spawn(process.execPath, [CLI, "recheck", "-"], { cwd: root });
	t.after(() => run.kill());
	// No pipe holds that much, so the answer is computed while the program reads.
	run.stdin.write(" ".repeat(1 << 22), () => {
		const asked = [CLI, "where-used", "price", "--json"];
		const { stdout } = spawnSync(process.execPath, asked, { cwd: root });
		run.stdin.end(stdout);
	});
	assert.match(await text(run.stderr), /^2 rows unchanged · /);
});

test("an agent asks only for what differs", async (t) => {
	const root = shop(t);
	const session = await Session.start(t, ["--repo", root]);
	const plain = await session.call("rag_where_used", { symbol: "price" });
	assert.equal(plain.meta.receipt, undefined);
	const given = { symbol: "price", since: "" };
	const first = await session.call("rag_where_used", given);
	const { receipt } = first.meta;
	assert.match(session.text, /\nreceipt: r1\.[\w-]+$/);
	edit(root);
	const checked = await session.call("rag_recheck", { receipt });
	assert.match(
		session.text,
		/^2 moved, 1 new\nmoved {2}shop\.py:1 -> shop\.py:2 {2}from prices import price\n/,
	);
	assert.equal(checked.items.length, 3);
	const since = await session.call("rag_where_used", {
		symbol: "price",
		since: receipt,
	});
	assert.equal(since.total, 3);
	assert.match(session.text, /since the receipt: 1 new, 2 moved, 0 unchanged/);
	const same = await session.call("rag_locate", { symbol: "price", since: "" });
	const located = await session.call("rag_locate", {
		symbol: "price",
		since: same.meta.receipt,
	});
	assert.deepEqual(located.items, []);
	const refused = await session.call("rag_recheck", { receipt: "r1.x" });
	assert.equal(refused.meta.error_code, "INVALID_ARGUMENT");
});

test("a receipt has the rows that an agent was given, where not all fit", async (t) => {
	const root = temporaryFolder(t);
	const note = "x".repeat(400);
	for (let file = 0; file < 120; file += 1) {
		const text = `class C${file}${note}:\n    def same(self):\n        pass\n`;
		put(join(root, `m${file}.py`), text);
	}
	const session = await Session.start(t, ["--repo", root]);
	const files = new Set<unknown>();
	let since = "";
	for (let page = 0; page < 10; page += 1) {
		const given = { symbol: "same", since };
		const { items, meta } = await session.call("rag_locate", given);
		for (const { file } of items) {
			assert.ok(!files.has(file), `${file} is given twice`);
			files.add(file);
		}
		if (items.length === 0) break;
		if (page === 0)
			assert.match(session.text, /the receipt leads to the others/);
		since = String(meta.receipt);
	}
	assert.equal(files.size, 120);
});
