// The navigator never rejects, can be cancelled, and works with any host.
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { strToU8, zipSync } from "fflate";
import {
	type Host,
	init,
	type OpenOptions,
	open,
	RagnavError,
	type RagResult,
} from "#ragnav";
import { memoryHost } from "#ragnav/hosts/memory";
import { nodeHost } from "#ragnav/hosts/node";
import { zipHost } from "#ragnav/hosts/zip";
import { assertHolds } from "./cases.js";
import { put } from "./hosts/helpers.js";
import { indexedRepo } from "./index-repo.js";

const FILES = { "a.py": "def f():\n    return needle\n", "b.txt": "needle\n" };

/** An asynchronous host. */
function slowHost(host: Host = memoryHost(FILES)): Host {
	const later = async <T>(value: T): Promise<Awaited<T>> => {
		await new Promise((resolve) => setImmediate(resolve));
		return await value;
	};
	return {
		gitHead: () => later(host.gitHead()),
		readDirs: (paths) => later(host.readDirs(paths)),
		readMany: (paths, options) => later(host.readMany(paths, options)),
	};
}

/** A host that never responds to reads. */
function stuckHost(): Host {
	return { ...slowHost(), readDirs: () => new Promise(() => undefined) };
}

test("an asynchronous host gives the same answer", async () => {
	const [now, later] = [await open(memoryHost(FILES)), await open(slowHost())];
	const answer = await now.search("needle");
	assert.deepEqual(await later.search("needle"), answer);
	assert.equal(answer.total, 2);
	now.close();
	later.close();
});

test("concurrent queries on one navigator give equal answers", async () => {
	const nav = await open(slowHost());
	const queries = ["needle", "def", "absent"].map((query) => nav.search(query));
	const totals = (await Promise.all(queries)).map((answer) => answer.total);
	assert.deepEqual(totals, [2, 1, 0]);
	nav.close();
});

test("a signal cancels a query before and during it", async () => {
	const nav = await open(stuckHost());
	const cancelled = {
		meta: { status: "ERROR", error_code: "CANCELLED", source: "NONE" },
		items: [],
	};
	assertHolds(
		await nav.search("x", { signal: AbortSignal.abort() }),
		cancelled,
	);
	const controller = new AbortController();
	const queries = nav.search("x", { signal: controller.signal });
	setImmediate(() => controller.abort());
	assertHolds(await queries, cancelled);
	const locating = new AbortController();
	const locate = nav.locate("x", { signal: locating.signal });
	locating.abort();
	assertHolds(await locate, cancelled);
	nav.close();
});

test("many queries share one listener of their signal, which ends with them", async () => {
	const controller = new AbortController();
	const { signal } = controller;
	const listeners = () => getEventListeners(signal, "abort").length;
	const [nav, stuck] = [await open(slowHost()), await open(stuckHost())];
	const ask = (of: typeof nav) => of.search("needle", { signal });
	for (const _round of [1, 2]) {
		const queries = Array.from({ length: 20 }, () => ask(nav));
		await new Promise((resolve) => setImmediate(resolve));
		assert.equal(listeners(), 1);
		for (const { total } of await Promise.all(queries)) assert.equal(total, 2);
		assert.equal(listeners(), 0);
	}
	const cancelled = Array.from({ length: 20 }, () => ask(stuck));
	setImmediate(() => controller.abort());
	for (const { meta } of await Promise.all(cancelled)) {
		assert.equal(meta.error_code, "CANCELLED");
	}
	assert.equal(listeners(), 0);
	nav.close();
	stuck.close();
});

test("a time limit ends a query whose host never responds", async () => {
	const nav = await open(stuckHost());
	const answer = await nav.search("x", { timeout_ms: 20 });
	assertHolds(answer, {
		meta: { status: "ERROR", error_code: "TIMEOUT" },
		truncated: false,
		total: null,
	});
	assert.match(answer.meta.message ?? "", /timeout_ms/);
	nav.close();
});

test("an invalid time limit is refused", async () => {
	const nav = await open(memoryHost(FILES));
	for (const timeout_ms of [0, -1, Number.NaN, "soon" as unknown as number]) {
		assert.equal(
			(await nav.search("x", { timeout_ms })).meta.error_code,
			"INVALID_ARGUMENT",
		);
	}
	nav.close();
});

test("a time limit longer than timers support does not end the query at once", async () => {
	const nav = await open(slowHost());
	for (const timeout_ms of [3e9, Number.POSITIVE_INFINITY]) {
		assert.equal((await nav.search("needle", { timeout_ms })).total, 2);
	}
	nav.close();
});

test("close ends a query whose host never responds", async () => {
	const nav = await open(stuckHost());
	const queries = nav.search("x");
	setImmediate(() => nav.close());
	assert.equal((await queries).meta.error_code, "CLOSED");
});

