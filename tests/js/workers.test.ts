// Builds with workers: the index equals that of one thread, and no worker remains.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { open, type Progress } from "#ragnav";
import { type MemoryHost, memoryHost } from "#ragnav/hosts/memory";
import { nodeHost } from "#ragnav/hosts/node";
import type { Host } from "../../js/core/host.js";
import {
	HelperPanic,
	HelperPool,
	type StartHelpers,
} from "../../js/core/workers/pool.js";
import type { Helper, Result, Task } from "../../js/core/workers/protocol.js";
import type { ExtractRequest } from "../../js/generated/glue.js";
import { GRAPH, STATUS, sourceRepo, withNavigator } from "./index-repo.js";

const COUNT = 300;
const HEAD = "0123456789abcdef0123456789abcdef01234567";

function sources(): Record<string, string> {
	const files = Array.from({ length: COUNT }, (_, at) => [
		`lib/m${at}.${at % 2 === 0 ? "py" : "ts"}`,
		at % 2 === 0
			? `from lib.m${at + 2} import f${at + 2}\n\n\ndef f${at}(x):\n    return f${at + 2}(x)\n`
			: `import { g${at + 2} } from "./m${at + 2}";\nexport function g${at}(): number {\n\treturn g${at + 2}();\n}\n`,
	]);
	return { ...Object.fromEntries(files), "notes.md": "text\n", "b.bin": "\0" };
}

/** A host whose stamps equal those of every other such host. */
function inMemory(): MemoryHost {
	const host = memoryHost(sources(), {
		head: HEAD,
		now: () => "2026-01-01T00:00:00.000Z",
	});
	const stat = host.stat.bind(host);
	host.stat = (paths) =>
		stat(paths).map((found) =>
			"error" in found ? found : { ...found, stamp: "same" },
		);
	return host;
}

async function built(host: Host, workers: number) {
	const nav = await open(host, { workers });
	const result = await nav.buildGraph();
	assert.equal(result.meta.status, "OK", `${result.meta.message}`);
	nav.close();
	return result;
}

test("every number of workers builds the same index, byte for byte", async () => {
	const hosts = await Promise.all(
		[0, 1, 2, 5].map(async (workers) => {
			const host = inMemory();
			await built(host, workers);
			return host;
		}),
	);
	const own = (host: MemoryHost) =>
		[...host.files].filter(([path]) => path.startsWith(".llmc/"));
	const [alone, ...others] = hosts.map((host) => new Map(own(host)));
	for (const other of others) {
		assert.deepEqual(
			[...other.keys()].sort(),
			[...(alone?.keys() ?? [])].sort(),
		);
		for (const [path, bytes] of other) {
			assert.deepEqual(bytes, alone?.get(path), path);
		}
	}
});

test("workers build a folder on disk, with progress, and update it", async (t) => {
	const folder = sourceRepo(t, sources());
	const reported: Progress[] = [];
	await withNavigator(nodeHost(folder), async (nav) => {
		const result = await nav.buildGraph({
			onProgress: (progress) => reported.push({ ...progress }),
		});
		assert.deepEqual(
			[result.counts.added, result.counts.skipped],
			[COUNT + 1, 1],
		);
		const done = reported.map((progress) => progress.done);
		assert.deepEqual(
			done,
			[...done].sort((a, b) => a - b),
		);
		assert.equal(done.at(-1), COUNT + 2);
		const again = await nav.buildGraph();
		assert.equal(again.up_to_date, true);
		const found = await nav.whereUsed("f20");
		assert.equal(found.meta.status, "OK");
		assert.equal(found.items.length, 2);
		assert.ok(nav.memoryBytes > 0);
		assert.equal((await nav.status()).wasm_memory_bytes, nav.memoryBytes);
	});
});

