// Grammars load when they are needed, and a missing or damaged one is never silent.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import binaryen from "binaryen";
import { init, locateSymbol, type Navigator, open, RagnavError } from "#ragnav";
import { memoryHost } from "#ragnav/hosts/memory";
import { nodeHost } from "#ragnav/hosts/node";
import { indexedRepo } from "./index-repo.js";

const LANGUAGES = fileURLToPath(
	new URL("../../pkg/languages/", import.meta.url),
);
const HEAD = "0123456789abcdef0123456789abcdef01234567";

/** The files that were read since the test began, and what replaces some of them. */
const read: string[] = [];
const replaced = new Map<string, Uint8Array<ArrayBuffer> | Error>();

async function grammars(file: string): Promise<Uint8Array<ArrayBuffer>> {
	read.push(file);
	const bytes = replaced.get(file);
	if (bytes instanceof Error) throw bytes;
	return bytes ?? readFileSync(join(LANGUAGES, file));
}

beforeEach(async () => {
	read.length = 0;
	replaced.clear();
	await init(null, { grammars });
});

const PYTHON = {
	"shop.py": "def price_of(article):\n    return 1\n",
	"cart.py": "from shop import price_of\nprice_of(2)\n",
};
const GO = { "main.go": "package a\n\nfunc run() { price_of() }\n" };

async function use(
	files: Record<string, string>,
	work: (nav: Navigator) => Promise<void>,
): Promise<void> {
	const nav = await open(memoryHost(files, { head: HEAD }));
	try {
		await work(nav);
	} finally {
		nav.close();
	}
}

test("a repository in Python loads one grammar, once for all navigators", async () => {
	for (const _ of [1, 2]) {
		await use(PYTHON, async (nav) => {
			assert.equal((await nav.whereUsed("price_of")).items.length, 2);
			assert.equal((await nav.locate("price_of")).items.length, 1);
		});
	}
	assert.deepEqual(read, ["tree-sitter-python.wasm.gz"]);
});

test("a query that parses nothing loads no grammar", () =>
	use({ ...PYTHON, ...GO }, async (nav) => {
		assert.equal((await nav.files()).total, 3);
		assert.equal((await nav.search("is nowhere")).total, 0);
		assert.deepEqual(read, []);
		await nav.outline("main.go");
		assert.deepEqual(read, ["tree-sitter-go.wasm.gz"]);
	}));

test("an index answers without grammars", async (t) => {
	const folder = await indexedRepo(t, PYTHON);
	await init(null, { grammars });
	read.length = 0;
	const nav = await open(nodeHost(folder));
	const { items, meta } = await nav.whereUsed("price_of");
	nav.close();
	assert.deepEqual([items.length, meta.status], [2, "OK"]);
	assert.deepEqual(read, []);
});

test("concurrent queries share one load", () =>
	use({ ...PYTHON, ...GO }, async (nav) => {
		await Promise.all([
			nav.outline("shop.py"),
			nav.outline("cart.py"),
			nav.outline("main.go"),
		]);
		assert.deepEqual(read.toSorted(), [
			"tree-sitter-go.wasm.gz",
			"tree-sitter-python.wasm.gz",
		]);
	}));

test("without a grammar, text is found and the answer names language and file", () =>
	use({ ...PYTHON, ...GO }, async (nav) => {
		const missing = new Error("tree-sitter-go.wasm.gz was left out");
		replaced.set("tree-sitter-go.wasm.gz", missing);
		const { items, meta } = await nav.search("price_of");
		assert.equal(items.length, 4);
		assert.match(
			meta.message ?? "",
			/main\.go .*grammar of go .*tree-sitter-go\.wasm/,
		);
		const used = await nav.whereUsed("price_of");
		assert.match(used.meta.message ?? "", /main\.go/);
		const outline = await nav.outline("main.go");
		assert.equal(outline.meta.error_code, "LANGUAGE_UNAVAILABLE");
		assert.match(outline.meta.message ?? "", /tree-sitter-go\.wasm/);
		assert.equal((await nav.outline("shop.py")).items.length, 1);
		replaced.clear();
		assert.equal((await nav.outline("main.go")).items.length, 1);
	}));

