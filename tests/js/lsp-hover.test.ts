// What the language server shows of a name: its signature, its documentation and the freshness.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Hover, MarkupContent } from "vscode-languageserver-protocol";
import { at, Client, uri } from "./lsp-client.js";

test("a hover shows the signature, the documentation and the freshness", async (t) => {
	const client = await Client.start(t);
	const hover = async (path: string, text: string) => {
		const place = at(path, text);
		const found: Hover = await client.ask("textDocument/hover", place);
		return (found.contents as MarkupContent).value;
	};
	assert.equal(
		await hover("shop/cart.py", "price(1)"),
		[
			"```py",
			"def price(self, article):",
			"```",
			"",
			"Returns the price of an article.",
			"",
			"In cents.",
			"",
			"_No index yet; read live (4 files)_",
		].join("\n"),
	);
	assert.equal(
		await hover("shapes.ts", "add(2"),
		[
			"```ts",
			"export function add(",
			"	a: number,",
			"	b: number,",
			"): number",
			"```",
			"",
			"Adds two numbers.",
			"",
			"_No index yet; read live (4 files)_",
		].join("\n"),
	);
});

test("signatures and documentation are found in every style", async (t) => {
	const styles: [
		path: string,
		text: string,
		name: string,
		code: string,
		doc: string,
	][] = [
		[
			"a.cpp",
			"// Adds.\nint\nadd(int a,\n  int b)\n{\n  return a + b;\n}\n",
			"add",
			"int\nadd(int a,\n  int b)",
			"Adds.",
		],
		[
			"b.go",
			"package b\n\n// T is.\ntype T struct{ x int }\n",
			"T struct",
			"type T struct{ x int }",
			"T is.",
		],
		[
			"C.java",
			"/**\n * A cart.\n */\n@Deprecated\nclass C {\n}\n",
			"C {",
			"class C",
			"A cart.",
		],
		[
			"d.rs",
			"/// Is.\n#[derive(Debug)]\npub struct D(u8);\n",
			"D(u8)",
			"pub struct D(u8);",
			"Is.",
		],
		["e.rb", "# Due?\ndef due?\n  true\nend\n", "due?\n", "def due?", "Due?"],
		[
			"f.ex",
			'defmodule M do\n  @doc """\n  Says.\n  """\n  def hi(a) do\n    a\n  end\nend\n',
			"hi(",
			"def hi(a) do",
			"Says.",
		],
		[
			"g.py",
			"def q(a=1,  # (\n      b=2):\n    '''One.\n\n    Two.\n    '''\n",
			"q(",
			"def q(a=1,  # (\n      b=2):",
			"One.\n\nTwo.",
		],
		[
			"h.lua",
			"--- Greets.\n-- Now.\nfunction greet() end\n",
			"greet",
			"function greet() end",
			"Greets.\nNow.",
		],
		[
			"i.js",
			"let x = 1;\n\n// unrelated\n\nfunction i() {}\n",
			"i()",
			"function i() {}",
			"",
		],
	];
	const files = Object.fromEntries(styles.map(([path, text]) => [path, text]));
	const capabilities = {
		textDocument: { hover: { contentFormat: ["plaintext" as const] } },
	};
	const client = await Client.start(t, { files, initialize: { capabilities } });
	for (const [path, text, name, code, documentation] of styles) {
		const before = text.slice(0, text.indexOf(name)).split("\n");
		const hover: Hover = await client.ask("textDocument/hover", {
			textDocument: { uri: uri(path) },
			position: {
				line: before.length - 1,
				character: before.at(-1)?.length ?? 0,
			},
		});
		const { value } = hover.contents as MarkupContent;
		const parts = [code, documentation].filter((part) => part !== "");
		const freshness = "No index yet; read live (9 files)";
		assert.equal(value, [...parts, freshness].join("\n\n"), path);
	}
});

test("a hover is plain text for a client that knows no Markdown", async (t) => {
	const capabilities = {
		textDocument: { hover: { contentFormat: ["plaintext" as const] } },
	};
	const client = await Client.start(t, { initialize: { capabilities } });
	const place = at("shapes.ts", "add(2");
	const { contents }: Hover = await client.ask("textDocument/hover", place);
	const { kind, value } = contents as MarkupContent;
	assert.equal(kind, "plaintext");
	assert.match(value, /^export function add\(/);
	assert.match(value, /\n\nNo index yet; read live \(4 files\)$/);
});

test("a hover says when only the name fits", async (t) => {
	const client = await Client.start(t);
	const place = at("shop/other.py", "price(2)");
	const found: Hover = await client.ask("textDocument/hover", place);
	assert.match((found.contents as MarkupContent).value, /cannot be proven/);
});
