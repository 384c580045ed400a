// The core answers the same natively and as WebAssembly: over this very checkout, and over files made to be awkward.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Navigator, open, type SearchOptions } from "#ragnav";
import { nodeHost } from "#ragnav/hosts/node";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));

type Question =
	| { ask: "search"; query: string; options: SearchOptions }
	| { ask: "identify"; file: string; line: number }
	| { ask: "locate"; symbol: string }
	| { ask: "where_used"; symbol: string }
	| { ask: "lineage"; symbol: string; direction: string }
	| { ask: "build" }
	| { ask: "status" }
	| { ask: "route" };

/** The time of both hosts. */
const NOW = "2026-01-01T00:00:00.000Z";

/** The host without what the native host does not know: rules from outside the root. */
function hostOf(root: string, repo = root) {
	const { ignoreRules, ...host } = nodeHost(root);
	return { ...host, root: repo, now: () => NOW };
}

function askNatively(
	root: string,
	questions: Question[],
	repo = root,
): unknown[] {
	const git = hostOf(root).gitHead();
	const input = JSON.stringify({ root, repo, git, questions });
	const args = ["run", "--quiet", "--locked", "--example", "native_answers"];
	const output = execFileSync("cargo", args, {
		cwd: CHECKOUT,
		input,
		maxBuffer: 1 << 28,
	});
	return JSON.parse(output.toString());
}

function ask(nav: Navigator, question: Question): Promise<unknown> {
	switch (question.ask) {
		case "search":
			return nav.search(question.query, question.options);
		case "identify":
			return nav.identify(question.file, question.line);
		case "locate":
			return nav.locate(question.symbol);
		case "where_used":
			return nav.whereUsed(question.symbol);
		case "lineage":
			return nav.lineage(question.symbol, question.direction, { depth: 3 });
		case "build":
			return withoutDocuments(nav.buildGraph());
		case "status":
			return withoutMemory(nav.status());
		case "route":
			return nav.route();
	}
}

/** The native program builds the index alone. */
async function withoutDocuments(built: ReturnType<Navigator["buildGraph"]>) {
	const { documents, ...answer } = await built;
	assert.equal(documents, null);
	return answer;
}

/** How much memory an answer takes is no part of it. */
async function withoutMemory(status: ReturnType<Navigator["status"]>) {
	const { wasm_memory_bytes, ...answer } = await status;
	assert.ok(wasm_memory_bytes > 0);
	return answer;
}

async function compare(root: string, questions: Question[]): Promise<void> {
	const nav = await open(hostOf(root));
	const native = askNatively(root, questions);
	for (const [index, question] of questions.entries()) {
		const answer = await ask(nav, question);
		assert.deepEqual(answer, native[index], JSON.stringify(question));
	}
	nav.close();
}

test("over this checkout", async () => {
	const search = (query: string, options: SearchOptions = {}): Question => ({
		ask: "search",
		query,
		options: { limit: 500, ...options },
	});
	await compare(CHECKOUT, [
		search("ragnav"),
		search("é"),
		search("FN ", { case_sensitive: false }),
		search("^\\s*(pub )?fn \\w+", { mode: "regex", include: ["*.rs"] }),
		search("import", {
			include: ["js/", "tests/js"],
			exclude: ["*.json"],
			limit: 7,
		}),
		search("("),
		search("(", { mode: "regex" }),
		search("navItemScore", { mode: "ranked", include: ["*.rs", "*.ts"] }),
		search("what is a file proven by", { mode: "ranked", limit: 40 }),
		search("tree-sitter C++ é", { mode: "ranked" }),
		{ ask: "locate", symbol: "main" },
		{ ask: "locate", symbol: "a..b" },
		{ ask: "identify", file: "bench/ast_truth.py", line: 20 },
		{ ask: "identify", file: "Cargo.toml", line: 1 },
		{ ask: "route" },
	]);
});

