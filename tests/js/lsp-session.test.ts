// The language server as a whole: folders, settings, cancellation, progress, and wrong input.
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { MessageChannel } from "node:worker_threads";
import {
	CancellationTokenSource,
	type CodeLens,
	createProtocolConnection,
	ErrorCodes,
	type Hover,
	type Location,
	LSPErrorCodes,
	type MarkupContent,
	StreamMessageReader,
	StreamMessageWriter,
	WorkDoneProgress,
} from "vscode-languageserver-protocol/node";
import type { Host } from "#ragnav";
import { memoryHost } from "#ragnav/hosts/memory";
import { serveLanguage } from "#ragnav/lsp";
import {
	assertFails,
	at,
	CAPABLE,
	Client,
	FILES,
	shown,
	uri,
} from "./lsp-client.js";

const CART = "shop/cart.py";
const { RequestCancelled } = LSPErrorCodes;

test("the server announces what it answers, and no more", async (t) => {
	const { initialized } = await Client.start(t);
	const { capabilities, serverInfo } = initialized;
	assert.equal(serverInfo?.name, "ragnav");
	assert.equal(capabilities.positionEncoding, "utf-16");
	assert.ok(capabilities.typeDefinitionProvider);
	assert.equal(capabilities.declarationProvider, undefined);
	assert.equal(capabilities.completionProvider, undefined);
	assert.ok(capabilities.workspace?.workspaceFolders?.supported);
});

test("a cancelled request ends its query", async (t) => {
	const { stat: _, watch: __, ...files } = memoryHost(FILES);
	let release = (): void => undefined;
	let asked = (): void => undefined;
	const isAsked = new Promise<void>((resolve) => {
		asked = resolve;
	});
	const held = new Promise<void>((resolve) => {
		release = resolve;
	});
	const host: Host = {
		...files,
		readDirs: async (paths) => {
			asked();
			await held;
			return files.readDirs(paths);
		},
	};
	const client = await Client.start(t, { openHost: () => host });
	const source = new CancellationTokenSource();
	const request = client.connection.sendRequest(
		"textDocument/definition",
		at(CART, "price_of(line)"),
		source.token,
	);
	await isAsked;
	source.cancel();
	// The host still holds its response.
	await assertFails(request, /cancel/, RequestCancelled);
	release();
	const again = at(CART, "price_of(line)");
	assert.equal(
		(await client.ask<[]>("textDocument/definition", again)).length,
		1,
	);
});

test("a client that gives a token sees the progress of its request", async (t) => {
	const client = await Client.start(t);
	const seen: string[] = [];
	client.connection.onProgress(WorkDoneProgress.type, "token", (value) => {
		seen.push(value.kind === "begin" ? `begin ${value.title}` : value.kind);
	});
	await client.ask("textDocument/references", {
		...at(CART, "price_of(line)"),
		context: { includeDeclaration: true },
		workDoneToken: "token",
	});
	assert.equal(seen[0], "begin Finding references");
	assert.equal(seen.at(-1), "end");
});

test("a long query shows progress to a client without a token, which may cancel it", async (t) => {
	const body = `def f():\n    return g()\n\n\n`.repeat(5000);
	const files = Object.fromEntries(
		Array.from({ length: 40 }, (_, at) => [`m${at}.py`, `x${at} = 1\n${body}`]),
	);
	const { stat: _, watch: __, ...inner } = memoryHost(files);
	let asked = 0;
	const host: Host = {
		...inner,
		readMany: (paths, options) => {
			asked += paths.length;
			// The rest is never read, so only the cancellation ends the query.
			if (asked > 20) return new Promise(() => undefined);
			return inner.readMany(paths, options);
		},
	};
	const client = await Client.start(t, {
		openHost: () => host,
		initialize: { capabilities: { window: { workDoneProgress: true } } },
	});
	const { connection } = client;
	const seen: string[] = [];
	connection.onRequest("window/workDoneProgress/create", ({ token }) => {
		connection.onProgress(WorkDoneProgress.type, token, ({ kind }) => {
			seen.push(kind);
			if (kind === "begin") {
				client.tell("window/workDoneProgress/cancel", { token });
			}
		});
	});
	const request = client.ask("workspace/symbol", { query: "none" });
	await assertFails(request, /cancel/, RequestCancelled);
	assert.equal(seen[0], "begin");
});

