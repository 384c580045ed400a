// The queries over live files.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import {
	iterMatches,
	makeSnippet,
	open,
	RagnavError,
	type SearchOptions,
	type SearchResult,
} from "#ragnav";
import { memoryHost } from "#ragnav/hosts/memory";
import { nodeHost } from "#ragnav/hosts/node";
import { assertHolds, cases, title } from "./cases.js";

interface SearchCase {
	row: string;
	name: string;
	files: Record<string, string>;
	query: string;
	options: SearchOptions;
	expect: object;
}

type Ask = (query: string, options?: SearchOptions) => Promise<SearchResult>;

async function inMemory<T>(
	files: Record<string, string>,
	ask: (search: Ask) => Promise<T>,
): Promise<T> {
	const nav = await open(memoryHost(new Map(Object.entries(files))));
	try {
		return await ask((query, options) => nav.search(query, options));
	} finally {
		nav.close();
	}
}

async function onDisk<T>(
	files: Record<string, string>,
	ask: (search: Ask) => Promise<T>,
): Promise<T> {
	const root = mkdtempSync(join(tmpdir(), "ragnav-tools-"));
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(join(root, dirname(path)), { recursive: true });
		writeFileSync(join(root, path), text);
	}
	const nav = await open(nodeHost(root));
	try {
		return await ask((query, options) => nav.search(query, options));
	} finally {
		nav.close();
		rmSync(root, { recursive: true });
	}
}

for (const case_ of cases<SearchCase>("search.json")) {
	test(`search: ${title(case_)}`, async () => {
		const ask = (search: Ask) => search(case_.query, case_.options);
		const memory = await inMemory(case_.files, ask);
		assertHolds(memory, case_.expect);
		const disk = await onDisk(case_.files, ask);
		assert.deepEqual({ ...disk, meta: null }, { ...memory, meta: null });
	});
}

test("the default limit of search is 20, and truncation is exact", async () => {
	for (const [lines, rows, truncated] of [
		[20, 20, false],
		[21, 20, true],
	] as const) {
		const result = await inMemory({ "a.txt": "x\n".repeat(lines) }, (search) =>
			search("x"),
		);
		assertHolds(result, { truncated, total: lines });
		assert.equal(result.items.length, rows);
	}
});

test("pages together have every row, and a change in between is reported", async () => {
	const host = memoryHost({ "a.txt": "x\n".repeat(5) });
	const nav = await open(host);
	const lines: number[] = [];
	let cursor: string | null = null;
	do {
		const page: SearchResult = await nav.search("x", { limit: 2, cursor });
		lines.push(...page.items.map((item) => item.line));
		cursor = page.cursor;
	} while (cursor !== null);
	assert.deepEqual(lines, [1, 2, 3, 4, 5]);

	const { cursor: old } = await nav.search("x", { limit: 2 });
	host.files.set("b.txt", new TextEncoder().encode("x"));
	assert.equal(
		(await nav.search("x", { limit: 2, cursor: old })).meta.error_code,
		"STALE_CURSOR",
	);
	nav.close();
});

test("binary files are skipped and reported", async () => {
	const host = memoryHost({ "a.txt": "needle", "b.bin": "needle\0" });
	host.files.set("c.txt", Buffer.from("needle \xe9", "latin1"));
	const nav = await open(host, { max_file_bytes: 100 });
	host.files.set("d.txt", new Uint8Array(101));
	const result = await nav.search("needle");
	assertHolds(result, {
		items: [{ file: "a.txt" }, { file: "c.txt", encoding: "unknown-8bit" }],
		skipped: [
			{ file: "b.bin", reason: "binary" },
			{ file: "d.txt", reason: "too_large" },
		],
		meta: { files: { live: 2, skipped: 2 } },
	});
	nav.close();
});

