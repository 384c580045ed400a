// A watched repository: rows equal those of a verification, and the index is kept up to date.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
	appendFileSync,
	linkSync,
	mkdirSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import {
	type BuildResult,
	type Host,
	type Navigator,
	open,
	type Watching,
	type WatchOptions,
} from "#ragnav";
import { memoryHost } from "#ragnav/hosts/memory";
import { nodeHost } from "#ragnav/hosts/node";
import { commit, git, put, temporaryFolder } from "./hosts/helpers.js";
import { indexedRepo, sourceRepo } from "./index-repo.js";
import { assertTruthful } from "./truthful.js";

const skip =
	process.platform !== "linux" && "proofs of the watcher need inotify";

async function opened(t: TestContext, host: Host): Promise<Navigator> {
	const nav = await open(host);
	t.after(() => nav.close());
	return nav;
}

/** Waits for a callback, and keeps the process running. */
async function waitForCallback<T>(
	begin: (tell: (value: T) => void) => void,
): Promise<T> {
	const alive = setInterval(() => undefined, 1000);
	try {
		return await new Promise<T>((resolve) => begin(resolve));
	} finally {
		clearInterval(alive);
	}
}

/** Opens a navigator that watches and one that does not, over the same folder. */
async function pair(t: TestContext, folder: string) {
	const watching = await opened(t, nodeHost(folder));
	const word = await watching.watch({ build: false });
	assert.equal(await word.vouches(), true, `${word.reason}`);
	return { watching, looking: await opened(t, nodeHost(folder)) };
}

/** Fields that may differ between two navigators that answer alike. */
const OF_ONE_NAVIGATOR = ["proof", "wasm_memory_bytes"];

async function answersOf(nav: Navigator): Promise<unknown> {
	const answers = [
		await nav.status(),
		await nav.search("needle"),
		await nav.search("needle", { include: ["*.py"] }),
		await nav.locate("login"),
		await nav.locate("helper", { stale_policy: "allow" }),
		await nav.whereUsed("helper"),
		await nav.lineage("login", "upstream"),
		await nav.identify("src/auth.py", 2),
	];
	for (const answer of answers.slice(0, 4)) assertTruthful(answer);
	return JSON.parse(
		JSON.stringify([...answers, await nav.route()], (key, value) =>
			OF_ONE_NAVIGATOR.includes(key) ? undefined : value,
		),
	);
}

test("every kind of edit is visible at once", {
	skip,
}, async (t) => {
	const folder = await indexedRepo(t);
	const { watching, looking } = await pair(t, folder);
	const at = (path: string) => join(folder, path);
	const edits: [string, () => void][] = [
		["nothing", () => undefined],
		["edit", () => put(at("src/auth.py"), "def login():\n    needle\n")],
		[
			"create",
			() => put(at("src/new.py"), "from util import helper\nhelper()\n"),
		],
		["delete", () => rmSync(at("notes.md"))],
		["rename", () => renameSync(at("src/util.py"), at("src/tool.py"))],
		["new folder", () => mkdirSync(at("src/deep"))],
		["in it", () => put(at("src/deep/a.py"), "needle = 1\n")],
		["edit in it", () => appendFileSync(at("src/deep/a.py"), "needle\n")],
		["rename it", () => renameSync(at("src/deep"), at("src/deeper"))],
		["edit in that", () => appendFileSync(at("src/deeper/a.py"), "needle\n")],
		["ignore", () => put(at(".gitignore"), "deeper\n")],
		["exclude", () => put(at(".git/info/exclude"), "logo.bin\n")],
		["ignore another way", () => put(at("src/.ignore"), "new.py\n")],
		["ignore nothing", () => rmSync(at(".gitignore"))],
		["commit", () => commit(folder, "second")],
		["remove a folder", () => rmSync(at("src/deeper"), { recursive: true })],
	];
	for (const [name, edit] of edits) {
		edit();
		const right = await answersOf(looking);
		assert.deepEqual(await answersOf(watching), right, name);
		assert.deepEqual(await answersOf(watching), right, `${name}, again`);
	}
	await watching.buildGraph();
	assert.deepEqual(await answersOf(watching), await answersOf(looking));
	rmSync(folder, { recursive: true });
	assert.deepEqual(await answersOf(watching), await answersOf(looking), "gone");
});

