// The folders that the language server serves, and how they change.
import assert from "node:assert/strict";
import { test } from "node:test";
import type {
	Hover,
	MarkupContent,
	SymbolInformation,
} from "vscode-languageserver-protocol/node";
import type { Host } from "#ragnav";
import { memoryHost } from "#ragnav/hosts/memory";
import { at, Client, FILES, FOLDER } from "./lsp-client.js";

const CART = "shop/cart.py";

test("each folder is a repository of its own, and folders come and go", async (t) => {
	const opened: string[] = [];
	const hosts: Record<string, Host> = {
		"memory:///one": memoryHost({ "a.py": "def only_one(): ...\n" }),
		"memory:///two": memoryHost({ "a.py": "def only_two(): ...\n" }),
		"memory:///one/inner": memoryHost({ "a.py": "def inner(): ...\n" }),
	};
	const folder = (uri: string) => ({ uri, name: uri });
	const client = await Client.start(t, {
		openHost: (uri) => {
			opened.push(uri);
			return hosts[uri] ?? assert.fail(uri);
		},
		initialize: {
			rootUri: null,
			workspaceFolders: [folder("memory:///one"), folder("memory:///two")],
		},
	});
	assert.deepEqual(opened, []);
	const symbols = async (query: string) => {
		const method = "workspace/symbol";
		const found: SymbolInformation[] = await client.ask(method, { query });
		return found.map(({ location }) => location.uri);
	};
	assert.deepEqual(await symbols("only"), [
		"memory:///one/a.py",
		"memory:///two/a.py",
	]);
	await client.tell("workspace/didChangeWorkspaceFolders", {
		event: {
			added: [folder("memory:///one/inner")],
			removed: [folder("memory:///two")],
		},
	});
	assert.deepEqual(await symbols("only"), ["memory:///one/a.py"]);
	// The innermost folder answers for its files.
	const hover: Hover = await client.ask("textDocument/hover", {
		textDocument: { uri: "memory:///one/inner/a.py" },
		position: { line: 0, character: 5 },
	});
	assert.match((hover.contents as MarkupContent).value, /def inner/);
	const gone = await client.ask("textDocument/documentSymbol", {
		textDocument: { uri: "memory:///two/a.py" },
	});
	assert.deepEqual(gone, []);
});

test("a folder that fails takes nothing from the others, and is named", async (t) => {
	const folder = (uri: string) => ({ uri, name: uri });
	const client = await Client.start(t, {
		openHost: (uri) => {
			if (uri === FOLDER) return memoryHost(FILES);
			throw new Error("the disk is away");
		},
		initialize: {
			workspaceFolders: [folder("memory:///away"), folder(FOLDER)],
		},
	});
	const warned = new Promise<string>((resolve) => {
		client.connection.onNotification("window/showMessage", ({ message }) =>
			resolve(message),
		);
	});
	const query = "price_of";
	const found: SymbolInformation[] = await client.ask("workspace/symbol", {
		query,
	});
	assert.equal(found.length, 1);
	assert.match(
		await warned,
		/lacks the folder memory:\/\/\/away: the disk is away/,
	);
});

test("a program names the folders of a client that names none", async (t) => {
	const client = await Client.start(t, {
		folders: [FOLDER],
		initialize: { rootUri: null },
	});
	const use = at(CART, "price_of(line)");
	assert.equal(
		(await client.ask<[]>("textDocument/definition", use)).length,
		1,
	);
});
