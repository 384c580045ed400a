// `ragnav lsp` as a process, over standard input and output.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import {
	createProtocolConnection,
	type Hover,
	type InitializeResult,
	type Location,
	type MarkupContent,
	type ProtocolConnection,
	StreamMessageReader,
	StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { sourceRepo } from "./index-repo.js";
import { FILES } from "./lsp-client.js";
import { CLI } from "./mcp-client.js";

/** `ragnav lsp` with a client. */
interface Served {
	child: ChildProcess;
	client: ProtocolConnection;
	/** Everything that it wrote to standard error. */
	stderr(): string;
	/** Whatever else the client could not read. */
	complaints: unknown[];
}

function serve(t: TestContext, args: string[], cwd?: string): Served {
	const child = spawn(process.execPath, [CLI, "lsp", ...args], {
		stdio: "pipe",
		cwd,
	});
	t.after(() => child.kill("SIGKILL"));
	let stderr = "";
	child.stderr.on("data", (chunk) => {
		stderr += chunk;
	});
	const client = createProtocolConnection(
		new StreamMessageReader(child.stdout),
		new StreamMessageWriter(child.stdin),
	);
	const complaints: unknown[] = [];
	client.onError((error) => complaints.push(error));
	client.listen();
	t.after(() => client.dispose());
	return { child, client, stderr: () => stderr, complaints };
}

function initialize(
	{ client }: Served,
	folder: string | null,
): Promise<InitializeResult> {
	return client.sendRequest("initialize", {
		processId: process.pid,
		rootUri: folder === null ? null : pathToFileURL(folder).href,
		capabilities: {},
	});
}

test("the command serves a folder, follows its files, and exits after shutdown", async (t) => {
	const repo = sourceRepo(t, FILES);
	const served = serve(t, ["--stdio"], repo);
	const { client, child } = served;
	const { serverInfo } = await initialize(served, repo);
	assert.equal(serverInfo?.name, "ragnav");
	await client.sendNotification("initialized", {});
	const place = {
		textDocument: { uri: pathToFileURL(join(repo, "shop/cart.py")).href },
		position: { line: 6, character: 20 },
	};
	const definition = async () => {
		const found: Location[] = await client.sendRequest(
			"textDocument/definition",
			place,
		);
		return found.map(({ uri, range }) => [uri, range.start.line]);
	};
	const prices = join(repo, "shop/prices.py");
	const uri = pathToFileURL(prices).href;
	assert.deepEqual(await definition(), [[uri, 24]]);
	writeFileSync(prices, `# a line\n${FILES["shop/prices.py"]}`);
	assert.deepEqual(await definition(), [[uri, 25]]);
	const hover: Hover = await client.sendRequest("textDocument/hover", place);
	const { value } = hover.contents as MarkupContent;
	assert.match(value, /_No index yet; read live \(\d+ files\)_$/);
	assert.equal(await client.sendRequest("shutdown"), null);
	const exited = once(child, "exit");
	await client.sendNotification("exit");
	assert.deepEqual(await exited, [0, null]);
	assert.deepEqual(served.complaints, []);
	assert.equal(served.stderr(), "");
});

test("without a folder of the editor, the command serves its own", async (t) => {
	const repo = sourceRepo(t, FILES);
	const served = serve(t, ["--repo", repo]);
	await initialize(served, null);
	const found: Location[] = await served.client.sendRequest(
		"workspace/symbol",
		{ query: "price_of" },
	);
	assert.equal(found.length, 1);
});

test("a folder that does not exist is an error of its requests", async (t) => {
	const repo = sourceRepo(t, FILES);
	const served = serve(t, [], repo);
	const gone = join(repo, "gone");
	await initialize(served, gone);
	const symbols = served.client.sendRequest("workspace/symbol", { query: "x" });
	await assert.rejects(
		symbols,
		/root cannot be listed: there is no such folder/,
	);
});

test("an exit without shutdown, or the end of the input, fails the process", async (t) => {
	const repo = sourceRepo(t, FILES);
	const first = serve(t, [], repo);
	await initialize(first, repo);
	const exited = once(first.child, "exit");
	await first.client.sendNotification("exit");
	assert.deepEqual(await exited, [1, null]);
	const second = serve(t, [], repo);
	await initialize(second, repo);
	const ended = once(second.child, "exit");
	second.child.stdin?.end();
	assert.deepEqual(await ended, [1, null]);
});

test("noise on the input fails no later request", async (t) => {
	const repo = sourceRepo(t, FILES);
	const served = serve(t, [], repo);
	const { child, client } = served;
	const noise = "not json";
	child.stdin?.write(`Content-Length: ${noise.length}\r\n\r\n${noise}`);
	await initialize(served, repo);
	const found: Location[] = await client.sendRequest("workspace/symbol", {
		query: "price_of",
	});
	assert.equal(found.length, 1);
	assert.match(served.stderr(), /^ragnav lsp: /);
});

test("a repository that does not exist is reported at once", async (t) => {
	const { child, stderr } = serve(t, ["--repo", "/nowhere/at/all"]);
	const [code] = await once(child, "close");
	assert.equal(code, 2);
	assert.match(stderr(), /nowhere/);
});
