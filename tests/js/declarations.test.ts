// The steps of a lineage between definitions and their declarations in other files.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { createFolder } from "./consumer.js";
import { Session } from "./mcp-client.js";
import { printedRows } from "./printed-rows.js";

const FILES = {
	"shop/cart.py": "def total(items):\n    return sum(items)\n",
	"shop/cart.pyi": "def total(items: list[int]) -> int: ...\n",
	"src/lib.rs":
		'#[no_mangle]\npub extern "C" fn add(a: i32) -> i32 {\n    a\n}\n',
	"include/add.h": "int add(int a);\n",
};

const repo = createFolder();
for (const [file, text] of Object.entries(FILES)) {
	mkdirSync(dirname(join(repo, file)), { recursive: true });
	writeFileSync(join(repo, file), text);
}

const printed = (...args: string[]) => printedRows(repo, args);

test("a lineage names what declares a symbol, apart from calls", () => {
	assert.match(
		printed("lineage", "shop/cart.py:1:5"),
		/ declared by shop\.cart\.total {2}shop\/cart\.pyi:1:5$/,
	);
	assert.match(
		printed("lineage", "shop/cart.pyi:1:5", "--direction", "downstream"),
		/ declares shop\.cart\.total {2}shop\/cart\.pyi:1:5$/,
	);
	assert.match(
		printed("lineage", "add"),
		/ declared by module level {2}include\/add\.h:1:5$/,
	);
});

test("models read the declaration", async (t) => {
	const session = await Session.start(t, ["--repo", repo]);
	const call = { symbol: "add", direction: "callers" };
	const { items } = await session.call("rag_lineage", call);
	assert.equal(items[0]?.edge, "declares");
	assert.match(session.text, /1:5 {2}declared by {2}.*int add\(int a\);/);
});
