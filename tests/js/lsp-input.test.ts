// Wrong input of the language server, and failures of its hosts: errors, and never an end.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
	ErrorCodes,
	type LocationLink,
	LSPErrorCodes,
} from "vscode-languageserver-protocol/node";
import { memoryHost } from "#ragnav/hosts/memory";
import { serveLanguage } from "#ragnav/lsp";
import { assertFails, at, Client, FILES, FOLDER, uri } from "./lsp-client.js";

const CART = "shop/cart.py";
const { InvalidParams } = ErrorCodes;
const { RequestFailed } = LSPErrorCodes;

test("requests about documents outside of the workspace have no results", async (t) => {
	const client = await Client.start(t, {
		initialize: { initializationOptions: { codeLens: true } },
	});
	const lists = ["documentSymbol", "foldingRange", "codeLens"];
	const others = [
		"hover",
		"definition",
		"typeDefinition",
		"references",
		"implementation",
		"documentHighlight",
		"prepareCallHierarchy",
		"prepareTypeHierarchy",
		"selectionRange",
	];
	for (const uri of [
		"untitled:Untitled-1",
		"memory:///elsewhere/a.py",
		"file:///etc/passwd",
		`${FOLDER}/../../etc/passwd`,
	]) {
		const textDocument = { uri };
		await client.tell("textDocument/didOpen", {
			textDocument: { uri, languageId: "python", version: 1, text: "a = 1\n" },
		});
		const position = { line: 0, character: 0 };
		const params = { textDocument, position, positions: [position] };
		const ask = (method: string) =>
			client.ask(`textDocument/${method}`, { ...params, newName: "b" });
		for (const method of lists) assert.deepEqual(await ask(method), [], method);
		for (const method of others) assert.equal(await ask(method), null, method);
		for (const method of ["prepareRename", "rename"]) {
			await assertFails(
				ask(method),
				/no folder of the workspace/,
				InvalidParams,
			);
		}
		const candidates = { command: "ragnav.candidates", arguments: [params] };
		await assertFails(
			client.ask("workspace/executeCommand", candidates),
			/no folder of the workspace/,
		);
		await client.tell("textDocument/didChange", {
			textDocument: { uri, version: 2 },
			contentChanges: [{ text: "b = 2\n" }],
		});
		await client.tell("textDocument/didClose", { textDocument });
	}
});

test("documents without a usable URI and files that are missing are errors", async (t) => {
	const client = await Client.start(t);
	const wrong: [string, RegExp][] = [
		[`${FOLDER}/a%2Fb.py`, /not a usable URI/],
		[`${FOLDER}/%zz.py`, /not a usable URI/],
		["no uri", /not a usable URI/],
		["", /not a usable URI/],
		[uri("missing.py"), /missing\.py cannot be read/],
		[uri("shop"), /shop cannot be read/],
	];
	for (const [uri, message] of wrong) {
		const textDocument = { uri };
		const position = { line: 0, character: 0 };
		const params = { textDocument, position };
		await assertFails(client.ask("textDocument/hover", params), message);
		await client.tell("textDocument/didOpen", {
			textDocument: { uri, languageId: "x", version: 1, text: "text" },
		});
		await client.tell("textDocument/didClose", { textDocument });
	}
	const use = at(CART, "price_of(line)");
	assert.equal(
		(await client.ask<[]>("textDocument/definition", use)).length,
		1,
	);
});

test("positions outside of a document are errors, columns after a line are its end", async (t) => {
	const client = await Client.start(t);
	const textDocument = { uri: uri(CART) };
	for (const position of [
		{ line: 999, character: 0 },
		{ line: -1, character: 0 },
		{ line: 0, character: -1 },
		{ line: 0.5, character: 0 },
		{ line: "0", character: 0 },
		{},
	]) {
		const params = { textDocument, position };
		const request = client.ask("textDocument/definition", params);
		await assertFails(request, /no position in it/, InvalidParams);
	}
	const found: LocationLink[] = await client.ask("textDocument/definition", {
		textDocument,
		position: { line: 0, character: 999 },
	});
	assert.deepEqual(
		found.map(({ targetUri }) => targetUri),
		[uri("shop/prices.py")],
	);
});

