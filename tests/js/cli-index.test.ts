// The commands of the index as processes, over files on disk.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertHolds } from "./cases.js";

const CLI = fileURLToPath(
	new URL("../../pkg/dist/cjs/cli.js", import.meta.url),
);

/** Creates a repository of some files and one commit. */
function repository(t: TestContext, files: Record<string, string>): string {
	const folder = mkdtempSync(join(tmpdir(), "ragnav-cli-index-"));
	t.after(() => rmSync(folder, { recursive: true }));
	for (const [path, text] of Object.entries(files)) {
		writeFileSync(join(folder, path), text);
	}
	const who = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
	const git = (...args: string[]) =>
		execFileSync("git", [...who, ...args], { cwd: folder });
	git("init", "--quiet");
	git("add", "--all");
	git("commit", "--quiet", "--message", "all");
	return folder;
}

function ragnav(cwd: string, ...args: string[]) {
	const env = { ...process.env, FORCE_COLOR: undefined };
	const run = spawnSync(process.execPath, [CLI, ...args, "--json"], {
		cwd,
		env,
		encoding: "utf8",
	});
	return { code: run.status, answer: JSON.parse(run.stdout) };
}

test("build-graph, search, an edit, status, --check and the next build", (t) => {
	const folder = repository(t, { "a.py": "def f(): pass\n", "b.txt": "f\n" });
	assert.equal(ragnav(folder, "build-graph", "--check").code, 3);
	assert.ok(!existsSync(join(folder, ".llmc")), "a check writes nothing");
	const built = ragnav(folder, "build-graph");
	assert.equal(built.code, 0);
	assertHolds(built.answer, {
		meta: { status: "OK", freshness_state: "FRESH", reason: "HEAD_MATCHES" },
		items: [
			{ file: "a.py", change: "added" },
			{ file: "b.txt", change: "added" },
		],
		counts: { added: 2, changed: 0, removed: 0, unchanged: 0, skipped: 0 },
		up_to_date: false,
	});
	assert.equal(ragnav(folder, "build-graph", "--check").code, 0);
	assertHolds(ragnav(folder, "search", "f").answer, {
		meta: { status: "OK", source: "RAG_GRAPH" },
		total: 2,
	});
	writeFileSync(join(folder, "b.txt"), "f and more\n");
	assertHolds(ragnav(folder, "status").answer, {
		meta: { status: "FALLBACK", reason: "FILES_CHANGED" },
		items: [
			{ file: "a.py", verdict: "unchanged" },
			{ file: "b.txt", verdict: "changed", proof: "stat", reason: null },
		],
	});
	assert.equal(ragnav(folder, "build-graph", "--check").code, 3);
	const refused = ragnav(folder, "search", "f", "--stale-policy", "error");
	assert.equal(refused.code, 2);
	assertHolds(refused.answer, {
		meta: { error_code: "STALE_INDEX", freshness_state: "STALE" },
	});
	assertHolds(ragnav(folder, "build-graph").answer, {
		items: [{ file: "b.txt", change: "changed" }],
	});
});

test("on a terminal a build names what changed and status what differs", (t) => {
	const folder = repository(t, { "a.py": "def f(): pass\n" });
	const onTerminal = (...args: string[]) => {
		const command = [process.execPath, CLI, ...args].join(" ");
		const env = { ...process.env, NO_COLOR: "1", FORCE_HYPERLINK: "0" };
		const run = spawnSync("script", ["-qec", command, "/dev/null"], {
			cwd: folder,
			env,
			encoding: "utf8",
		});
		return run.stdout.replaceAll("\r\n", "\n");
	};
	assert.equal(
		onTerminal("build-graph"),
		"+ a.py\nthe index is built · 1 added, 0 changed, 0 removed, 0 unchanged, 0 skipped\n1 file · Up to date\n",
	);
	writeFileSync(join(folder, "new.py"), "");
	assert.equal(
		onTerminal("build-graph", "--check"),
		"+ new.py\na build would change the index · 1 added, 0 changed, 0 removed, 1 unchanged, 0 skipped\n2 files · Files differ from the index\n",
	);
	assert.match(
		onTerminal("status"),
		/^added new\.py \(read now\)\n1 unchanged file, 0 skipped\n/,
	);
	writeFileSync(join(folder, "a.py"), "def longer(): pass\n");
	assert.match(
		onTerminal("status"),
		/^changed a\.py \(differs from the index\)$/m,
	);
	assert.match(
		onTerminal("route"),
		/^The index answers for files that are proven unchanged; the others are read live/,
	);
});

