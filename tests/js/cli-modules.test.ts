// The command line: modules as symbols, the steps of a resolution, and types.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { put, temporaryFolder } from "./hosts/helpers.js";
import { CLI, Session } from "./mcp-client.js";

function shop(t: TestContext): string {
	const root = temporaryFolder(t);
	put(join(root, "shop/cart.py"), "class Cart:\n    def total(self): pass\n");
	put(
		join(root, "shop/pay.py"),
		"from shop.cart import Cart as Basket\n\nbasket = Basket()\nbasket.total()\n",
	);
	return root;
}

/** Returns what a command prints in a folder of the repository. */
function printed(root: string, args: string[], folder = "."): string {
	const run = spawnSync(process.execPath, [CLI, ...args, "--repo", root], {
		cwd: join(root, folder),
		encoding: "utf8",
	});
	assert.equal(run.status, 0, run.stderr);
	return run.stdout;
}

test("--explain says how each name leads to the symbol, with paths from the working folder", (t) => {
	const root = shop(t);
	const rows = printed(root, ["where-used", "Cart.total", "--explain"], "shop");
	assert.equal(
		rows,
		[
			"method shop.cart.Cart.total  cart.py:2",
			"",
			"pay.py:4:8: basket.total()  (call)  assigned to basket (pay.py:3), imported as Basket (pay.py:1)",
			"",
		].join("\n"),
	);
	const lineage = printed(root, ["lineage", "Cart.total", "--explain"]);
	assert.match(lineage, /\n {4}assigned to basket \(shop\/pay\.py:3\), /);
});

test("a file is a module, which code outside of definitions belongs to", (t) => {
	const root = shop(t);
	assert.equal(
		printed(root, ["where-used", "shop.cart"]),
		"module shop.cart  shop/cart.py:1\n\nshop/pay.py:1:23: from shop.cart import Cart as Basket  (import)\n",
	);
	assert.equal(
		printed(root, ["identify", "shop/pay.py:4", "--include-module"]),
		"shop/pay.py:1  module shop.pay  lines 1–4\n",
	);
	const rows = printed(root, ["where-used", "Cart.total", "--include-module"]);
	assert.match(rows, /\(call in shop\.pay\)\n$/);
});

test("type-definition leads from a variable to its class", (t) => {
	assert.equal(
		printed(shop(t), ["type-definition", "shop/pay.py:4:1"]),
		"shop/cart.py:1  class shop.cart.Cart  lines 1–2\n",
	);
});

test("an agent may ask for modules and steps, though no schema lists them", async (t) => {
	const session = await Session.start(t, ["--repo", shop(t)]);
	const given = { symbol: "Cart.total", explain: true, include_module: true };
	const { items } = await session.call("rag_where_used", given);
	assert.equal(items[0]?.symbol, "sym:shop.pay");
	assert.match(session.text, /\[assigned to basket \(shop\/pay\.py:3\), /);
});