test("commands build the index and say how fresh answers are", async (t) => {
	const head = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
	const host = memoryHost(FILES, { head });
	const client = await Client.start(t, { openHost: () => host });
	const run = (command: string) =>
		client.ask<string[]>("workspace/executeCommand", { command });
	assert.deepEqual(await run("ragnav.status"), [
		"No index yet; read live (4 files)",
	]);
	await run("ragnav.buildIndex");
	assert.match((await run("ragnav.status"))[0] ?? "", /^Up to date/);
	const use = at(CART, "price_of(line)");
	const hover: Hover = await client.ask("textDocument/hover", use);
	assert.match((hover.contents as MarkupContent).value, /_Up to date/);
	// A file that changes on disk is read again.
	const moved = new TextEncoder().encode(`\n${FILES["shop/prices.py"]}`);
	host.files.set("shop/prices.py", moved);
	const [found]: Location[] = await client.ask("textDocument/references", {
		...use,
		context: { includeDeclaration: true },
	});
	assert.equal(found && shown(found), "shop/prices.py:26:5-13");
});

test("changed files and texts refresh the counts above definitions", async (t) => {
	const host = memoryHost(FILES);
	const client = await Client.start(t, {
		openHost: () => host,
		initialize: {
			initializationOptions: { codeLens: true },
			capabilities: {
				...CAPABLE,
				workspace: { codeLens: { refreshSupport: true } },
			},
		},
	});
	let tell = (): void => undefined;
	const refreshed = () =>
		new Promise<void>((resolve) => {
			tell = resolve;
		});
	client.connection.onRequest("workspace/codeLens/refresh", () => tell());
	const opened = refreshed();
	await client.open(CART, FILES[CART] ?? "");
	await opened;
	const changed = refreshed();
	await client.tell("workspace/didChangeWatchedFiles", { changes: [] });
	await changed;
	const textDocument = { uri: uri(CART) };
	const [lens]: CodeLens[] = await client.ask("textDocument/codeLens", {
		textDocument,
	});
	const watched = refreshed();
	host.files.set("new.py", new TextEncoder().encode("x = 1\n"));
	await watched;
	assert.ok(lens);
});

test("a program serves streams of its own", async (t) => {
	const [here, there] = [new PassThrough(), new PassThrough()];
	const server = serveLanguage(
		{
			reader: new StreamMessageReader(here),
			writer: new StreamMessageWriter(there),
		},
		{ openHost: () => memoryHost(FILES) },
	);
	const connection = createProtocolConnection(
		new StreamMessageReader(there),
		new StreamMessageWriter(here),
	);
	connection.listen();
	const { port1 } = new MessageChannel();
	t.after(() => port1.close());
	const client = new Client(connection, server.ended, port1);
	t.after(() => connection.dispose());
	await client.initialize();
	const use = at(CART, "price_of(line)");
	assert.equal(
		(await client.ask<[]>("textDocument/definition", use)).length,
		1,
	);
	server.close();
	assert.equal(await server.ended, false);
});

test("the server ends when the port is closed", async (t) => {
	const client = await Client.start(t);
	client.port.close();
	assert.equal(await client.ended, false);
});

test("the server ends after shutdown and exit", async (t) => {
	const client = await Client.start(t);
	await client.ask("textDocument/definition", at(CART, "price_of(line)"));
	assert.equal(await client.connection.sendRequest("shutdown"), null);
	const late = client.ask("textDocument/definition", at(CART, "price_of"));
	await assertFails(late, /shut down/, ErrorCodes.InvalidRequest);
	await client.connection.sendNotification("exit");
	assert.equal(await client.ended, true);
});