test("invalid queries are ERROR envelopes, and never throw", async () => {
	const nav = await open(memoryHost({ "a.py": "x", "a.cobol": "x" }));
	const queries: [unknown, unknown][] = [
		["", {}],
		["a\nb", {}],
		[7, {}],
		[null, {}],
		["x", { limit: 0 }],
		["x", { limit: "many" }],
		["x", { mode: "fuzzy" }],
		["x", { include: "*.py" }],
		["x", { cursor: "nonsense" }],
		["(", { mode: "regex" }],
		["x", 7],
	];
	for (const [query, options] of queries) {
		const result = await nav.search(query as string, options as SearchOptions);
		assertHolds(result, {
			meta: { status: "ERROR", source: "NONE", error_code: "INVALID_ARGUMENT" },
			items: [],
			source: "NONE",
			truncated: false,
		});
		assert.ok(result.meta.message, JSON.stringify([query, options]));
	}
	for (const [file, line, code] of [
		["a.py", 0, "INVALID_ARGUMENT"],
		["../a.py", 1, "INVALID_ARGUMENT"],
		["a.cobol", 1, "LANGUAGE_UNAVAILABLE"],
		["gone.py", 1, "FILE_UNREADABLE"],
		[null, 1, "INVALID_ARGUMENT"],
	] as const) {
		assert.equal(
			(await nav.identify(file as string, line)).meta.error_code,
			code,
		);
	}
	assert.equal((await nav.locate("")).meta.error_code, "INVALID_ARGUMENT");
	nav.close();
});

test("a glob that is not a list is refused with a message", async () => {
	const nav = await open(memoryHost({}));
	const { meta } = await nav.search("x", {
		include: "*.py" as unknown as string[],
	});
	assert.match(meta.message ?? "", /expected a list of globs/);
	assert.equal(
		(await nav.search("x", { include: null, exclude: undefined })).meta.status,
		"FALLBACK",
	);
	nav.close();
});

test("identify and locate answer for the current text", async () => {
	const host = memoryHost({
		"src/a.py": "class A:\n    def b(self):\n        pass\n",
	});
	const nav = await open(host);
	const before = await nav.identify("src/a.py", 3);
	assertHolds(before.items, [
		{
			symbol: "sym:src.a.A.b",
			kind: "method",
			start_line: 2,
			end_line: 3,
			ordinal: 0,
			proof: "live",
		},
		{ symbol: "sym:src.a.A", kind: "class", start_line: 1, end_line: 3 },
	]);
	host.files.set(
		"src/a.py",
		new TextEncoder().encode("\n\nclass A:\n    def b(self):\n        pass\n"),
	);
	assertHolds(await nav.locate("A.b"), {
		meta: {
			status: "FALLBACK",
			source: "LOCAL_FALLBACK",
			freshness_state: "UNKNOWN",
		},
		items: [
			{
				file: "src/a.py",
				start_line: 4,
				end_line: 5,
				freshness_state: "FRESH",
			},
		],
	});
	assertHolds(await nav.locate("nothing"), {
		meta: { status: "FALLBACK" },
		items: [],
	});
	nav.close();
});

test("iterMatches returns each line once, with UTF-16 columns", () => {
	assert.deepEqual(iterMatches("😀 x x\r\ny\rX", "x"), [
		{ line: 1, start_utf16: 3, end_utf16: 4, text: "😀 x x" },
	]);
	assert.equal(iterMatches("x\rX", "x", { case_sensitive: false }).length, 2);
	assert.equal(iterMatches("ab\ncd", "^.b$", { mode: "regex" })[0]?.line, 1);
	assert.throws(() => iterMatches("x", ""), RagnavError);
	const mode = "ranked" as "literal";
	assert.throws(() => iterMatches("x", "x", { mode }), {
		code: "INVALID_ARGUMENT",
	});
});

test("makeSnippet returns two lines on each side", () => {
	const text = "1\n2\n3\n4\n5\n6";
	assert.deepEqual(makeSnippet(text, 3, "a.txt"), {
		text: "1\n2\n3\n4\n5",
		location: { path: "a.txt", start_line: 1, end_line: 5 },
	});
	for (const line of [0, 7, 1.5]) {
		assert.throws(() => makeSnippet(text, line), RagnavError);
	}
});

