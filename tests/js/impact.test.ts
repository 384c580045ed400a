// What a change touches in a real git repository: the program, the command line and MCP.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { open } from "#ragnav";
import { memoryHost } from "#ragnav/hosts/memory";
import { nodeHost } from "#ragnav/hosts/node";
import { git, put, repository, temporaryFolder } from "./hosts/helpers.js";
import { CLI, Session } from "./mcp-client.js";

const SHOP = "from price import price\n\ndef order():\n    return price()\n";

/** Returns a repository whose last commit is followed by an edit. */
function edited(t: TestContext): string {
	const root = repository(temporaryFolder(t));
	put(join(root, "price.py"), "def price():\n    return 1\n");
	put(join(root, "shop.py"), SHOP);
	put(
		join(root, "tests/test_shop.py"),
		"from shop import order\n\ndef test_order():\n    order()\n",
	);
	git(root, "add", "--all");
	git(root, "commit", "--quiet", "--message", "shop");
	put(join(root, "price.py"), "def price(vat=0):\n    return 1 + vat\n");
	return root;
}

test("symbols, references and tests of an edit, from a commit on", async (t) => {
	const root = edited(t);
	const nav = await open(nodeHost(root));
	t.after(() => nav.close());
	const answer = await nav.impact();
	assert.deepEqual(
		answer.items.map(({ symbol, changes }) => [symbol, ...changes]),
		[["sym:price.price", "signature", "body"]],
	);
	assert.equal(answer.from, git(root, "rev-parse", "HEAD").trim());
	assert.deepEqual(
		answer.affected.map(({ file, line, of }) => `${file}:${line} ${of}`),
		[
			"shop.py:1 sym:price.price",
			"shop.py:4 sym:price.price",
			"tests/test_shop.py:1 sym:price.price",
			"tests/test_shop.py:4 sym:price.price",
		],
	);
	assert.deepEqual(
		answer.tests.map(({ symbol }) => symbol),
		["sym:tests.test_shop.test_order"],
	);
	git(root, "commit", "--quiet", "--all", "--message", "vat");
	assert.deepEqual((await nav.impact()).items, []);
	const both = await nav.impact({ from: "HEAD~1", to: "HEAD" });
	assert.equal(both.total, 1);
	const unknown = await nav.impact({ from: "nowhere" });
	assert.equal(unknown.meta.error_code, "INVALID_ARGUMENT");
	assert.match(String(unknown.meta.message), /no commit `nowhere`/);
});

test("a host without commits says so", async (t) => {
	const nav = await open(memoryHost({ "a.py": "x = 1\n" }));
	t.after(() => nav.close());
	const { meta } = await nav.impact();
	assert.equal(meta.error_code, "HOST_FAILED");
	assert.match(String(meta.message), /the host has no commits/);
});

test("ragnav impact prints symbols, references and tests", (t) => {
	const root = edited(t);
	const ragnav = (...args: string[]) =>
		spawnSync(process.execPath, [CLI, "impact", ...args], {
			cwd: root,
			encoding: "utf8",
		});
	const run = ragnav();
	assert.equal(
		run.stdout,
		[
			"signature, body  function price.price  price.py:1",
			"",
			"referred to by:",
			"  module level imports price.price  shop.py:1:19",
			"  shop.order calls price.price  shop.py:4:12",
			"    module level imports price.price  tests/test_shop.py:1:18",
			"    tests.test_shop.test_order calls price.price  tests/test_shop.py:4:5",
			"",
			"tests that reach them:",
			"  tests.test_shop.test_order  tests/test_shop.py:4  reaches 1 symbol, in 2 steps",
			"",
		].join("\n"),
	);
	assert.equal(run.status, 0);
	const staged = ragnav("--staged");
	assert.equal(staged.stdout, "");
	assert.match(staged.stderr, /^0 changed symbols · /);
	assert.equal(staged.status, 0);
	const none = ragnav("--since", "nowhere");
	assert.match(none.stderr, /no commit `nowhere`/);
	assert.equal(none.status, 2);
});

test("rag_impact answers in few lines", async (t) => {
	const session = await Session.start(t, ["--repo", edited(t)]);
	const answer = await session.call("rag_impact", { depth: 1 });
	assert.equal(answer.total, 1);
	assert.match(
		session.text,
		/^signature,body {2}function {2}price\.price {2}price\.py:1\nreferred to by:\nshop\.py\n/,
	);
});

test("ragnav trace follows a line of a commit to where it is now, and back", (t) => {
	const root = edited(t);
	put(join(root, "price.py"), "VAT = 1\n\n\ndef price():\n    return 1\n");
	const trace = (...args: string[]) =>
		spawnSync(process.execPath, [CLI, "trace", ...args], {
			cwd: root,
			encoding: "utf8",
		});
	const then = trace("price.py:2", "HEAD");
	assert.equal(
		then.stdout,
		"function price.price  lines 1–2  moved  price.py:4\n",
	);
	assert.equal(then.status, 0);
	const back = trace("price.py:5", "HEAD", "--reverse");
	assert.equal(
		back.stdout,
		"function price.price  lines 4–5  moved  price.py:1\n",
	);
	const same = trace("shop.py:4", "HEAD");
	assert.equal(
		same.stdout,
		"function shop.order  lines 3–4  exact  shop.py:3\n",
	);
	assert.match(trace("shop.py:4", "nowhere").stderr, /no commit `nowhere`/);
	assert.match(trace("shop.py:4").stderr, /missing required argument/);
});
