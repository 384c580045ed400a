// The token of the node host's watcher, which must differ after every change.
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
	appendFileSync,
	chmodSync,
	linkSync,
	mkdirSync,
	renameSync,
	rmSync,
	symlinkSync,
	truncateSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Watcher } from "#ragnav";
import { type NodeHost, nodeHost } from "#ragnav/hosts/node";
import { commit, put, repository, temporaryFolder } from "./helpers.js";

/** Only on Linux does a watcher prove freshness. */
const skip =
	process.platform !== "linux" && "proofs of the watcher need inotify";

interface Watched {
	folder: string;
	host: NodeHost;
	watcher: Watcher;
	/** Lists every folder, like a walk. */
	list(): void;
	token(): string;
}

function watched(t: TestContext, folder = temporaryFolder(t)): Watched {
	const host = nodeHost(folder);
	const watcher = host.watch(() => undefined);
	t.after(() => watcher.close());
	const list = (path = "") => {
		const [entries] = host.readDirs([path]);
		if (!Array.isArray(entries)) return;
		for (const { name, kind } of entries) {
			if (kind === "dir") list(path === "" ? name : `${path}/${name}`);
		}
	};
	const token = () => {
		const token = watcher.token();
		assert.equal(typeof token, "string", `${watcher.reason}`);
		return token as string;
	};
	return { folder, host, watcher, list, token };
}

test("every kind of change alters the token at once", { skip }, (t) => {
	const { folder, list, token } = watched(t);
	const at = (path: string) => join(folder, path);
	put(at("a.py"), "one");
	put(at("pkg/sub/b.py"), "two");
	const changes: [string, () => void][] = [
		["edit", () => writeFileSync(at("a.py"), "two")],
		["append", () => appendFileSync(at("pkg/sub/b.py"), "x")],
		["truncate", () => truncateSync(at("a.py"), 1)],
		["same bytes", () => writeFileSync(at("a.py"), "t")],
		["times", () => utimesSync(at("a.py"), 1, 1)],
		["mode", () => chmodSync(at("a.py"), 0o600)],
		["create", () => writeFileSync(at("pkg/c.py"), "")],
		["rename", () => renameSync(at("pkg/c.py"), at("pkg/d.py"))],
		["replace", () => renameSync(at("pkg/d.py"), at("a.py"))],
		["hard link", () => linkSync(at("a.py"), at("e.py"))],
		["link", () => symlinkSync("a.py", at("f.py"))],
		["delete", () => rmSync(at("e.py"))],
		["new folder", () => mkdirSync(at("new"))],
		["in a new folder", () => writeFileSync(at("new/a.py"), "")],
		["folder in a new folder", () => mkdirSync(at("new/deep"))],
		["in that", () => writeFileSync(at("new/deep/a.py"), "")],
		["move folders", () => renameSync(at("new"), at("newer"))],
		["below moved folders", () => appendFileSync(at("newer/deep/a.py"), "x")],
		[
			"a folder of the old name",
			() => mkdirSync(at("new/deep"), { recursive: true }),
		],
		["below that", () => writeFileSync(at("new/deep/a.py"), "")],
		["remove folders", () => rmSync(at("new"), { recursive: true })],
		["again", () => put(at("new/deep/a.py"))],
		["and below", () => appendFileSync(at("new/deep/a.py"), "x")],
	];
	const seen = new Set<string>();
	for (const [name, change] of changes) {
		list();
		const before = token();
		assert.equal(token(), before, `nothing before: ${name}`);
		change();
		const after = token();
		assert.notEqual(after, before, name);
		assert.ok(!seen.has(after), name);
		seen.add(after);
	}
});

test("reads, and changes in folders that were not listed, keep the token", {
	skip,
}, (t) => {
	const { folder, host, list, token } = watched(t);
	put(join(folder, "a.py"), "one");
	put(join(folder, ".llmc/rag/x"), "one");
	host.readDirs([""]);
	const before = token();
	host.readDirs([""]);
	host.readMany(["a.py"], { max_bytes: 9 });
	host.stat(["a.py"]);
	host.write?.(".llmc/rag/x", Buffer.from("two"));
	assert.equal(token(), before);
	list();
});

