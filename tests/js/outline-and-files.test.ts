// Outlines, lists of files and the validation of options, on every surface.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { open, type SearchOptions } from "#ragnav";
import { memoryHost } from "#ragnav/hosts/memory";

const CLI = fileURLToPath(
	new URL("../../pkg/dist/cjs/cli.js", import.meta.url),
);
const SOURCE =
	"class Cart:\n    def add(self):\n        pass\n\ndef main():\n    pass\n";

const repo = mkdtempSync(join(tmpdir(), "ragnav-outline-"));
after(() => rmSync(repo, { recursive: true }));
mkdirSync(join(repo, "shop"));
mkdirSync(join(repo, "node_modules"));
writeFileSync(join(repo, "shop", "cart.py"), SOURCE);
writeFileSync(join(repo, "notes.md"), "# Notes\n");

function ragnav(...args: string[]) {
	const env = { ...process.env, FORCE_COLOR: undefined };
	const program = [CLI, ...args, "--repo", repo, "--json"];
	return spawnSync(process.execPath, program, { encoding: "utf8", env });
}

test("an outline is a tree with ids and lines", async () => {
	const nav = await open(memoryHost({ "shop/cart.py": SOURCE }));
	const { meta, items } = await nav.outline("shop/cart.py");
	assert.equal(meta.status, "FALLBACK");
	assert.deepEqual(
		items.map(({ name, kind, children }) => [name, kind, children.length]),
		[
			["Cart", "class", 1],
			["main", "function", 0],
		],
	);
	const [add] = items[0]?.children ?? [];
	assert.equal(add?.symbol, "sym:shop.cart.Cart.add");
	assert.deepEqual([add?.start_line, add?.end_line], [2, 3]);
	const gone = await nav.outline("gone.py");
	assert.equal(gone.meta.error_code, "FILE_UNREADABLE");
	assert.deepEqual(gone.items, []);
	nav.close();
	const closed = await nav.outline("shop/cart.py");
	assert.equal(closed.meta.error_code, "CLOSED");
});

test("files come in pages, with the skipped ones", async () => {
	const host = memoryHost({
		"a.py": "x = 1\n",
		"b.txt": "text\n",
		"node_modules/p.js": "",
	});
	const nav = await open(host);
	const all = await nav.files();
	assert.deepEqual(
		all.items.map(({ file, language, skipped }) => [file, language, skipped]),
		[
			["a.py", "python", null],
			["b.txt", null, null],
			["node_modules/", null, "installed_packages"],
		],
	);
	const first = await nav.files({ limit: 2 });
	assert.ok(first.truncated && first.cursor !== null);
	const rest = await nav.files({ limit: 2, cursor: first.cursor });
	assert.deepEqual(
		rest.items.map(({ file }) => file),
		["node_modules/"],
	);
	nav.close();
});

test("an unknown option is refused, and the closest one is named", async () => {
	const nav = await open(memoryHost({ "a.py": "x = 1\n" }));
	const options = { limt: 3 } as SearchOptions;
	const { meta, query } = await nav.search("x", options);
	assert.equal(meta.error_code, "INVALID_ARGUMENT");
	assert.match(meta.message ?? "", /no option "limt"; did you mean `limit`\?/);
	assert.equal(query, "x");
	const built = await nav.buildGraph({ documnts: true } as object);
	assert.equal(built.meta.error_code, "INVALID_ARGUMENT");
	assert.match(built.meta.message ?? "", /did you mean `documents`\?/);
	const answer = await nav.ask("what is x?", { token_buget: 5 } as object);
	assert.equal(answer.meta.error_code, "INVALID_ARGUMENT");
	assert.match(answer.meta.message ?? "", /did you mean `token_budget`\?/);
	nav.close();
});

test("lineage accepts `limit`, and `max_results` as its alias", async () => {
	const source = "def f(): pass\ndef g(): f()\ndef h(): f()\n";
	const nav = await open(memoryHost({ "a.py": source }));
	for (const options of [{ limit: 1 }, { max_results: 1 }]) {
		const { items, total } = await nav.lineage("f", "upstream", options);
		assert.deepEqual([items.length, total], [1, 2]);
	}
	nav.close();
});

test("the command line prints an outline and the files", () => {
	const outline = ragnav("outline", "shop/cart.py");
	assert.equal(outline.status, 0, outline.stderr);
	assert.match(outline.stdout, /"name": "Cart"/);
	const files = JSON.parse(ragnav("files", "--include", "*.md").stdout);
	assert.deepEqual(
		files.items.map((item: { file: string }) => item.file),
		["node_modules/", "notes.md"],
	);
	const unknown = ragnav("outline", "gone.py");
	assert.equal(unknown.status, 2);
	assert.match(unknown.stdout, /FILE_UNREADABLE/);
});
