// `ragnav mcp` as a process: its output, invalid input, and its end.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assertHolds } from "./cases.js";
import { indexedRepo, LOCK, sourceRepo } from "./index-repo.js";
import { largeSources, RawServer } from "./mcp-client.js";

/** Starts and initialises a server. */
async function start(t: TestContext, repo: string): Promise<RawServer> {
	const server = new RawServer(t, ["--repo", repo]);
	server.greet();
	await server.reply(1);
	return server;
}

test("standard output has only messages of the protocol", async (t) => {
	const server = await start(t, sourceRepo(t, largeSources(50)));
	server.write({ id: 2, method: "tools/list" }, { id: 3, method: "ping" });
	server.ask(4, "rag_build_graph", {}, { progressToken: "p" });
	server.ask(5, "rag_search", { query: "f1", limit: 5 });
	server.ask(6, "rag_ask", { question: "what is f1?" });
	server.ask(7, "rag_search", {});
	for (const id of [2, 3, 4, 5, 6, 7]) await server.reply(id);
	const ids = server.replies.map(({ id }) => id).filter(Boolean);
	assert.deepEqual(ids.sort(), [1, 2, 3, 4, 5, 6, 7]);
	for (const { id, method, params } of server.replies) {
		if (id !== undefined) continue;
		assert.equal(method, "notifications/progress");
		assertHolds(params, { progressToken: "p" });
	}
	server.end();
	assert.equal(await server.ended, 0);
	assert.equal(server.stderr, "");
});

test("invalid messages are reported on standard error, and the server goes on", async (t) => {
	const server = await start(t, sourceRepo(t));
	server.write(
		"nonsense",
		"{",
		"[]",
		"null",
		'{"jsonrpc":"1.0","id":5,"method":"ping"}',
		'{"jsonrpc":"2.0","id":{},"method":"ping"}',
		'{"jsonrpc":"2.0"}',
		"",
		"\u0000\ufffd",
		{ id: 6, method: "tools/call" },
		{ id: 7, method: "tools/call", params: { name: 7 } },
		{
			id: 8,
			method: "tools/call",
			params: { name: "rag_search", arguments: [] },
		},
		{ id: 9, method: "resources/list" },
		{ id: 10, method: "no/such" },
		{ method: "notifications/no-such" },
		{ method: "notifications/cancelled", params: { requestId: 99 } },
		{ id: 99, result: {} },
		{ id: 11, method: "ping" },
	);
	await server.reply(11);
	for (const id of [6, 7, 8, 9, 10]) {
		assert.ok((await server.reply(id)).error, `${id}`);
	}
	server.ask(12, "rag_search", { query: "needle" });
	assertHolds((await server.reply(12)).result, { isError: false });
	server.end();
	assert.equal(await server.ended, 0);
	// Nothing orders standard error and the replies before the end.
	assert.match(server.stderr, /ragnav mcp: .*nonsense/);
});

test("a message in many chunks, and many messages in one chunk", async (t) => {
	const server = await start(t, sourceRepo(t));
	const text = `${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "rag_search", arguments: { query: "für" } } })}\r\n`;
	for (const byte of Buffer.from(text)) {
		server.child.stdin?.write(Buffer.of(byte));
	}
	assertHolds((await server.reply(2)).result, {
		structuredContent: { query: "für" },
	});
});

test("the server answers all requests before the end of input, and then exits", async (t) => {
	const server = new RawServer(t, ["--repo", sourceRepo(t)]);
	server.greet();
	server.ask(2, "rag_search", { query: "needle" });
	server.ask(3, "rag_build_graph", {});
	server.end();
	assert.equal(await server.ended, 0);
	assertHolds(server.replies.map(({ id }) => id).sort(), [1, 2, 3]);
});

test("the server exits during a long query, and leaves no lock", async (t) => {
	for (const how of ["end", "SIGTERM", "SIGINT"] as const) {
		const repo = sourceRepo(t, largeSources(1500));
		const server = await start(t, repo);
		server.ask(2, "rag_build_graph", {}, { progressToken: 1 });
		await server.wait(() =>
			server.replies.find(({ method }) => method === "notifications/progress"),
		);
		if (how === "end") server.end();
		else server.child.kill(how);
		assert.equal(await server.ended, 0, how);
		assert.equal(lockIn(repo), null, how);
	}
});

function lockIn(repo: string): string | null {
	try {
		return readFileSync(`${repo}/${LOCK}`, "utf8");
	} catch {
		return null;
	}
}

test("the server exits if its host disappears", async (t) => {
	const server = await start(t, await indexedRepo(t));
	server.ask(2, "rag_search", { query: "needle" });
	await server.reply(2);
	server.child.stdout?.destroy();
	server.child.stdin?.destroy();
	assert.equal(await server.ended, 0);
});

test("an endless message is not buffered for ever", async (t) => {
	const server = await start(t, sourceRepo(t));
	server.child.stdin?.on("error", () => undefined);
	server.child.stdin?.write("x".repeat(11 << 20));
	assert.equal(await server.ended, 0);
	assert.match(server.stderr, /maximum size/);
});

test("a cancelled request is not answered", async (t) => {
	const server = await start(t, sourceRepo(t, largeSources(400)));
	server.ask(2, "rag_build_graph", {}, { progressToken: 1 });
	await server.wait(() =>
		server.replies.find(({ method }) => method === "notifications/progress"),
	);
	server.write({
		method: "notifications/cancelled",
		params: { requestId: 2, reason: "enough" },
	});
	server.ask(3, "rag_status", {});
	assertHolds((await server.reply(3)).result, {
		structuredContent: { meta: { reason: "NO_STATUS" } },
	});
	await sleep(200);
	assert.equal(
		server.replies.find(({ id }) => id === 2),
		undefined,
	);
});

test("the working folder is the default repository", async (t) => {
	const server = new RawServer(t, [], { cwd: sourceRepo(t) });
	server.greet();
	server.ask(2, "rag_search", { query: "needle" });
	assertHolds((await server.reply(2)).result, {
		structuredContent: { total: 2 },
	});
});

test("invalid arguments of the command", async (t) => {
	for (const args of [["--repo"], ["--nonsense"], ["--timeout-ms", "0"]]) {
		const server = new RawServer(t, args);
		assert.equal(await server.ended, 2, args.join(" "));
		assert.deepEqual(server.lines, []);
	}
});