const AWKWARD: Record<string, string | Uint8Array> = {
	"a.py":
		"class Ä:\r\n    @d\r\n    def b(self): return '😀 needle'\r\n\r\n# needle\r\n",
	"cr.py": "def f():\r    needle\r",
	"bom.py": "\ufeffdef needle(): pass\n",
	"long.txt": `${"é".repeat(3000)}needle${"x".repeat(3000)}\n`,
	"latin1.txt": Uint8Array.of(0x6e, 0xe9),
	"nul.bin": "needle\0",
	"broken.py": "def ok():\n    needle\n\ndef (:\n  needle needle\n",
	"new\nline.txt": "needle",
	"deep/er/__init__.py": "def needle():\n    def needle(): pass\n",
	"use.py":
		"from bom import needle as 針\nimport deep.er\ndef user():\n    é = '😀'; 針(); deep.er.needle()\n",
	".hidden/x": "needle",
	"node_modules/x.js": "needle",
};

const ABOUT_AWKWARD: Question[] = [
	{ ask: "search", query: "needle", options: {} },
	{
		ask: "search",
		query: "e\\w+e|é+n",
		options: { mode: "regex", case_sensitive: false },
	},
	{ ask: "search", query: "NEEDLE", options: { mode: "ranked" } },
	{ ask: "search", query: "😀 def né", options: { mode: "ranked" } },
	{ ask: "search", query: "deep.er.needle", options: { mode: "ranked" } },
	{ ask: "search", query: "針()", options: { mode: "ranked" } },
	{ ask: "search", query: " ", options: { mode: "ranked" } },
	{ ask: "locate", symbol: "needle" },
	{ ask: "locate", symbol: "NEEDLE.needle" },
	{ ask: "identify", file: "a.py", line: 3 },
	{ ask: "where_used", symbol: "bom.needle" },
	{ ask: "where_used", symbol: "broken.ok" },
	{ ask: "lineage", symbol: "needle", direction: "upstream" },
	{ ask: "lineage", symbol: "user", direction: "downstream" },
	{ ask: "lineage", symbol: "needle", direction: "sideways" },
	{ ask: "identify", file: "broken.py", line: 2 },
	{ ask: "identify", file: "latin1.txt", line: 1 },
	{ ask: "route" },
];

function folderOf(files: Record<string, string | Uint8Array>): string {
	const root = mkdtempSync(join(tmpdir(), "ragnav-native-"));
	for (const [path, bytes] of Object.entries(files)) {
		mkdirSync(join(root, dirname(path)), { recursive: true });
		writeFileSync(join(root, path), bytes);
	}
	return root;
}

test("over awkward files", async () => {
	const status = { ".llmc/rag/index_status.json": '{"index_state": "stale"}' };
	const root = folderOf({ ...AWKWARD, ...status });
	try {
		await compare(root, ABOUT_AWKWARD);
	} finally {
		rmSync(root, { recursive: true });
	}
});

test("over an index, built and then overtaken by edits", async () => {
	// Each builds an index of its own, over files of its own with the same contents.
	const [root, twin] = [folderOf(AWKWARD), folderOf(AWKWARD)];
	const questions: Question[] = [...ABOUT_AWKWARD, { ask: "status" }];
	const compareTwins = async (asked: Question[]) => {
		const nav = await open(hostOf(root));
		const native = askNatively(twin, asked, root);
		for (const [index, question] of asked.entries()) {
			const answer = await ask(nav, question);
			assert.deepEqual(answer, native[index], JSON.stringify(question));
		}
		nav.close();
	};
	try {
		await compareTwins([{ ask: "build" }, ...questions, { ask: "build" }]);
		for (const folder of [root, twin]) {
			writeFileSync(
				join(folder, "a.py"),
				"# needle\ndef needle():\n    pass\n",
			);
			writeFileSync(join(folder, "new.py"), "class needle: pass\n");
			rmSync(join(folder, "bom.py"));
		}
		await compareTwins(questions);
		await compareTwins([{ ask: "build" }, ...questions]);
	} finally {
		rmSync(root, { recursive: true });
		rmSync(twin, { recursive: true });
	}
});
