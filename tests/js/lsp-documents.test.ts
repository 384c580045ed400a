// What the language server says of a document, and how its answers follow unsaved text.
import assert from "node:assert/strict";
import { test } from "node:test";
import type {
	CodeLens,
	DocumentHighlight,
	DocumentSymbol,
	FoldingRange,
	Hover,
	Location,
	MarkupContent,
	SelectionRange,
	SymbolInformation,
} from "vscode-languageserver-protocol";
import { at, Client, FILES, shown, span, uri } from "./lsp-client.js";

const PRICES = "shop/prices.py";
const CART = "shop/cart.py";

test("the symbols of a document are a tree of definitions", async (t) => {
	const client = await Client.start(t);
	const symbols: DocumentSymbol[] = await client.ask(
		"textDocument/documentSymbol",
		{ textDocument: { uri: uri(PRICES) } },
	);
	const shownSymbols = symbols.map(
		({ name, range, selectionRange, children = [] }) => [
			name,
			span(range),
			span(selectionRange),
			...children.map((child) => `${child.name} ${span(child.selectionRange)}`),
		],
	);
	assert.deepEqual(shownSymbols, [
		["Tariff", "4:1-12:17", "4:7-13", "price 7:9-14"],
		["Sale", "15:1-17:42", "15:7-11", "price 16:9-14"],
		["Clearance", "20:1-22:17", "20:7-16", "price 21:9-14"],
		["price_of", "25:1-27:33", "25:5-13"],
	]);
});

test("a client without trees gets a list of symbols", async (t) => {
	const client = await Client.start(t, { initialize: { capabilities: {} } });
	const symbols: SymbolInformation[] = await client.ask(
		"textDocument/documentSymbol",
		{ textDocument: { uri: uri("shapes.ts") } },
	);
	assert.deepEqual(
		symbols.map(({ name, containerName }) => `${containerName} ${name}`),
		["shapes add", "shapes Shape", "shapes.Shape area", "shapes Square"].concat(
			"shapes.Square area",
		),
	);
});

test("a symbol is highlighted where it is defined and used in its document", async (t) => {
	const client = await Client.start(t);
	const found: DocumentHighlight[] = await client.ask(
		"textDocument/documentHighlight",
		at(CART, "price_of(line)"),
	);
	assert.deepEqual(
		found.map(({ range, kind }) => [span(range), kind]),
		[
			["1:33-41", 1],
			["7:20-28", 1],
			["10:7-15", 1],
		],
	);
	const defined: DocumentHighlight[] = await client.ask(
		"textDocument/documentHighlight",
		at(PRICES, "price(self"),
	);
	assert.deepEqual(
		defined.map(({ range, kind }) => [span(range), kind]),
		[
			["7:9-14", 3],
			["17:24-29", 1],
		],
	);
});

test("a file in no known language has no definitions, and that is no error", async (t) => {
	const client = await Client.start(t, {
		files: { "notes.txt": "some\ntext\n" },
	});
	const textDocument = { uri: uri("notes.txt") };
	for (const method of ["documentSymbol", "foldingRange", "codeLens"]) {
		const params = { textDocument };
		assert.deepEqual(await client.ask(`textDocument/${method}`, params), []);
	}
	const position = { line: 0, character: 1 };
	const hover = { textDocument, position };
	assert.equal(await client.ask("textDocument/hover", hover), null);
	const [selection]: SelectionRange[] = await client.ask(
		"textDocument/selectionRange",
		{ textDocument, positions: [position] },
	);
	assert.equal(selection && span(selection.range), "1:1-5");
});

test("definitions fold from their name to their end", async (t) => {
	const client = await Client.start(t);
	const folds: FoldingRange[] = await client.ask("textDocument/foldingRange", {
		textDocument: { uri: uri(CART) },
	});
	assert.deepEqual(folds, [
		{ startLine: 3, endLine: 6 },
		{ startLine: 4, endLine: 6 },
	]);
});

