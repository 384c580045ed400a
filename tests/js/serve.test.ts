// Runs `ragnav serve` and the commands that it answers as processes.
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertHolds } from "./cases.js";
import { temporaryFolder } from "./hosts/helpers.js";
import { sourceRepo } from "./index-repo.js";

const CLI = fileURLToPath(
	new URL("../../pkg/dist/cjs/cli.js", import.meta.url),
);

/** A repository, and commands in it whose sockets lie in a folder of their own. */
interface Setting {
	repository: string;
	sockets: string;
	env: NodeJS.ProcessEnv;
}

function setUp(t: TestContext, files: Record<string, string>): Setting {
	const folder = temporaryFolder(t);
	const env = { ...process.env, XDG_RUNTIME_DIR: folder };
	const sockets = join(folder, "ragnav");
	return { repository: sourceRepo(t, files), sockets, env };
}

function ragnav({ repository, env }: Setting, ...args: string[]) {
	const run = spawnSync(process.execPath, [CLI, ...args], {
		cwd: repository,
		env,
		encoding: "utf8",
	});
	return { code: run.status, stdout: run.stdout, stderr: run.stderr };
}

function answerTo(setting: Setting, ...args: string[]) {
	return JSON.parse(ragnav(setting, ...args, "--json").stdout);
}

/** Starts a server, and waits until it answers. */
async function serve(
	t: TestContext,
	{ repository, env }: Setting,
): Promise<ChildProcess> {
	const server = spawn(process.execPath, [CLI, "serve"], {
		cwd: repository,
		env,
		stdio: ["ignore", "pipe", "inherit"],
	});
	t.after(() => server.kill("SIGKILL"));
	for await (const line of createInterface({ input: server.stdout })) {
		if (line === "answering commands, until it is interrupted") break;
	}
	server.stdout.resume();
	return server;
}

/** Returns how a command proved that `a.py` is as the index has it. */
function proof(setting: Setting, ...args: string[]): string {
	return answerTo(setting, "status", ...args).items[0].proof;
}

/** On other systems a watcher proves nothing, and a server verifies each file as a command does. */
const PROOF = process.platform === "linux" ? "watch" : "stat";

test("a server answers the commands, with every edit", async (t) => {
	const setting = setUp(t, { "a.py": "def f(): pass\n" });
	await serve(t, setting);
	assert.equal(proof(setting), PROOF);
	assert.equal(ragnav(setting, "where-used", "f").code, 1);
	writeFileSync(join(setting.repository, "b.py"), "from a import f\nf()\n");
	assertHolds(answerTo(setting, "where-used", "f"), {
		items: [
			{ file: "b.py", line: 1, kind: "import" },
			{ file: "b.py", line: 2, kind: "call" },
		],
	});
	const printed = ragnav(setting, "where-used", "f");
	assert.equal(printed.code, 0);
	assert.match(printed.stdout, /^b\.py:2:1: f\(\) {2}\(call\)$/m);
	assert.match(ragnav(setting, "ask", "what is f").stdout, /def f/);
	assert.match(ragnav(setting, "route").stdout, /./);
	assertHolds(answerTo(setting, "where-used", "f", "--cursor", "x"), {
		meta: { status: "ERROR", error_code: "INVALID_ARGUMENT" },
	});
});

test("a command with other options or another environment answers itself", async (t) => {
	const setting = setUp(t, { "a.py": "def f(): pass\n" });
	await serve(t, setting);
	assert.equal(proof(setting, "--max-files", "10"), "stat");
	const other = { ...setting.env, GIT_CONFIG_GLOBAL: "none" };
	assert.equal(proof({ ...setting, env: other }), "stat");
	assert.equal(proof(setting), PROOF);
});

test("commands outlive their server, and another one takes its place", async (t) => {
	const setting = setUp(t, { "a.py": "def f(): pass\n" });
	const killed = await serve(t, setting);
	killed.kill("SIGKILL");
	await once(killed, "exit");
	assert.equal(readdirSync(setting.sockets).length, 1, "its socket is left");
	assert.equal(ragnav(setting, "locate", "f").code, 0);
	const next = await serve(t, setting);
	assert.equal(proof(setting), PROOF);
	const second = ragnav(setting, "serve");
	assert.equal(second.code, 2);
	assert.match(second.stderr, /HOST_FAILED: another `ragnav serve` answers/);
	next.kill("SIGTERM");
	assert.deepEqual(await once(next, "exit"), [0, null]);
	assert.deepEqual(readdirSync(setting.sockets), []);
	assert.equal(proof(setting), "stat");
});

test("what is no question harms no other one", async (t) => {
	const setting = setUp(t, { "a.py": "def f(): pass\n" });
	await serve(t, setting);
	const [name = ""] = readdirSync(setting.sockets);
	const path = join(setting.sockets, name);
	for (const line of ["", "{}", "null", '{"method":"close","parameters":[]}']) {
		const socket = createConnection(path);
		socket.write(`${line}\n`);
		socket.resume();
		await once(socket, "close");
	}
	for (let times = 0; times < 20; times += 1) {
		const leaving = createConnection(path);
		leaving.write('{"method":"status","parameters":[]}\n', () =>
			leaving.destroy(),
		);
		await once(leaving, "close");
	}
	const silent = createConnection(path);
	await once(silent, "connect");
	assert.equal(proof(setting), PROOF);
	silent.destroy();
	assert.equal(proof(setting), PROOF);
});

test("a command does not wait for a server that is stuck", async (t) => {
	const setting = setUp(t, { "a.py": "def f(): pass\n" });
	const server = await serve(t, setting);
	server.kill("SIGSTOP");
	assert.equal(proof(setting), "stat");
	server.kill("SIGCONT");
	assert.equal(proof(setting), PROOF);
});

test("a folder that others may write to has no sockets", (t) => {
	const setting = setUp(t, { "a.py": "def f(): pass\n" });
	mkdirSync(setting.sockets);
	chmodSync(setting.sockets, 0o777);
	const refused = ragnav(setting, "serve");
	assert.equal(refused.code, 2);
	assert.match(refused.stderr, /HOST_FAILED: other users may write to/);
	writeFileSync(join(setting.sockets, "a.sock"), "");
	assert.equal(ragnav(setting, "locate", "f").code, 0);
});
