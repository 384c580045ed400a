// Renames over the language server: their edits, versions and refusals.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
	LSPErrorCodes,
	type Range,
	type TextDocumentEdit,
	type WorkspaceEdit,
} from "vscode-languageserver-protocol";
import type { Host } from "#ragnav";
import { memoryHost } from "#ragnav/hosts/memory";
import { assertFails, at, Client, FILES, span, uri } from "./lsp-client.js";

const CART = "shop/cart.py";

interface Prepared {
	range: Range;
	placeholder: string;
}

test("a rename edits every reference, with the versions of open documents", async (t) => {
	const client = await Client.start(t);
	const place = at(CART, "price_of(line)");
	const prepare = "textDocument/prepareRename";
	const prepared: Prepared = await client.ask(prepare, place);
	assert.deepEqual(
		[span(prepared.range), prepared.placeholder],
		["7:20-28", "price_of"],
	);
	await client.open(CART, FILES[CART] ?? "");
	const { documentChanges }: WorkspaceEdit = await client.ask(
		"textDocument/rename",
		{ ...place, newName: "cost_of" },
	);
	assert.deepEqual(
		(documentChanges as TextDocumentEdit[]).map(({ textDocument, edits }) => [
			textDocument.uri,
			textDocument.version,
			...edits.map((edit) => ("range" in edit ? span(edit.range) : edit)),
		]),
		[
			[uri(CART), 1, "1:33-41", "7:20-28", "10:7-15"],
			[uri("shop/prices.py"), null, "25:5-13"],
		],
	);
});

test("a client without versions gets plain edits", async (t) => {
	const client = await Client.start(t, { initialize: { capabilities: {} } });
	assert.deepEqual(client.initialized.capabilities.renameProvider, {
		workDoneProgress: true,
	});
	const { changes }: WorkspaceEdit = await client.ask("textDocument/rename", {
		...at(CART, "price_of(line)"),
		newName: "cost_of",
	});
	assert.deepEqual(Object.keys(changes ?? {}), [
		uri(CART),
		uri("shop/prices.py"),
	]);
});

test("a rename that is refused says why", async (t) => {
	const client = await Client.start(t);
	const rename = (text: string, newName: unknown) =>
		client.ask("textDocument/rename", { ...at(CART, text), newName });
	const { RequestFailed } = LSPErrorCodes;
	await assertFails(
		rename("price(1)", "cost"),
		/only share the name|by name alone|may mean/,
		RequestFailed,
	);
	await assertFails(rename("price_of(line)", "Sale"), /Sale/, RequestFailed);
	await assertFails(rename("price_of(line)", "no name"), /name/);
	await assertFails(rename("price_of(line)", 7), /newName/);
	await assertFails(rename("name in a comment", "x"), /no name/);
});

test("a setting leaves references by name alone as they are", async (t) => {
	const initializationOptions = { renameCandidates: "leave" };
	const client = await Client.start(t, {
		initialize: { initializationOptions },
	});
	const { documentChanges }: WorkspaceEdit = await client.ask(
		"textDocument/rename",
		{ ...at(CART, "price(1)"), newName: "cost" },
	);
	assert.equal(documentChanges?.length, 2);
});

test("a name that nothing defines cannot be renamed", async (t) => {
	const client = await Client.start(t);
	const place = at(CART, "lines)");
	const prepare = client.ask("textDocument/prepareRename", place);
	await assertFails(prepare, /What `lines` means/);
});

test("the file of a class is renamed with it, where the editor can", async (t) => {
	const files = { "Cart.java": "public class Cart {}\n" };
	const place = {
		textDocument: { uri: uri("Cart.java") },
		position: { line: 0, character: 14 },
		newName: "Basket",
	};
	const client = await Client.start(t, { files });
	const { documentChanges }: WorkspaceEdit = await client.ask(
		"textDocument/rename",
		place,
	);
	assert.deepEqual(documentChanges?.at(-1), {
		kind: "rename",
		oldUri: uri("Cart.java"),
		newUri: uri("Basket.java"),
	});
	const simple = await Client.start(t, {
		files,
		initialize: { capabilities: {} },
	});
	await assertFails(simple.ask("textDocument/rename", place), /move a file/);
});

test("requests fail if the text changes under them", async (t) => {
	let edit = async (): Promise<void> => undefined;
	const { stat: _, watch: __, ...files } = memoryHost(FILES);
	const host: Host = {
		...files,
		readMany: async (paths, options) => {
			await edit();
			return files.readMany(paths, options);
		},
	};
	const client = await Client.start(t, { openHost: () => host });
	await client.open(CART, FILES[CART] ?? "");
	await client.ask("textDocument/documentSymbol", {
		textDocument: { uri: uri(CART) },
	});
	let isEdited = false;
	const editOnce = async () => {
		if (isEdited) return;
		isEdited = true;
		await client.insert(CART, { line: 0, character: 0 }, "# later\n");
		// The server reads the change before its answer to this.
		await client.ask("textDocument/documentSymbol", {
			textDocument: { uri: uri(CART) },
		});
	};
	for (const method of ["rename", "hover", "definition"]) {
		isEdited = false;
		edit = editOnce;
		const request = client.ask(`textDocument/${method}`, {
			...at(CART, "price_of(line)"),
			newName: "cost_of",
		});
		await assertFails(request, /ask again/, LSPErrorCodes.ContentModified);
		assert.ok(isEdited);
		edit = async () => undefined;
		const textDocument = { uri: uri(CART) };
		await client.tell("textDocument/didClose", { textDocument });
		await client.open(CART, FILES[CART] ?? "");
	}
});