test("an index that was built without a grammar is completed with it", () =>
	use({ ...PYTHON, ...GO }, async (nav) => {
		replaced.set("tree-sitter-go.wasm.gz", new Error("it was left out"));
		const built = await nav.buildGraph();
		assert.match(built.meta.message ?? "", /main\.go .*grammar of go/);
		replaced.clear();
		const { items } = await nav.locate("main.run");
		assert.deepEqual(
			items.map(({ file, source }) => [file, source]),
			[["main.go", "LOCAL_FALLBACK"]],
		);
		const { counts } = await nav.buildGraph();
		assert.deepEqual([counts.changed, counts.unchanged], [1, 2]);
		const [row] = (await nav.locate("main.run")).items;
		assert.equal(row?.source, "RAG_GRAPH");
	}));

/** Returns a grammar of Go that states this ABI version. */
function grammarWithAbi(version: number): Uint8Array<ArrayBuffer> {
	const module = binaryen.parseText(`(module
		(import "env" "memory" (memory 1))
		(import "env" "__memory_base" (global $base i32))
		(data (global.get $base) "\\${version.toString(16)}\\00\\00\\00")
		(func (export "tree_sitter_go") (result i32) (global.get $base)))`);
	const bytes = module.emitBinary();
	const name = [...new TextEncoder().encode("dylink.0")];
	const content = [name.length, ...name, 1, 4, 8, 2, 0, 0];
	return new Uint8Array([...bytes, 0, content.length, ...content]);
}

for (const [title, bytes, reason] of [
	["of another ABI version", grammarWithAbi(99), /ABI version 99/],
	["that is damaged", new Uint8Array([0, 97, 115, 109, 9]), /damaged|wasm/i],
	[
		"that is another module",
		readFileSync(join(LANGUAGES, "..", "core.wasm")),
		/dylink/,
	],
	[
		"of another language",
		gunzipSync(readFileSync(join(LANGUAGES, "tree-sitter-c.wasm.gz"))),
		/does not export tree_sitter_go/,
	],
] as const) {
	test(`a grammar ${title} is refused with its reason`, () =>
		use(GO, async (nav) => {
			replaced.set("tree-sitter-go.wasm.gz", new Uint8Array(bytes));
			const { meta } = await nav.outline("main.go");
			assert.equal(meta.error_code, "LANGUAGE_UNAVAILABLE");
			assert.match(meta.message ?? "", reason);
			assert.match(meta.message ?? "", /tree-sitter-go\.wasm/);
		}));
}

test("a pure function without synchronous reads says how to load its grammar", async () => {
	assert.throws(
		() => locateSymbol("def f(): pass\n", "f"),
		(error) =>
			error instanceof RagnavError &&
			error.code === "LANGUAGE_UNAVAILABLE" &&
			error.message.includes('languages: ["python"]'),
	);
	await init(null, { languages: ["python"] });
	assert.equal(locateSymbol("def f(): pass\n", "f")?.start_line, 1);
});

test("workers build the same index, with a missing grammar too", async () => {
	replaced.set("tree-sitter-go.wasm.gz", new Error("it was left out"));
	const sources = Object.fromEntries(
		Array.from({ length: 80 }, (_, at) => [
			at % 2 === 0 ? `m${at}.py` : `m${at}.go`,
			at % 2 === 0 ? `def f${at}(): pass\n` : `func f${at}() {}\n`,
		]),
	);
	const indexes = [];
	for (const workers of [0, 2]) {
		const now = () => "2026-01-01T00:00:00.000Z";
		const host = memoryHost(sources, { head: HEAD, now });
		const stat = host.stat.bind(host);
		host.stat = (paths) =>
			stat(paths).map((found) => ({ ...found, stamp: "same" }));
		const nav = await open(host, { workers });
		const { meta } = await nav.buildGraph();
		assert.match(meta.message ?? "", /40 files .*grammar of go/);
		nav.close();
		indexes.push(host.files.get(".llmc/rag/facts.bin"));
	}
	assert.ok(indexes[0] !== undefined);
	assert.deepEqual(indexes[0], indexes[1]);
});