test("unknown options are refused by name", async () => {
	const nav = await open(memoryHost(FILES), null);
	const signal = {} as AbortSignal;
	assertHolds((await nav.search("x", { signal })).meta, {
		error_code: "INVALID_ARGUMENT",
	});
	const stale_policy = "bogus" as "merge";
	assertHolds((await nav.locate("x", { stale_policy })).meta, {
		error_code: "INVALID_ARGUMENT",
	});
	await assert.rejects(open(memoryHost(FILES), { stale_policy }), RagnavError);
	nav.close();
});

test("status refuses receipts, which it does not have", async () => {
	const nav = await open(memoryHost(FILES));
	const { meta } = await nav.search("needle");
	const options = { since: meta.receipt } as object;
	const answer = await nav.status(options);
	assert.equal(answer.meta.error_code, "INVALID_ARGUMENT");
	assert.equal(
		answer.meta.message,
		'there is no option "since"; the options are stale_policy, limit, signal, timeout_ms, onProgress',
	);
	assert.deepEqual(answer.items, []);
	const failed = await nav.status("all" as unknown as object);
	assert.equal(failed.meta.message, "options must be an object, not string");
	nav.close();
});

test("the policy error, for the repository or for a query", async () => {
	const strict = await open(memoryHost(FILES), { stale_policy: "error" });
	assertHolds((await strict.search("needle")).meta, {
		status: "ERROR",
		error_code: "STALE_INDEX",
	});
	assertHolds((await strict.identify("a.py", 1)).meta, {
		error_code: "STALE_INDEX",
	});
	assert.equal(
		(await strict.search("needle", { stale_policy: "merge" })).total,
		2,
	);
	strict.close();
});

test("the message of a failing host is in the answer", async () => {
	const host = memoryHost(FILES);
	host.gitHead = () => {
		throw new Error("git is on fire");
	};
	const nav = await open(host);
	const { meta } = await nav.search("needle");
	assertHolds(meta, { status: "FALLBACK", reason: "HOST_FAILED" });
	assert.match(meta.message ?? "", /git is on fire/);
	nav.close();
});

test("after close, running and later queries answer CLOSED", async () => {
	const nav = await open(slowHost());
	const underWay = nav.search("needle");
	nav.close();
	assert.equal((await underWay).meta.error_code, "CLOSED");
	assert.equal((await nav.locate("f")).meta.error_code, "CLOSED");
	assert.equal((await nav.identify("a.py", 1)).meta.error_code, "CLOSED");
	assertHolds(await nav.route(), {
		use_rag: false,
		freshness_state: "UNKNOWN",
	});
	nav.close();
	const other = await open(memoryHost(FILES));
	assert.equal((await other.search("needle")).total, 2);
	other[Symbol.dispose]();
	assert.equal((await other.search("needle")).meta.error_code, "CLOSED");
});

test("a host that throws or returns invalid values is an ERROR with a message", async () => {
	const broken: [Partial<Host>, string, RegExp][] = [
		[
			{
				readDirs: () => {
					throw new Error("disk on fire");
				},
			},
			"HOST_FAILED",
			/disk on fire/,
		],
		[
			{ readDirs: () => Promise.reject(new Error("no network")) },
			"HOST_FAILED",
			/no network/,
		],
		[{ readDirs: () => [] }, "HOST_FAILED", /returned 0 items for 1/],
		[{ readDirs: () => 7 as never }, "HOST_FAILED", /wrong type/],
		[
			{ readDirs: () => [[{ name: "a", kind: "door" }]] as never },
			"HOST_FAILED",
			/wrong type/,
		],
		[
			{ readDirs: () => [{ error: "missing" }] },
			"REPO_NOT_FOUND",
			/no such folder/,
		],
		[
			{ readMany: (paths) => paths.map(() => "text") as never },
			"HOST_FAILED",
			/wrong type/,
		],
	];
	for (const [methods, code, message] of broken) {
		const nav = await open({
			...memoryHost(FILES),
			...methods,
			gitHead: () => null,
		});
		const { meta } = await nav.locate("f");
		assert.equal(meta.error_code, code);
		assert.match(meta.message ?? "", message);
		nav.close();
	}
});

/** An array of bytes larger than any memory of WebAssembly. */
class Liar extends Uint8Array {
	override get length(): number {
		return 0xffff_ffff;
	}
}

test("a defect of the core is INTERNAL_PANIC, and the next query works", async () => {
	const host = memoryHost(FILES);
	const honest = host.readMany.bind(host);
	let lying = true;
	const nav = await open({
		...host,
		gitHead: () => null,
		readDirs: host.readDirs.bind(host),
		readMany: (paths, options) =>
			lying ? paths.map(() => new Liar(1)) : honest(paths, options),
	});
	const answer = await nav.search("needle");
	assertHolds(answer.meta, { status: "ERROR", error_code: "INTERNAL_PANIC" });
	lying = false;
	assert.equal((await nav.search("needle")).total, 2);
	nav.close();
});