test("malformed requests are errors, and the server goes on", async (t) => {
	const client = await Client.start(t);
	const malformed: [string, unknown][] = [
		["textDocument/definition", {}],
		["textDocument/definition", { textDocument: 1, position: 2 }],
		["textDocument/selectionRange", { textDocument: { uri: uri(CART) } }],
		["callHierarchy/incomingCalls", { item: { uri: uri(CART) } }],
		["callHierarchy/outgoingCalls", {}],
		["typeHierarchy/subtypes", { item: { uri: 1, data: {} } }],
		["codeLens/resolve", {}],
		["workspace/symbol", { query: 1 }],
		["workspace/executeCommand", { command: "rm" }],
		["workspace/executeCommand", { command: "ragnav.candidates" }],
		["textDocument/unknown", {}],
	];
	for (const [method, params] of malformed) {
		const request = client.ask(method, params as object);
		await assert.rejects(request, method);
	}
	await client.tell("textDocument/didChange", {
		textDocument: { uri: uri(CART), version: 9 },
		contentChanges: [{ text: "not open" }],
	});
	await client.tell("textDocument/didOpen", {});
	const textDocument = { uri: uri(CART), languageId: "x", version: 1 };
	await client.tell("textDocument/didOpen", { textDocument });
	await client.tell("$/cancelRequest", {});
	const use = at(CART, "price_of(line)");
	assert.equal(
		(await client.ask<[]>("textDocument/definition", use)).length,
		1,
	);
});

test("a transport that is none is refused", () => {
	const transport = { postMessage: () => undefined };
	const options = { openHost: () => memoryHost(FILES) };
	assert.throws(() => serveLanguage(transport, options), {
		code: "INVALID_ARGUMENT",
		message: /no MessagePort/,
	});
});

test("an unknown setting or value fails the start", async (t) => {
	for (const [initializationOptions, message] of [
		[{ referencs: "all" }, /no setting "referencs"; there are references,/],
		[{ references: "some" }, /references must be "resolved" or "all"/],
		[{ scip: "index.scip" }, /scip must be a list of paths/],
		["all", /must be an object/],
	] as const) {
		const client = Client.connect(t, { openHost: () => memoryHost(FILES) });
		const start = client.initialize({ initializationOptions });
		await assertFails(start, message, InvalidParams);
	}
});

test("a request before the start is an error", async (t) => {
	const client = Client.connect(t, { openHost: () => memoryHost(FILES) });
	const early = client.ask("textDocument/hover", at(CART, "price_of"));
	await assertFails(early, /initialize/, ErrorCodes.ServerNotInitialized);
	await client.initialize();
});

test("a folder that cannot be opened says why, and is tried again", async (t) => {
	let isBroken = true;
	const client = await Client.start(t, {
		openHost: () => {
			if (isBroken) throw new Error("the disk is away");
			return memoryHost(FILES);
		},
	});
	const use = at(CART, "price_of(line)");
	const first = client.ask("textDocument/definition", use);
	await assertFails(first, /the disk is away/, RequestFailed);
	isBroken = false;
	assert.equal(
		(await client.ask<[]>("textDocument/definition", use)).length,
		1,
	);
});

test("a query that fails is an error with ragnav's code and message", async (t) => {
	const { stat: _, watch: __, ...files } = memoryHost(FILES);
	const readDirs = () => {
		throw new Error("no folders today");
	};
	const host = { ...files, readDirs };
	const client = await Client.start(t, { openHost: () => host });
	const request = client.ask("workspace/symbol", { query: "price" });
	await assert.rejects(request, ({ code, message, data }) => {
		assert.match(message, /no folders today/);
		assert.deepEqual(data, { error_code: "HOST_FAILED" });
		return code === RequestFailed;
	});
});

test("a second start is an error", async (t) => {
	const client = await Client.start(t);
	const again = client.initialize();
	await assertFails(again, /initialized already/, ErrorCodes.InvalidRequest);
});