test("an interrupted build releases its lock and exits", async (t) => {
	const folder = repository(t, { "a.py": "def f(): pass\n" });
	mkdirSync(join(folder, "many"));
	for (let n = 0; n < 3000; n++) {
		writeFileSync(
			join(folder, "many", `${n}.py`),
			"def f():\n    f()\n".repeat(50),
		);
	}
	const build = spawn(process.execPath, [CLI, "build-graph", "--json"], {
		cwd: folder,
	});
	const output: Buffer[] = [];
	build.stdout.on("data", (chunk: Buffer) => output.push(chunk));
	const lock = join(folder, ".llmc", "rag", "build.lock");
	while (!existsSync(lock) && build.exitCode === null) {
		await new Promise(setImmediate);
	}
	build.kill("SIGINT");
	const [code] = await once(build, "close");
	const { meta } = JSON.parse(Buffer.concat(output).toString());
	assert.deepEqual([code, meta.error_code], [2, "CANCELLED"]);
	assert.ok(!existsSync(lock), "the lock is given back");
	assert.equal(ragnav(folder, "build-graph").code, 0);
});

test("a build fills the store that questions are answered from", (t) => {
	const folder = repository(t, { "a.py": "def price(): pass\n" });
	const store = join(folder, ".llmc", "rag", "documents.bin");
	const without = ragnav(folder, "build-graph", "--no-documents").answer;
	assertHolds(without, { documents: null });
	assert.ok(!existsSync(store));
	assertHolds(ragnav(folder, "ask", "price").answer, {
		meta: { reason: "DOCUMENTS_MISSING" },
	});
	const filled = ragnav(folder, "build-graph").answer;
	assertHolds(filled, { documents: { documents: 1, made: 1, wrote: true } });
	assertHolds(ragnav(folder, "ask", "price").answer, {
		meta: { status: "OK", freshness_state: "FRESH" },
	});
	const again = ragnav(folder, "build-graph").answer;
	const kept = { documents: 1, made: 0, kept: 1, wrote: false };
	assertHolds(again, { up_to_date: true, documents: kept });
});

test("--watch keeps the index up to date until it is interrupted", async (t) => {
	const folder = repository(t, { "a.py": "def f(): pass\n" });
	const args = [CLI, "build-graph", "--watch", "--json"];
	const watch = spawn(process.execPath, args, { cwd: folder });
	t.after(() => watch.kill("SIGKILL"));
	const lines = createInterface({ input: watch.stdout })[
		Symbol.asyncIterator
	]();
	const nextAnswer = async () => JSON.parse((await lines.next()).value ?? "");
	assertHolds(await nextAnswer(), {
		meta: { status: "OK" },
		items: [{ file: "a.py", change: "added" }],
	});
	for (const n of [1, 2]) {
		writeFileSync(join(folder, `new${n}.py`), "def g(): pass\n");
		assertHolds(await nextAnswer(), {
			items: [{ file: `new${n}.py`, change: "added" }],
		});
	}
	watch.kill("SIGTERM");
	assert.deepEqual(await once(watch, "close"), [0, null]);
	assert.ok(!existsSync(join(folder, ".llmc", "rag", "build.lock")));
	assert.equal(ragnav(folder, "build-graph", "--check").code, 0);
	const conflict = spawnSync(process.execPath, [...args, "--check"]);
	assert.equal(conflict.status, 2);
	const nowhere = [...args, "--repo", join(folder, "nowhere")];
	const refused = spawnSync(process.execPath, nowhere, { encoding: "utf8" });
	assert.equal(refused.status, 2);
	assertHolds(JSON.parse(refused.stdout), {
		meta: { error_code: "REPO_NOT_FOUND" },
	});
});