test("unsaved buffers replace their files, in each version", async () => {
	let text = "def g(): needle";
	let version = 1;
	const host = {
		...memoryHost({}),
		gitHead: () => null,
		readDirs: () => [[{ name: "a.py", kind: "file" as const }]],
		readMany: (paths: string[]) =>
			paths.map(() => ({ error: "missing" as const })),
		overlay: () => [{ path: "a.py", version, text }],
	};
	const nav = await open(host);
	assertHolds(await nav.search("needle"), {
		items: [{ line: 1, symbol: "sym:a.g", proof: "overlay" }],
	});
	[text, version] = ["\n\nneedle", 2];
	assertHolds(await nav.search("needle"), {
		items: [{ line: 3, symbol: null, proof: "overlay" }],
	});
	host.overlay = () => {
		throw new Error("editor gone");
	};
	assertHolds((await nav.search("needle")).meta, {
		status: "ERROR",
		error_code: "HOST_FAILED",
	});
	nav.close();
});

test("rows have the enrichment of their current symbol", async () => {
	const entity = {
		id: "sym:a.foo",
		file_path: "a.py",
		start_line: 1,
		metadata: { summary: "Known." },
	};
	const files = { "a.py": "\n\ndef foo():\n    needle\n\nneedle\n" };
	const host = memoryHost({
		...files,
		".llmc/rag_graph.json": JSON.stringify({ entities: [entity] }),
	});
	const nav = await open(host);
	const expected = {
		items: [
			{ enrichment: { summary: "Known.", usage_guide: null, match: "moved" } },
			{ enrichment: null },
		],
	};
	assertHolds(await nav.search("needle"), expected);
	assertHolds(await nav.search("needle"), expected);
	host.files.set(".llmc/rag_graph.json", new TextEncoder().encode("garbage"));
	const { meta, items } = await nav.search("needle");
	assert.match(meta.message ?? "", /no enrichment/);
	assert.equal(items[0]?.enrichment, null);
	nav.close();
});

test("search, whereUsed and lineage find the use of a definition in another module", async () => {
	const nav = await open(
		memoryHost({
			"module_a.py": "def target_symbol():\n    return 1\n",
			"module_b.py":
				"from module_a import target_symbol\n\ndef use():\n    return target_symbol()\n",
		}),
	);
	const files = (items: { file: string }[]) =>
		new Set(items.map(({ file }) => file));
	assert.ok(
		files((await nav.search("target_symbol")).items).has("module_b.py"),
	);
	const used = await nav.whereUsed("target_symbol");
	assert.deepEqual(
		used.items.map(({ file, line, kind, resolution, symbol }) => [
			file,
			line,
			kind,
			resolution,
			symbol,
		]),
		[
			["module_b.py", 1, "import", "resolved", null],
			["module_b.py", 4, "call", "resolved", "sym:module_b.use"],
		],
	);
	assert.equal(used.definitions[0]?.symbol, "sym:module_a.target_symbol");
	const upstream = await nav.lineage("target_symbol", " Upstream");
	assert.deepEqual(
		[
			upstream.direction,
			upstream.items.map(({ edge, depth, via }) => [edge, depth, via]),
		],
		[
			"upstream",
			[
				["imports", 1, []],
				["calls", 1, ["sym:module_b.use"]],
			],
		],
	);
	const downstream = await nav.lineage("use", "callees");
	assert.deepEqual(
		downstream.items.map(({ via, symbol }) => [via, symbol]),
		[[["sym:module_a.target_symbol"], "sym:module_b.use"]],
	);
	for (const refused of [
		await nav.whereUsed(""),
		await nav.whereUsed("a", { limit: 0 }),
		await nav.whereUsed(7 as unknown as string),
		await nav.lineage("a", "sideways"),
		await nav.lineage("a", "upstream", { depth: 0 }),
	]) {
		assert.equal(refused.meta.error_code, "INVALID_ARGUMENT");
	}
	nav.close();
});
