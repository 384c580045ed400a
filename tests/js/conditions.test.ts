// The conditions of rows that only some builds compile, as people and models see them.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import type {
	DocumentSymbol,
	Hover,
	MarkupContent,
} from "vscode-languageserver-protocol";
import { open } from "#ragnav";
import { memoryHost } from "#ragnav/hosts/memory";
import { createFolder } from "./consumer.js";
import { git, put, repository, temporaryFolder } from "./hosts/helpers.js";
import { Client, uri } from "./lsp-client.js";
import { Session } from "./mcp-client.js";
import { printedRows } from "./printed-rows.js";

const FILES = {
	"file.c":
		"#ifdef _WIN32\nint open_it(void) { return 1; }\n#else\nint open_it(void) { return 2; }\n#endif\n" +
		"int main(void) {\n#if TRACE\n  return open_it();\n#endif\n  return 0;\n}\n",
	"net/dial_linux.go": "package net\n\nfunc Dial() {}\n",
	"src/lib.rs": '#[cfg(feature = "net")]\nmod net;\n',
	"src/net.rs": "#[cfg(unix)]\npub fn connect() {}\n",
};

const repo = createFolder();
for (const [file, text] of Object.entries(FILES)) {
	mkdirSync(dirname(join(repo, file)), { recursive: true });
	writeFileSync(join(repo, file), text);
}

const printed = (...args: string[]) => printedRows(repo, args);

test("commands print the condition of a row", () => {
	assert.match(
		printed("locate", "open_it"),
		/file\.c:2 .* \[if defined\(_WIN32\)\]\n.*file\.c:4 .* \[if !defined\(_WIN32\)\]$/,
	);
	assert.match(printed("outline", "net/dial_linux.go"), / {2}\[if linux\]$/);
	assert.match(
		printed("search", "return"),
		/:8:3: .*\(in .*main\) {2}\[if TRACE\]/,
	);
	assert.match(
		printed("where-used", "open_it"),
		/\(call in .*\) {2}\[if TRACE\]$/,
	);
	assert.match(printed("lineage", "open_it"), / called by .* {2}\[if TRACE\]$/);
	assert.match(
		printed("occurrences", "src/net.rs"),
		/connect {2}\[if feature = "net" && unix\]$/,
	);
	assert.ok(!printed("locate", "main").includes("[if"));
});

/** Returns a repository in which a function was moved to another branch of an `#if`. */
function edited(t: TestContext): string {
	const root = repository(temporaryFolder(t));
	const body = "\treturn 1;\n}\n";
	put(join(root, "a.c"), `#if A\nint open_it(void) {\n${body}#endif\n`);
	git(root, "add", "--all");
	git(root, "commit", "--quiet", "--message", "a");
	put(join(root, "a.c"), `#if B\nint open_it(int a) {\n${body}#endif\n`);
	return root;
}

test("commands print the condition of a change in its state", (t) => {
	const root = edited(t);
	const impact = printedRows(root, ["impact"]);
	assert.match(impact, /signature {2}function .*a\.c:2 {2}\[if B\]$/);
	const traced = printedRows(root, ["trace", "a.c:2", "HEAD"]);
	assert.match(traced, /a\.c:2 {2}\[if B\]$/);
	const back = printedRows(root, ["trace", "a.c:2", "HEAD", "--reverse"]);
	assert.match(back, /a\.c:2 {2}\[if A\]$/);
});

test("models read the condition of a change", async (t) => {
	const session = await Session.start(t, ["--repo", edited(t)]);
	await session.call("rag_impact", {});
	assert.match(session.text, /open_it {2}a\.c:2 {2}\[if B\]/);
	await session.call("rag_trace", { file: "a.c", line: 2, commit: "HEAD" });
	assert.match(session.text, /open_it {2}\[if A\] {2}-> .*\[if B\]/);
});

test("models read the condition of a row", async (t) => {
	const session = await Session.start(t, ["--repo", repo]);
	const texts = [];
	for (const [name, args] of [
		["rag_locate", { symbol: "connect" }],
		["rag_where_used", { symbol: "open_it" }],
		["rag_outline", { file: "file.c" }],
	] as const) {
		await session.call(name, args);
		texts.push(session.text);
	}
	const [located, used, outline] = texts;
	assert.match(located ?? "", /connect {2}\[if feature = "net" && unix\]\n/);
	assert.match(
		used ?? "",
		/8:10 {2}call {2}in .*main {2}\[if TRACE\] {2}return/,
	);
	assert.match(
		outline ?? "",
		/4-4 {2}function {2}open_it {2}\[if !defined\(_WIN32\)\]/,
	);
});

test("the language server says the condition in hovers and outlines", async (t) => {
	const files = { "file.c": FILES["file.c"] };
	const client = await Client.start(t, { files });
	const textDocument = { uri: uri("file.c") };
	const hover: Hover = await client.ask("textDocument/hover", {
		textDocument,
		position: { line: 7, character: 9 },
	});
	const { value } = hover.contents as MarkupContent;
	assert.ok(value.includes("\\[if defined(\\_WIN32)\\]"), value);
	const symbols: DocumentSymbol[] = await client.ask(
		"textDocument/documentSymbol",
		{ textDocument },
	);
	assert.deepEqual(
		symbols.map(({ detail }) => detail),
		["[if defined(_WIN32)]", "[if !defined(_WIN32)]", ""],
	);
});

test("a row that is always compiled has no condition", async () => {
	const nav = await open(memoryHost(FILES));
	const main = (await nav.locate("main")).items[0];
	assert.ok(main !== undefined && !("condition" in main));
	const [first] = (await nav.locate("open_it")).items;
	assert.equal(first?.condition, "defined(_WIN32)");
	nav.close();
});