test("edits through a hard link outside of the repository are visible", {
	skip,
}, async (t) => {
	const folder = await indexedRepo(t);
	const outside = join(temporaryFolder(t), "auth.py");
	linkSync(join(folder, "src/auth.py"), outside);
	const { watching, looking } = await pair(t, folder);
	await answersOf(watching);
	for (const text of ["def login():\n    needle\n", "needle = 1\n"]) {
		writeFileSync(outside, text);
		const right = await answersOf(looking);
		assert.deepEqual(await answersOf(watching), right, text);
	}
});

test("rows are right at once after each of many edits", { skip }, async (t) => {
	const folder = await indexedRepo(t);
	const { watching } = await pair(t, folder);
	for (let i = 0; i < 1000; i++) {
		const path = join(folder, "src", i % 3 === 0 ? "util.py" : "auth.py");
		writeFileSync(path, `${"\n".repeat(i % 10)}def login${i}():\n    pass\n`);
		const { items } = await watching.locate(`login${i}`);
		const lines = items.map(({ start_line }) => start_line);
		assert.deepEqual(lines, [(i % 10) + 1], `edit ${i}`);
	}
});

test("statuses have the proof watch", { skip }, async (t) => {
	const folder = await indexedRepo(t);
	const { watching } = await pair(t, folder);
	const [definition] = (await watching.locate("login")).items;
	assert.equal(definition?.proof, "watch");
	const { items, meta } = await watching.status();
	assert.equal(meta.status, "OK");
	assert.deepEqual(
		new Set(items.map(({ proof }) => proof)),
		new Set(["watch"]),
	);
	// ragnav reads and hashes the text of rows.
	assert.equal((await watching.search("login")).items[0]?.proof, "hash");
});

const PATHS = [
	"a.py",
	"src/auth.py",
	"src/x/b.py",
	"src/x",
	".gitignore",
	"notes.md",
];
const TEXTS = [
	"",
	"def login():\n    needle\n",
	"from src.util import helper\nhelper()\n",
	"*.md\nx\n",
];

test("random edits are visible", { skip }, async (t) => {
	const step = fc.tuple(
		fc.constantFrom("put", "remove", "move", "build", "commit"),
		fc.constantFrom(...PATHS),
		fc.constantFrom(...PATHS),
		fc.constantFrom(...TEXTS),
	);
	const folder = await indexedRepo(t);
	const { watching, looking } = await pair(t, folder);
	await fc.assert(
		fc.asyncProperty(
			fc.array(step, { minLength: 1, maxLength: 6 }),
			async (steps) => {
				for (const [what, path, other, text] of steps) {
					try {
						if (what === "put") put(join(folder, path), text);
						if (what === "remove")
							rmSync(join(folder, path), { recursive: true });
						if (what === "move")
							renameSync(join(folder, path), join(folder, other));
					} catch {
						// The operation may not fit the tree, which is then unchanged.
					}
					if (what === "build") await watching.buildGraph();
					if (what === "commit") commit(folder, "next");
					assert.deepEqual(await answersOf(watching), await answersOf(looking));
				}
			},
		),
		{ numRuns: 40 },
	);
});

/** Watches, and waits for builds. */
async function builds(t: TestContext, host: Host, options: WatchOptions = {}) {
	const nav = await opened(t, host);
	const results: BuildResult[] = [];
	let next: (result: BuildResult) => void = () => undefined;
	const watching = await nav.watch({
		delay_ms: 5,
		...options,
		onBuild: (result) => {
			results.push(result);
			next(result);
		},
	});
	const after = async (
		change: () => void,
		holds: (result: BuildResult) => boolean,
	) => {
		await waitForCallback<void>((tell) => {
			next = (result) => {
				if (holds(result)) tell();
			};
			change();
		});
	};
	return { nav, watching, results, after };
}

const named = (file: string) => (result: BuildResult) =>
	result.items.some((item) => item.file === file);