test("a build that is cancelled while workers run leaves the old index", async (t) => {
	const folder = sourceRepo(t);
	await built(nodeHost(folder), 0);
	const kept = () =>
		[GRAPH, STATUS].map((path) => readFileSync(join(folder, path), "utf8"));
	const before = kept();
	const large = memoryHost(sources());
	const host = {
		...nodeHost(folder),
		// The sources of another repository, with the same index.
		readDirs: (paths: string[]) =>
			paths.map((path, at) =>
				path.startsWith(".llmc")
					? (nodeHost(folder).readDirs([path])[0] ?? [])
					: (large.readDirs(paths)[at] ?? []),
			),
		readMany: (paths: string[], options: { max_bytes: number }) =>
			paths.every((path) => path.startsWith(".llmc"))
				? nodeHost(folder).readMany(paths, options)
				: large.readMany(paths, options),
	};
	const nav = await open(host, { workers: 2 });
	const stop = new AbortController();
	const result = await nav.buildGraph({
		signal: stop.signal,
		onProgress: ({ done }) => done > 30 && stop.abort(),
	});
	assert.equal(result.meta.error_code, "CANCELLED");
	assert.deepEqual(kept(), before);
	assert.ok(!readdirSync(join(folder, ".llmc/rag")).includes("build.lock"));
	nav.close();
	await withNavigator(nodeHost(folder), async (after) =>
		assert.equal((await after.search("needle")).meta.status, "OK"),
	);
});

test("invalid values of workers are refused", async () => {
	for (const workers of [-1, 1.5, 65, Number.NaN, "2"]) {
		await assert.rejects(open(inMemory(), { workers: workers as number }), {
			code: "INVALID_ARGUMENT",
		});
	}
});

const REQUEST: ExtractRequest = {
	files: Array.from({ length: 100 }, (_, at) => ({
		path: `f${at}`,
		recorded_hash: null,
	})),
	languages: [],
	max_bytes: 10,
	progress: { done: 0, total: 100, phase: "files" },
};

const files: Pick<Host, "readMany"> = {
	readMany: async (paths) =>
		paths.map((path) =>
			path === "f7" ? { error: "denied" } : new TextEncoder().encode(path),
		),
};

/** Scripted workers. */
function helpers(
	answer: (task: Task) => Result | "fails",
	count = 2,
): StartHelpers & { stopped: number } {
	const started = {
		stopped: 0,
		count: () => count,
		start(): Helper {
			let result: (result: Result) => void = () => undefined;
			let failure: () => void = () => undefined;
			return {
				post(message) {
					if (!("files" in message)) return;
					queueMicrotask(() => {
						const given = answer(message);
						if (given === "fails") failure();
						else result(given);
					});
				},
				listen(onResult, onFailure) {
					result = onResult;
					failure = onFailure;
				},
				stop: () => {
					started.stopped += 1;
				},
			};
		},
	};
	return started;
}

/** Returns each file's own bytes. */
const echo = ({ id, files, bytes }: Task): Result => ({
	id,
	bytes: bytes.slice(0),
	lengths: files.map(({ length }) => length),
});

const MODULE = {} as WebAssembly.Module;

test("extracts are in the order of the request", async () => {
	const done: number[] = [];
	const started = helpers(echo);
	const pool = new HelperPool(MODULE, started);
	const extracts = await pool.extract(REQUEST, files as Host, (count) =>
		done.push(count),
	);
	const texts = extracts?.map((found) =>
		found instanceof Uint8Array ? new TextDecoder().decode(found) : found,
	);
	const right = REQUEST.files.map(({ path }) =>
		path === "f7" ? { error: "denied" } : path,
	);
	assert.deepEqual(texts, right);
	assert.equal(done.at(-1), 100);
	pool.stop();
	assert.equal(started.stopped, 2);
});

test("if workers cannot start or fail, the core does the work", async () => {
	const refused = helpers(echo);
	refused.start = () => {
		throw new Error("no workers here");
	};
	const none = helpers(echo, 0);
	const failing = helpers(() => "fails");
	let tasks = 0;
	const late = helpers((task) => (++tasks > 3 ? "fails" : echo(task)));
	for (const started of [refused, none, failing, late]) {
		const pool = new HelperPool(MODULE, started);
		const ignored = () => undefined;
		assert.equal(await pool.extract(REQUEST, files as Host, ignored), null);
		assert.equal(await pool.extract(REQUEST, files as Host, ignored), null);
	}
});

test("a defect of a worker's core is INTERNAL_PANIC", async () => {
	const broken = helpers(({ id }) => ({ id, panic: "unreachable" }));
	const pool = new HelperPool(MODULE, broken);
	await assert.rejects(
		pool.extract(REQUEST, files as Host, () => undefined),
		HelperPanic,
	);
});

test("a host that returns another number of files is reported", async () => {
	const pool = new HelperPool(MODULE, helpers(echo));
	const short = { readMany: () => [] } as unknown as Host;
	await assert.rejects(
		pool.extract(REQUEST, short, () => undefined),
		/asked for 16 files and answered for 0/,
	);
});