test("after a defect in any query or build, the next one works", async (t) => {
	const folder = await indexedRepo(t);
	const host = nodeHost(folder);
	let lying = false;
	const nav = await open(
		{
			...host,
			readMany: (paths, options) =>
				lying ? paths.map(() => new Liar(1)) : host.readMany(paths, options),
		},
		{ workers: 0 },
	);
	const queries: (() => Promise<RagResult<unknown>>)[] = [
		() => nav.search("needle"),
		() => nav.whereUsed("login"),
		() => nav.lineage("login", "upstream"),
		() => nav.locate("login"),
		() => nav.identify("src/auth.py", 1),
		() => nav.ask("who logs in?"),
		() => nav.buildGraph(),
	];
	for (const ask of queries) {
		put(
			join(folder, "src/util.py"),
			`def helper(): return ${queries.indexOf(ask)}
`,
		);
		lying = true;
		const { meta, items } = await ask();
		assert.deepEqual(
			[meta.error_code, items],
			["INTERNAL_PANIC", []],
			`${ask}`,
		);
		lying = false;
		assert.notEqual((await ask()).meta.status, "ERROR", `${ask}`);
	}
	assert.equal((await nav.search("needle")).meta.status, "OK");
	nav.close();
});

test("onProgress is called while files are read", async () => {
	const big = "x\n".repeat(600_000);
	const nav = await open(
		memoryHost({ "a.txt": big, "b.txt": big, "c.txt": "x" }),
	);
	const told: [number, number | null][] = [];
	await nav.search("x", {
		onProgress: ({ done, total }) => told.push([done, total]),
	});
	assert.deepEqual(told, [
		[1, 3],
		[2, 3],
	]);
	nav.close();
});

test("open refuses invalid hosts and options", async () => {
	const refused: [unknown, unknown][] = [
		[null, {}],
		[{}, {}],
		[{ gitHead: () => null }, {}],
		[memoryHost({}), { max_files: 0 }],
		[memoryHost({}), { max_file_bytes: "large" }],
		[memoryHost({}), 7],
	];
	for (const [host, options] of refused) {
		await assert.rejects(
			open(host as Host, options as OpenOptions),
			(error) =>
				error instanceof RagnavError && error.code === "INVALID_ARGUMENT",
			JSON.stringify(options),
		);
	}
});

test("open refuses an unknown option and names those that exist", async () => {
	for (const name of ["stalePolicy", "maxFiles", "constructor"]) {
		const options = { max_files: 5, [name]: 1 } as OpenOptions;
		await assert.rejects(open(memoryHost(FILES), options), (error) => {
			assert.ok(error instanceof RagnavError);
			assert.equal(error.code, "INVALID_ARGUMENT");
			const words = `there is no option "${name}"; the options are stale_policy, `;
			assert.ok(error.message.startsWith(words), error.message);
			return true;
		});
	}
	const absent = { maxFiles: undefined, other: null } as OpenOptions;
	(await open(memoryHost(FILES), absent)).close();
});

test("a host refuses an unknown option, so a misspelt one cannot let it write", () => {
	const options = { readonly: true } as object;
	const refused = {
		name: "RagnavError",
		message: /^there is no option "readonly"; the options are .*readOnly/,
	};
	assert.throws(() => nodeHost(".", options), refused);
	assert.throws(() => memoryHost(FILES, options), refused);
});

test("init refuses an unknown option and names those that exist", async () => {
	await assert.rejects(init(null, { language: ["python"] } as object), {
		name: "RagnavError",
		code: "INVALID_ARGUMENT",
		message:
			'there is no option "language"; the options are grammars, languages',
	});
	await init(null, null);
});

test("zipHost refuses limits that it does not have, and completes those given", () => {
	const archive = zipSync({ "a.py": strToU8("x = 1\n"), "b.py": strToU8("") });
	const refused = (limits: object, message: string) =>
		assert.throws(() => zipHost(archive, limits), {
			code: "INVALID_ARGUMENT",
			message,
		});
	refused(
		{ file_byte: 1 },
		'there is no option "file_byte"; the options are files, file_bytes, total_bytes, ratio',
	);
	refused(
		{ files: Number.NaN },
		"files must be a number of at least 0, or Infinity, not NaN",
	);
	assert.equal(zipHost(archive, { file_bytes: 1 }).left_out, 1);
	assert.equal(zipHost(archive, null).left_out, 0);
	assert.throws(() => zipHost(archive, { files: 1 }), /more than 1 files/);
});

test("many navigators can be opened and closed", async () => {
	for (let round = 0; round < 50; round++) {
		const nav = await open(memoryHost(FILES));
		assert.equal((await nav.search("needle")).total, 2);
		nav.close();
	}
});