test("the index is rebuilt after changes of files and of HEAD", {
	skip,
}, async (t) => {
	const folder = sourceRepo(t);
	const { nav, results, after } = await builds(t, nodeHost(folder));
	assert.equal(results.length, 1, "it is built at once");
	assert.equal((await nav.route()).reason, "HEAD_MATCHES");
	await after(
		() => put(join(folder, "src/auth.py"), "x = 1\n"),
		named("src/auth.py"),
	);
	await after(
		() => put(join(folder, "deep/er/new.py"), "def new():\n    pass\n"),
		named("deep/er/new.py"),
	);
	await after(
		() => appendFileSync(join(folder, "deep/er/new.py"), "y = 1\n"),
		named("deep/er/new.py"),
	);
	await after(
		() => rmSync(join(folder, "deep"), { recursive: true }),
		named("deep/er/new.py"),
	);
	assert.equal((await nav.route()).reason, "HEAD_MATCHES");
	await after(
		() => commit(folder, "second"),
		({ meta }) => meta.head === git(folder, "rev-parse", "HEAD"),
	);
	assert.equal((await nav.route()).reason, "HEAD_MATCHES");
	const other = await opened(t, nodeHost(folder));
	assert.equal((await other.status()).meta.status, "OK");
});

test("a failed build is reported, and the next change starts another one", {
	skip,
}, async (t) => {
	const folder = sourceRepo(t);
	const host = nodeHost(folder);
	const { write } = host;
	let isFull = false;
	host.write = (...given) => {
		if (isFull) throw new Error("no space left");
		write?.(...given);
	};
	const { after } = await builds(t, host);
	isFull = true;
	await after(
		() => put(join(folder, "a.py"), "x = 1\n"),
		({ meta }) => meta.error_code === "INDEX_WRITE_FAILED",
	);
	isFull = false;
	await after(() => put(join(folder, "b.py"), "x = 1\n"), named("a.py"));
});

test("the writes of a build do not count as changes", { skip }, async (t) => {
	const folder = await indexedRepo(t);
	const host = nodeHost(folder);
	const watcher = host.watch(() => undefined);
	t.after(() => watcher.close());
	const nav = await opened(t, host);
	put(join(folder, "src/auth.py"), "x = 1\n");
	await nav.status();
	const before = watcher.token();
	assert.equal((await nav.buildGraph()).up_to_date, false);
	assert.equal(watcher.token(), before);
});

test("a host in memory is watched through its files", async (t) => {
	const host = memoryHost(
		{ "a.py": "def one():\n    pass\n" },
		{ head: "a".repeat(40) },
	);
	const { nav, watching, results, after } = await builds(t, host);
	assert.deepEqual([await watching.vouches(), watching.reason], [true, null]);
	assert.equal((await nav.locate("one")).items[0]?.proof, "watch");
	await after(
		() => host.files.set("b.py", Buffer.from("def two():\n    one()\n")),
		named("b.py"),
	);
	await after(() => host.files.delete("a.py"), named("a.py"));
	assert.equal((await nav.locate("one")).items.length, 0);
	const count = results.length;
	watching.close();
	host.files.set("c.py", Buffer.from("def three():\n    pass\n"));
	assert.deepEqual([await watching.vouches(), results.length], [false, count]);
	assert.equal((await nav.locate("three")).items[0]?.proof, "live");
});

test("a callback that throws stops no build", async (t) => {
	const thrown: unknown[] = [];
	const { reportError } = globalThis;
	globalThis.reportError = (error) => thrown.push(error);
	t.after(() => {
		globalThis.reportError = reportError;
	});
	const host = memoryHost({ "a.py": "x = 1\n" });
	const nav = await opened(t, host);
	const failure = new Error("a defect of the caller");
	let count = 0;
	await waitForCallback<void>((tell) => {
		const onBuild = () => {
			count += 1;
			if (count === 2) tell();
			throw failure;
		};
		const onChange = () => {
			throw failure;
		};
		const watching = nav.watch({ delay_ms: 0, onBuild, onChange });
		void watching.then(() => host.files.set("b.py", Buffer.from("x = 1\n")));
	});
	assert.ok(thrown.length >= 2);
	assert.ok(thrown.every((error) => error === failure));
});