test("edits through a hard link in another folder alter the token", {
	skip,
}, (t) => {
	const { folder, host, list, token } = watched(t);
	const outside = join(temporaryFolder(t), "other.py");
	put(join(folder, "a.py"), "one");
	put(join(folder, "b.py"), "one");
	linkSync(join(folder, "a.py"), outside);
	symlinkSync("a.py", join(folder, "c.py"));
	for (const examined of ["a.py", "c.py"]) {
		list();
		host.stat([examined, "b.py"]);
		let before = token();
		for (const text of ["two", "six", "three"]) {
			writeFileSync(outside, text);
			const after = token();
			assert.notEqual(after, before, text);
			before = after;
		}
	}
	rmSync(outside);
	rmSync(join(folder, "a.py"));
	token();
	assert.equal(token(), token());
});

test("with very many hard links the watcher proves nothing, and says so", {
	skip,
}, (t) => {
	const { folder, host, watcher } = watched(t);
	const paths = Array.from({ length: 1001 }, (_, number) => `f${number}.py`);
	put(join(folder, "first.py"), "one");
	for (const path of paths)
		linkSync(join(folder, "first.py"), join(folder, path));
	host.stat(paths);
	assert.equal(watcher.token(), null);
	assert.match(watcher.reason ?? "", /more than 1000 files have several hard/);
});

test("the token counts every write of this process", { skip }, (t) => {
	const { folder, list, token } = watched(t);
	put(join(folder, "pkg/f0"));
	list();
	let before = token();
	for (let i = 0; i < 5000; i++) {
		writeFileSync(join(folder, i % 2 === 0 ? "pkg" : "", `f${i % 7}`), `${i}`);
		const after = token();
		assert.notEqual(after, before, `write ${i}`);
		before = after;
	}
});

const WRITER = `
const { writeFileSync, writeSync } = require("node:fs");
let i = 0;
process.stdin.on("data", (input) => {
	for (const _ of input) {
		writeFileSync(process.argv[1] + "/c" + (i++ % 5), "y" + i);
		writeSync(1, "k");
	}
});`;