test("a selection grows from the name to the document", async (t) => {
	const client = await Client.start(t);
	const { textDocument, position } = at(CART, "price_of(line)");
	const [selection]: SelectionRange[] = await client.ask(
		"textDocument/selectionRange",
		{ textDocument, positions: [position] },
	);
	const spans: string[] = [];
	for (let one = selection; one !== undefined; one = one.parent) {
		spans.push(span(one.range));
	}
	assert.deepEqual(spans, [
		"7:20-28",
		"7:9-76",
		"5:1-7:76",
		"4:1-7:76",
		"1:1-11:1",
	]);
});

test("definitions count their references for clients that choose it", async (t) => {
	const plain = await Client.start(t);
	assert.equal(plain.initialized.capabilities.codeLensProvider, undefined);
	const initializationOptions = { codeLens: true };
	const client = await Client.start(t, {
		initialize: { initializationOptions },
	});
	assert.ok(client.initialized.capabilities.codeLensProvider?.resolveProvider);
	const lenses: CodeLens[] = await client.ask("textDocument/codeLens", {
		textDocument: { uri: uri(PRICES) },
	});
	const resolved = lenses.map((lens) =>
		client.ask<CodeLens>("codeLens/resolve", lens),
	);
	assert.deepEqual(
		(await Promise.all(resolved)).map(({ range, command }) => [
			span(range),
			command?.title,
		]),
		[
			["4:7-13", "3 references"],
			[
				"7:9-14",
				"2 references, complete but for 1 reference by name alone (shop/other.py)",
			],
			["15:7-11", "2 references"],
			[
				"16:9-14",
				"1 reference, complete but for 2 references by name alone (shop/cart.py, …)",
			],
			["20:7-16", "0 references"],
			[
				"21:9-14",
				"0 references, complete but for 3 references by name alone (shop/cart.py, …)",
			],
			["25:5-13", "3 references"],
		],
	);
});

test("answers follow an unsaved edit, and return to the file when it is closed", async (t) => {
	const client = await Client.start(t);
	const use = at(CART, "price_of(line)");
	const context = { includeDeclaration: true };
	const references = async () => {
		const params = { ...use, context };
		const method = "textDocument/references";
		const found: Location[] = await client.ask(method, params);
		return found.map(shown);
	};
	const saved = await references();
	assert.equal(saved[0], "shop/prices.py:25:5-13");
	await client.open(PRICES, FILES[PRICES] ?? "");
	assert.deepEqual(await references(), saved);
	await client.insert(PRICES, { line: 0, character: 0 }, "# new\n# lines\n");
	assert.equal((await references())[0], "shop/prices.py:27:5-13");
	await client.open(CART, FILES[CART] ?? "");
	const end = { line: 10, character: 0 };
	await client.insert(CART, end, "é = 1; price_of(2)\n");
	assert.equal((await references()).at(-1), "shop/cart.py:11:8-16");
	for (const path of [PRICES, CART]) {
		const textDocument = { uri: uri(path) };
		await client.tell("textDocument/didClose", { textDocument });
	}
	assert.deepEqual(await references(), saved);
});

test("columns count UTF-16 units", async (t) => {
	const text = "def f(): ...\n\nx = '𝄞'; f()\n";
	const client = await Client.start(t, { files: { "a.py": text } });
	const found: Location[] = await client.ask("textDocument/definition", {
		textDocument: { uri: uri("a.py") },
		position: { line: 2, character: 10 },
	});
	assert.equal(found.length, 1);
	const [use]: Location[] = await client.ask("textDocument/references", {
		textDocument: { uri: uri("a.py") },
		position: { line: 0, character: 4 },
		context: { includeDeclaration: false },
	});
	assert.equal(use && shown(use), "a.py:3:11-12");
});

test("a document that is not saved yet is a part of the workspace", async (t) => {
	const client = await Client.start(t);
	await client.open(
		"new.py",
		"from shop.prices import price_of\nprice_of(3)\n",
	);
	const hover: Hover = await client.ask("textDocument/hover", {
		textDocument: { uri: uri("new.py") },
		position: { line: 1, character: 3 },
	});
	const { value } = hover.contents as MarkupContent;
	assert.match(value, /def price_of\(article\):/);
	assert.match(value, /\(5 files\)/);
});