test("builds run one at a time, and each change is in one of them", async (t) => {
	const host = memoryHost({ "a.py": "x = 1\n" });
	const nav = await opened(t, host);
	let running = 0;
	const { buildGraph } = nav;
	nav.buildGraph = async (options) => {
		running += 1;
		assert.equal(running, 1);
		const result = await buildGraph.call(nav, options);
		await new Promise((resolve) => setImmediate(resolve));
		running -= 1;
		return result;
	};
	const files = new Set<string>();
	await waitForCallback<void>((tell) => {
		const onBuild = (result: BuildResult) => {
			for (const { file } of result.items) files.add(file);
			if (files.has("f49.py") && files.size === 51) tell();
		};
		for (const _ of [1, 2]) void nav.watch({ delay_ms: 0, onBuild });
		for (let i = 0; i < 50; i++)
			host.files.set(`f${i}.py`, Buffer.from("x = 1\n"));
	});
	nav.close();
});

test("a host that cannot watch reports the reason, and nothing rejects", async (t) => {
	const reasons: [Host, WatchOptions, RegExp][] = [
		[
			{ ...memoryHost({}), watch: undefined } as unknown as Host,
			{},
			/no `watch`/,
		],
		[
			{
				...memoryHost({}),
				watch: () => {
					throw new Error("not today");
				},
			},
			{},
			/not today/,
		],
		[memoryHost({}), { delay_ms: -1 }, /delay_ms/],
		[memoryHost({}), { delay_ms: Number.NaN }, /delay_ms/],
	];
	for (const [host, options, reason] of reasons) {
		const nav = await opened(t, host);
		const watching = await nav.watch(options);
		assert.match(`${watching.reason}`, reason);
		assert.equal(await watching.vouches(), false);
		watching.close();
		nav.close();
		assert.match(`${(await nav.watch()).reason}`, /closed/);
	}
});

test("options that watch does not have are refused, and build nothing", async (t) => {
	const refused: [unknown, RegExp][] = [
		[{ biuld: false }, /^there is no option "biuld"; the options are build, /],
		["build", /^options must be an object, not string$/],
	];
	for (const [options, reason] of refused) {
		const nav = await opened(t, memoryHost({ "a.py": "x = 1\n" }));
		const watching = await nav.watch(options as object);
		assert.match(`${watching.reason}`, reason);
		assert.equal((await nav.route()).reason, "NO_STATUS");
	}
});

test("a watcher that fails or returns invalid tokens proves nothing", async (t) => {
	const files = { "a.py": "def one():\n    pass\n" };
	const tokens: (() => unknown)[] = [
		() => null,
		() => 7,
		() => undefined,
		() => {
			throw new Error("no");
		},
		() => Promise.reject(new Error("no")),
	];
	for (const token of tokens) {
		const host = {
			...memoryHost(files),
			watch: () => ({ token, close: () => undefined }),
		} as unknown as Host;
		const nav = await opened(t, host);
		await nav.watch();
		assert.equal((await nav.locate("one")).items[0]?.proof, "stat");
	}
});

test("close stops watching", { skip }, async (t) => {
	const folder = await indexedRepo(t);
	const nav = await opened(t, nodeHost(folder));
	const closed: Watching = await nav.watch({ build: false });
	const other = await nav.watch({ build: false });
	closed.close();
	closed[Symbol.dispose]();
	assert.equal(await other.vouches(), true);
	assert.equal((await nav.locate("login")).items[0]?.proof, "watch");
	other.close();
	assert.notEqual((await nav.locate("login")).items[0]?.proof, "watch");
	const last = await nav.watch({ build: false });
	nav.close();
	assert.equal(await last.vouches(), false);
});

test("watching does not keep the process running", () => {
	const source = `
		import { open } from "#ragnav";
		import { nodeHost } from "#ragnav/hosts/node";
		const nav = await open(nodeHost(process.argv[1], { readOnly: true }));
		const watching = await nav.watch();
		console.log(watching.reason);`;
	const folder = join("tests", "fixtures", "shop");
	const args = ["--input-type=module", "-e", source, folder];
	const printed = execFileSync(process.execPath, args, {
		encoding: "utf8",
		timeout: 60_000,
	});
	assert.ok(process.platform !== "linux" || printed === "null\n", printed);
});