function child(t: TestContext, source: string, folder: string): ChildProcess {
	const started = spawn(process.execPath, ["-e", source, folder], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	t.after(() => started.kill());
	return started;
}

test("the token counts every write of another process", {
	skip,
}, async (t) => {
	const { folder, list, token } = watched(t);
	list();
	const writer = child(t, WRITER, folder);
	let before = token();
	let left = 5000;
	await new Promise<void>((resolve, reject) => {
		writer.stdout?.on("data", () => {
			const after = token();
			if (after === before) reject(new Error(`missed with ${left} left`));
			before = after;
			left -= 1;
			if (left === 0) resolve();
			else writer.stdin?.write("a");
		});
		writer.stdin?.write("a");
	});
});

const FLOOD = `
const { appendFileSync, openSync, writeSync, closeSync, rmSync, mkdirSync } = require("node:fs");
for (let i = 0; ; i++) {
	const path = process.argv[1] + "/flood" + (i % 1000);
	closeSync(openSync(path, "w"));
	rmSync(path);
}`;

test("the token counts every write among many other events", {
	skip,
}, async (t) => {
	const { folder, host, token } = watched(t);
	mkdirSync(join(folder, "noise"));
	host.readDirs(["", "noise"]);
	const flood = child(t, FLOOD, join(folder, "noise"));
	await new Promise<void>((resolve) => {
		const other = host.watch(() => {
			other.close();
			resolve();
		});
	});
	for (let i = 0; i < 500; i++) {
		const before = token();
		writeFileSync(join(folder, "a.py"), `${i}`);
		assert.notEqual(token(), before);
	}
	flood.kill();
});

test("an overflow of the event queue alters the token", { skip }, (t) => {
	const { folder, host, token } = watched(t);
	put(join(folder, "pkg/a.py"));
	mkdirSync(join(folder, "noise"));
	host.readDirs(["", "noise", "pkg"]);
	const before = token();
	// The default of fs.inotify.max_queued_events is 16,384.
	for (let i = 0; i < 20_000; i++)
		writeFileSync(join(folder, `noise/f${i % 50}`), "x");
	writeFileSync(join(folder, "pkg/a.py"), "new");
	const after = token();
	assert.notEqual(after, before);
	writeFileSync(join(folder, "pkg/a.py"), "newer");
	assert.notEqual(token(), after);
});

test("a root that was removed or replaced alters the token", {
	skip,
}, (t) => {
	const { folder, watcher, list, token } = watched(
		t,
		join(temporaryFolder(t), "up/root"),
	);
	put(join(folder, "pkg/a.py"), "one");
	list();
	const before = token();
	const up = dirname(folder);
	const aside = join(dirname(up), "aside");
	renameSync(up, aside);
	assert.equal(watcher.token(), null);
	put(join(folder, "pkg/a.py"), "two");
	const other = token();
	assert.notEqual(other, before);
	list();
	const listed = token();
	assert.notEqual(listed, other);
	writeFileSync(join(folder, "pkg/a.py"), "three");
	assert.notEqual(token(), listed);
	rmSync(up, { recursive: true });
	renameSync(aside, up);
	assert.notEqual(token(), before);
	list();
	const back = token();
	writeFileSync(join(folder, "pkg/a.py"), "four");
	assert.notEqual(token(), back);
	rmSync(folder, { recursive: true });
	assert.equal(watcher.token(), null);
	put(join(folder, "a.py"));
	assert.notEqual(token(), back);
});

test("a root behind a link is watched at the link's target", {
	skip,
}, (t) => {
	const top = temporaryFolder(t);
	for (const name of ["one", "two"]) put(join(top, name, "a.py"), name);
	symlinkSync("one", join(top, "root"));
	const { folder, list, token } = watched(t, join(top, "root"));
	list();
	const before = token();
	rmSync(folder);
	symlinkSync("two", folder);
	const after = token();
	assert.notEqual(after, before);
	list();
	const listed = token();
	writeFileSync(join(top, "two/a.py"), "x");
	assert.notEqual(token(), listed);
});

test("folders that are no longer listed are no longer watched", {
	skip,
}, (t) => {
	const { folder, host, list, token } = watched(t);
	put(join(folder, "pkg/a.py"));
	list();
	const before = token();
	for (let walks = 0; walks < 20; walks++) host.readDirs([""]);
	const after = token();
	assert.notEqual(after, before, "what was listed is not vouched for");
	writeFileSync(join(folder, "pkg/a.py"), "x");
	assert.equal(token(), after, "nor watched");
});

test("two watchers have different tokens", { skip }, (t) => {
	const { folder, host, watcher, list, token } = watched(t);
	put(join(folder, "a.py"));
	list();
	const before = token();
	const second = host.watch(() => undefined);
	assert.equal(
		second.token(),
		before,
		"they share a watcher while there is one",
	);
	watcher.close();
	assert.equal(watcher.token(), null);
	assert.equal(second.token(), before);
	second.close();
	assert.equal(second.token(), null);
	assert.notEqual(second.reason, null);
	const third = host.watch(() => undefined);
	assert.notEqual(third.token(), before);
	third.close();
});

test("onChange reports changes, also of HEAD", async (t) => {
	const folder = repository(temporaryFolder(t));
	put(join(folder, "pkg/a.py"));
	const host = nodeHost(folder);
	let report: () => void = () => undefined;
	const watcher = host.watch(() => report());
	t.after(() => watcher.close());
	const change = async (act: () => void) => {
		const changed = new Promise<void>((resolve) => {
			report = resolve;
		});
		// Only the timer keeps this process running.
		const alive = setInterval(() => undefined, 1000);
		act();
		await changed;
		clearInterval(alive);
	};
	host.readDirs(["", "pkg"]);
	await change(() => writeFileSync(join(folder, "pkg/a.py"), "x"));
	await change(() => commit(folder, "second"));
	watcher.close();
});

test("a watcher does not keep the process running", () => {
	const source = `
		import { nodeHost } from "#ragnav/hosts/node";
		const host = nodeHost(".");
		const watcher = host.watch(() => undefined);
		host.readDirs([""]);
		console.log(typeof watcher.token());`;
	const printed = execFileSync(
		process.execPath,
		["--input-type=module", "-e", source],
		{ encoding: "utf8", timeout: 60_000 },
	);
	assert.match(printed, /^(string|object)\n$/);
});
