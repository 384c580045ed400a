// `ragnav mcp` through the official client: the declarations and answers of its tools.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Progress } from "@modelcontextprotocol/sdk/types.js";
import { assertHolds } from "./cases.js";
import { put, temporaryFolder } from "./hosts/helpers.js";
import { indexedRepo, SOURCES, sourceRepo } from "./index-repo.js";
import { type Answer, CLI, largeSources, Session } from "./mcp-client.js";
import { endpoint, PLANNED, QUESTION, says } from "./servers/endpoint.js";

const TOOLS = [
	"rag_explore",
	"rag_search",
	"rag_where_used",
	"rag_lineage",
	"rag_locate",
	"rag_identify",
	"rag_outline",
	"rag_files",
	"rag_trace",
	"rag_impact",
	"rag_rename_plan",
	"rag_recheck",
	"rag_status",
	"rag_build_graph",
	"rag_ask",
];

/** The receipt of a search for `needle` that found nothing. */
const RECEIPT = "r1.BnNlYXJjaBJ7InF1ZXJ5IjoibmVlZGxlIn0AAOh34v8";

/** A call of each read-only tool. */
const CALLS: [string, Record<string, unknown>][] = [
	["rag_explore", { about: "login" }],
	["rag_search", { query: "needle" }],
	["rag_search", { query: "log in", mode: "ranked" }],
	["rag_where_used", { symbol: "login" }],
	["rag_lineage", { symbol: "login", direction: "callers" }],
	["rag_locate", { symbol: "login" }],
	["rag_identify", { file: "src/auth.py", line: 2 }],
	["rag_outline", { file: "src/auth.py" }],
	["rag_files", { include: ["*.py"] }],
	["rag_trace", { file: "src/auth.py", line: 2, commit: "HEAD" }],
	["rag_rename_plan", { symbol: "login", new_name: "enter" }],
	["rag_recheck", { receipt: RECEIPT }],
	["rag_status", { include_unchanged: true }],
	["rag_ask", { question: "the login of a user" }],
	["rag_ask", { question: "list functions in src/auth.py" }],
];

const CALLER = "from src.auth import login\n\n\ndef enter():\n    login(1)\n";

test("the server declares its tools with schemas and annotations", async (t) => {
	const repo = sourceRepo(t);
	const { tools, client } = await Session.start(t, ["--repo", repo]);
	assert.deepEqual(
		tools.map(({ name }) => name),
		TOOLS,
	);
	for (const { name, description, inputSchema, annotations } of tools) {
		assert.ok((description ?? "").length > 100, name);
		const writes = name === "rag_build_graph";
		assertHolds(annotations, { readOnlyHint: !writes, openWorldHint: false });
		assertHolds(inputSchema, { type: "object" });
		const options = Object.entries(inputSchema.properties ?? {});
		assert.ok(options.length >= 2, name);
		for (const [option, schema] of options) {
			if (option === "limit") continue;
			assert.match(
				String((schema as { description?: string }).description),
				/\.$/,
				`${name} ${option}`,
			);
			assert.ok(!JSON.stringify(schema).includes("$ref"), `${name} ${option}`);
		}
	}
	// All of it is part of what a model reads before its first question.
	assert.ok(JSON.stringify({ tools }).length <= 16_000);
	const instructions = client.getInstructions() ?? "";
	assert.match(instructions, /meta\.status is OK/);
	assert.match(instructions, /A question in words: rag_ask\./);
	assert.match(
		instructions,
		/rag_identify, rag_outline, rag_where_used and rag_lineage name the module/,
	);
	assertHolds(client.getServerVersion(), { name: "ragnav", version: "0.1.0" });
});

test("with a model, the ask tool is declared as open to the world", async (t) => {
	const repo = sourceRepo(t);
	const env = { RAGNAV_MODEL: "some-model" };
	const { tools } = await Session.start(t, ["--repo", repo], env);
	for (const { name, annotations, description = "" } of tools) {
		assert.equal(annotations?.openWorldHint, name === "rag_ask", name);
		if (name === "rag_ask")
			assert.match(description, /is sent to the language model/);
	}
});

test("a configured model plans, and a silent one delays no answer for long", async (t) => {
	const notes = "---\ntags: [security]\n---\n# Threats\n\nThe threats.\n";
	const repo = sourceRepo(t, { ...SOURCES, "threats.md": notes });
	const model = await endpoint(t, [says(PLANNED), () => undefined]);
	const session = await Session.start(t, ["--repo", repo], {
		RAGNAV_MODEL: "some-model",
		OPENAI_BASE_URL: model.base_url,
	});
	const { meta, items } = await session.call("rag_ask", { question: QUESTION });
	assert.equal(meta.plan?.source, "llm");
	assert.equal(items[0]?.title, "Threats");
	for (const name of ["rag_search", "rag_locate"]) {
		await session.call(name, argumentsFor(name));
	}
	assert.equal(model.calls.length, 1);
	assert.ok(!model.calls[0]?.body.includes("The threats"));
	const late = await session.call("rag_ask", {
		question: QUESTION,
		timeout_ms: 300,
	});
	assert.equal(late.meta.error_code, "TIMEOUT");
	const { pid } = session.transport;
	await session.client.close();
	assert.throws(() => process.kill(Number(pid), 0), /ESRCH/);
});

test("OK from an index, FALLBACK after an edit and without an index", async (t) => {
	const bare = sourceRepo(t, { ...SOURCES, "src/enter.py": CALLER });
	const session = await Session.start(t, ["--repo", bare]);
	for (const [name, args] of CALLS) {
		const { meta } = await session.call(name, args);
		assert.equal(meta.status, "FALLBACK", name);
		assert.equal(meta.reason, "NO_STATUS", name);
	}
	const built = await session.call("rag_build_graph", { documents: true });
	assertHolds(built, {
		meta: { status: "OK", freshness_state: "FRESH" },
		counts: { added: 4, changed: 0, removed: 0, unchanged: 0, skipped: 1 },
		total: 4,
		truncated: false,
	});
	assert.ok((built.documents as { documents: number }).documents > 0);
	for (const [name, args] of CALLS) {
		const answer = await session.call(name, args);
		assert.equal(answer.meta.status, "OK", name);
		assert.ok(answer.items.length > 0, name);
		assert.equal(answer.truncated, false);
	}
	put(join(bare, "src/util.py"), "def helper():\n    return needle\n");
	const found = await session.call("rag_search", { query: "needle" });
	assertHolds(found, {
		meta: { status: "FALLBACK", freshness_state: "STALE" },
		total: 3,
	});
	const { counts, items } = await session.call("rag_status");
	assertHolds(counts, { unchanged: 3, changed: 1, skipped: 1, unknown: 0 });
	assertHolds(items, [
		{ file: "src/util.py", verdict: "changed" },
		{ file: "logo.bin", verdict: "skipped", reason: "binary" },
	]);
	assertHolds(
		await session.call("rag_search", {
			query: "needle",
			stale_policy: "error",
		}),
		{ meta: { status: "ERROR", error_code: "STALE_INDEX" } },
	);
	assertHolds(await session.call("rag_build_graph", { check: true }), {
		counts: { changed: 1 },
		items: [{ file: "src/util.py", change: "changed" }],
	});
	await session.call("rag_build_graph");
	assertHolds(await session.call("rag_locate", { symbol: "helper" }), {
		meta: { status: "OK" },
		items: [{ file: "src/util.py", start_line: 1, end_line: 2 }],
	});
	assert.equal(session.stderr, "");
});

test("rows of each tool", async (t) => {
	const repo = await indexedRepo(t, { ...SOURCES, "src/enter.py": CALLER });
	const session = await Session.start(t, ["--repo", repo]);
	assertHolds(await session.call("rag_where_used", { symbol: "login" }), {
		items: [
			{ file: "src/enter.py", line: 1, kind: "import" },
			{ file: "src/enter.py", line: 5, kind: "call" },
		],
		definitions: [{ symbol: "sym:src.auth.login" }],
	});
	assertHolds(
		await session.call("rag_lineage", {
			symbol: "enter",
			direction: "downstream",
			depth: 2,
		}),
		{
			items: [{ symbol: "sym:src.enter.enter", depth: 1 }],
			direction: "downstream",
		},
	);
	const inner = { items: [{ symbol: "sym:src.auth.login" }], total: 1 };
	for (const file of ["src/auth.py", join(repo, "src", "auth.py")]) {
		const args = { file, line: 2, limit: null };
		const { limit: _, ...plain } = args;
		assertHolds(await session.call("rag_identify", plain), inner);
	}
	assertHolds(await session.call("rag_locate", { symbol: "nobody" }), {
		items: [],
		total: 0,
		truncated: false,
	});
	// Models pass null for omitted arguments.
	assertHolds(
		await session.call("rag_locate", { symbol: "login", limit: null }),
		inner,
	);
});

test("the watcher proves answers, and the server builds no index for it", async (t) => {
	const bare = sourceRepo(t);
	const indexed = await indexedRepo(t);
	const session = await Session.start(t, ["--repo", bare, "--repo", indexed]);
	const ask = (root: string) =>
		session.call("rag_locate", { symbol: "login", root });
	// The server has every language, so the index of the default package is not its own.
	await session.call("rag_build_graph", { root: indexed });
	let proof: unknown;
	for (let round = 0; round < 100 && proof !== "watch"; round += 1) {
		proof = (await ask(indexed)).items[0]?.proof;
		await sleep(20);
	}
	if (process.platform === "linux") assert.equal(proof, "watch");
	await ask(bare);
	put(join(bare, "src/util.py"), "x = 1\n");
	await sleep(500);
	await ask(bare);
	assert.equal(existsSync(join(bare, ".llmc")), false);
});

test("a question is limited to one kind of passages, which say what they are", async (t) => {
	const folder = temporaryFolder(t);
	put(join(folder, "cart.py"), 'def total():\n    """Adds up."""\n');
	put(join(folder, "docs/cart.adoc"), "= Carts\n\nThe total adds up.\n");
	const session = await Session.start(t, ["--repo", folder]);
	const { items } = await session.call("rag_ask", {
		question: "how is the total computed",
		only: "docs",
	});
	assert.equal(items.length, 1);
	assert.equal(items[0]?.about, "section of cart.adoc");
	assert.equal(items[0]?.summary, "The total adds up.");
	assert.ok(!("highlights_utf16" in (items[0] ?? {})));
});

test("several repositories, by name and by path", async (t) => {
	const top = temporaryFolder(t);
	const folders = ["a/app", "b/app", "b/lib"].map((name) => join(top, name));
	for (const folder of folders) {
		put(join(folder, "where.py"), `def here():\n    return "${folder}"\n`);
	}
	const args = folders.flatMap((folder) => ["--repo", folder]);
	const session = await Session.start(t, args);
	for (const [root, at] of [
		["a-app", 0],
		["b-app", 1],
		["lib", 2],
		[folders[1], 1],
		[`${folders[2]}/`, 2],
	] as const) {
		const { items } = await session.call("rag_search", {
			query: "return",
			root,
		});
		const found = JSON.stringify(items[0]?.snippet);
		assert.ok(found.includes(`${folders[at]}\\"`), `${root}: ${found}`);
	}
	for (const name of TOOLS) {
		const given = { ...argumentsFor(name), root: "app" };
		const { meta } = await session.call(name, given);
		assert.equal(meta.error_code, "INVALID_ARGUMENT");
		assert.match(String(meta.message), /"app".* a-app, b-app, lib$/);
	}
});

test("an outline counts the definitions that it lists", async (t) => {
	const folder = temporaryFolder(t);
	put(
		join(folder, "a.py"),
		"class A:\n    def b(self): ...\n    def c(self): ...\ndef d(): ...\n",
	);
	const session = await Session.start(t, ["--repo", folder]);
	await session.call("rag_outline", { file: "a.py" });
	assert.match(session.text, /^4 definitions · /m);
	const answer = await session.call("rag_outline", { file: "a.py", limit: 1 });
	assert.equal(answer.total, 2);
	assert.match(session.text, /^3 definitions, 1 of 2 at the top level · /m);
	await session.call("rag_locate", { symbol: "A" });
	assert.match(session.text, /^1 definition, complete · /m);
});

test("several repositories are one, without root", async (t) => {
	const top = temporaryFolder(t);
	put(join(top, "money/src/money/__init__.py"), "def cents(x): ...\n");
	put(join(top, "shop/cart.py"), "from money import cents\ncents(1)\n");
	const folders = [join(top, "money"), `web=${join(top, "shop")}`];
	const gone = join(top, "gone");
	const args = [...folders, gone].flatMap((folder) => ["--repo", folder]);
	const session = await Session.start(t, args);
	const used = await session.call("rag_where_used", { symbol: "cents" });
	assert.deepEqual(
		used.items.map(({ file, resolution }) => `${file} ${resolution}`),
		["web/cart.py resolved", "web/cart.py resolved"],
	);
	const outline = await session.call("rag_outline", {
		file: join(top, "money/src/money/__init__.py"),
	});
	assert.equal(outline.items[0]?.symbol, "sym:money.src.money.cents");
	await session.call("rag_status");
	assert.match(session.text, /^money: no commit\nweb: no commit\n/m);
	await session.call("rag_build_graph");
	const status = await session.call("rag_status");
	assert.match(session.text, /^web: no commit, 1 unchanged$/m);
	const { roots } = status as unknown as {
		roots: { name: string; counts?: object; error_code?: string }[];
	};
	assert.deepEqual(
		roots.map(({ name, counts, error_code }) => [name, counts, error_code]),
		[
			["money", { unchanged: 1 }, undefined],
			["web", { unchanged: 1 }, undefined],
			["gone", {}, "REPO_NOT_FOUND"],
		],
	);
});

function argumentsFor(tool: string): Record<string, unknown> {
	return CALLS.find(([name]) => name === tool)?.[1] ?? {};
}

test("an invalid call is an ERROR with a message", async (t) => {
	const repo = sourceRepo(t);
	const session = await Session.start(t, ["--repo", repo]);
	for (const [name, args, message] of [
		["rag_search", {}, /query is missing/],
		["rag_search", { query: "" }, /the query is empty/],
		["rag_search", { query: 7 }, /query must be string, not 7/],
		[
			"rag_search",
			{ query: "x", mode: "fuzzy" },
			/mode must be one of literal, regex, ranked, not "fuzzy"/,
		],
		["rag_search", { query: "x", include: "*.py" }, /include must be array/],
		["rag_search", { query: "x", limit: 0 }, /limit must be >= 1, not 0/],
		["rag_search", { query: "x", limit: 1.5 }, /limit must be integer/],
		[
			"rag_search",
			{ query: "x", max: 1 },
			/no argument "max"; rag_search takes .*limit/,
		],
		["rag_search", { query: "(", mode: "regex" }, /regular expression/],
		["rag_search", { query: "x", cursor: "nonsense" }, /not a cursor/],
		["rag_search", { query: "x", timeout_ms: 0 }, /timeout_ms/],
		["rag_where_used", { symbol: "a..b" }, /a\.\.b/],
		["rag_lineage", { symbol: "a", direction: "sideways" }, /direction/],
		["rag_lineage", { symbol: "a", depth: 33 }, /depth must be <= 32/],
		["rag_locate", { symbol: "a..b" }, /a\.\.b/],
		["rag_identify", { file: "/etc/passwd", line: 1 }, /passwd/],
		["rag_identify", { file: "src/auth.py", line: 0 }, /line/],
		["rag_status", { limit: -1 }, /limit/],
		["rag_build_graph", { check: "yes" }, /check must be boolean/],
		["rag_ask", { question: "x", only: "test" }, /only must be one of/],
		[
			"rag_ask",
			{ question: "x", token_budget: 9000 },
			/token_budget must be <= 8000/,
		],
	] as const) {
		const { meta, items } = await session.call(name, args);
		assert.equal(
			meta.error_code,
			"INVALID_ARGUMENT",
			`${name} ${meta.message}`,
		);
		assert.match(String(meta.message), message);
		assert.deepEqual(items, []);
	}
	await assert.rejects(
		session.client.callTool({ name: "rag_nothing", arguments: {} }),
		/There is no tool "rag_nothing"; there are rag_explore/,
	);
});

test("a repository that does not exist ends the server with the reason", (t) => {
	const gone = join(temporaryFolder(t), "gone");
	const run = spawnSync(process.execPath, [CLI, "mcp", "--repo", gone], {
		encoding: "utf8",
		input: "",
	});
	assert.equal(run.status, 2);
	assert.match(run.stderr, /REPO_NOT_FOUND: .*gone does not exist/);
});

test("a repository that is removed is reported by every tool", async (t) => {
	const gone = join(temporaryFolder(t), "gone");
	put(join(gone, "a.py"), "def login(): pass\n");
	const session = await Session.start(t, ["--repo", gone]);
	rmSync(gone, { recursive: true });
	for (const name of TOOLS) {
		const { meta } = await session.call(name, argumentsFor(name));
		assert.equal(meta.error_code, "REPO_NOT_FOUND", `${name} ${meta.message}`);
	}
	put(join(gone, "a.py"), "def login(): pass\n");
	const { items } = await session.call("rag_locate", { symbol: "login" });
	assert.equal(items.length, 1);
});

test("--tools: only these tools are listed and called", async (t) => {
	const names = ["rag_locate", "rag_search"];
	const repo = sourceRepo(t);
	const args = ["--repo", repo, "--tools", names.join(", ")];
	const session = await Session.start(t, args);
	assert.deepEqual(session.tools.map(({ name }) => name).sort(), names);
	const instructions = session.client.getInstructions() ?? "";
	const named = new Set(instructions.match(/\brag_\w+/g));
	assert.deepEqual([...named].sort(), names);
	assert.doesNotMatch(instructions, /include_module|\n\n\n/);
	for (const chosen of ["rag_explore", "rag_explore,rag_where_used"]) {
		const few = await Session.start(t, ["--repo", repo, "--tools", chosen]);
		const words = JSON.stringify(few.tools).match(/\brag_\w+/g);
		assert.deepEqual([...new Set(words)], chosen.split(","));
	}
	const call = { name: "rag_files", arguments: {} };
	await assert.rejects(session.client.callTool(call), /no tool "rag_files"/);
	const run = spawnSync(
		process.execPath,
		[CLI, "mcp", "--repo", repo, "--tools", "rag_find"],
		{ encoding: "utf8", input: "" },
	);
	assert.equal(run.status, 2);
	assert.match(run.stderr, /no tool "rag_find"; there are rag_explore/);
});

test("a text has the rows by file, and how fresh they are", async (t) => {
	const repo = await indexedRepo(t, { ...SOURCES, "src/enter.py": CALLER });
	const session = await Session.start(t, ["--repo", repo]);
	await session.call("rag_where_used", { symbol: "login" });
	assert.equal(
		session.text,
		[
			"src/auth.py:1-2  function  src.auth.login",
			"src/enter.py",
			"  1:22  import  from src.auth import login",
			"  5:5  call  in src.enter.enter  login(1)",
			"2 rows, complete · Up to date",
		].join("\n"),
	);
	await session.call("rag_search", { query: "login", limit: 1 });
	const lines = session.text.split("\n");
	assert.match(lines.at(-2) ?? "", /^1 of 3 rows · Up to date$/);
	assert.match(lines.at(-1) ?? "", /^next page: cursor /);
	await session.call("rag_locate", { symbol: "a..b" });
	assert.match(session.text, /^ERROR INVALID_ARGUMENT: /);
});

test("an answer names the tool that stores documents, where there is one", async (t) => {
	const repo = sourceRepo(t);
	const asked = async (...args: string[]) => {
		const session = await Session.start(t, ["--repo", repo, ...args]);
		await session.call("rag_ask", { question: "where is the needle?" });
		return session.text;
	};
	const last = /Documents were built for this query\. (.*)$/m;
	assert.equal(
		last.exec(await asked())?.[1],
		"Call `rag_build_graph` to store them.",
	);
	assert.equal(
		last.exec(await asked("--read-only"))?.[1],
		"The command `ragnav build-graph` can store them.",
	);
});

test("--read-only: no tool writes", async (t) => {
	const repo = sourceRepo(t);
	const session = await Session.start(t, ["--repo", repo, "--read-only"]);
	assert.deepEqual(
		session.tools.map(({ name }) => name),
		TOOLS.filter((name) => name !== "rag_build_graph"),
	);
	assert.ok(
		session.tools.every(({ annotations }) => annotations?.readOnlyHint),
	);
	await assert.rejects(
		session.client.callTool({ name: "rag_build_graph", arguments: {} }),
		/no tool "rag_build_graph"/,
	);
	for (const [name, args] of CALLS) await session.call(name, args);
	assert.equal(existsSync(join(repo, ".llmc")), false);
});

test("many calls at once", async (t) => {
	const repo = await indexedRepo(t);
	const session = await Session.start(t, ["--repo", repo]);
	const alone: Answer[] = [];
	for (const [name, args] of CALLS) {
		alone.push(await session.call(name, args));
	}
	const rounds = Array.from({ length: 8 }, () => CALLS).flat();
	const together = await Promise.all(
		rounds.map(([name, args]) => session.call(name, args)),
	);
	for (const [at, { items, total }] of together.entries()) {
		const before = alone[at % CALLS.length];
		assert.equal(total, before?.total);
		assert.deepEqual(items.map(placeOf), before?.items.map(placeOf));
	}
});

function placeOf({ file, line, symbol, id }: Record<string, unknown>) {
	return { file, line, symbol, id };
}

test("progress notifications on request", async (t) => {
	const repo = sourceRepo(t, largeSources(400));
	const session = await Session.start(t, ["--repo", repo]);
	const reported: Progress[] = [];
	await session.call(
		"rag_build_graph",
		{ documents: true },
		{ onprogress: (progress) => reported.push(progress) },
	);
	assert.ok(reported.length > 1, `${reported.length}`);
	for (const [
		at,
		{ progress, total = progress, message },
	] of reported.entries()) {
		assert.ok(progress > (reported[at - 1]?.progress ?? 0), "it only grows");
		assert.ok(progress <= total, `${progress} of ${total}`);
		assert.match(String(message), /^(files|documents): \d+/);
	}
});

test("timeouts, of a call and of the server", async (t) => {
	const repo = sourceRepo(t, largeSources(400));
	const args = ["--repo", repo, "--timeout-ms", "2"];
	const session = await Session.start(t, args);
	const slow = await session.call("rag_build_graph");
	assert.equal(slow.meta.error_code, "TIMEOUT");
	const quick = await session.call("rag_build_graph", { timeout_ms: 60_000 });
	assert.equal(quick.meta.status, "OK");
	const found = await session.call("rag_search", {
		query: "f1",
		stale_policy: "live",
		timeout_ms: 1,
	});
	assert.equal(found.meta.error_code, "TIMEOUT");
	assert.match(String(found.meta.message), /timeout_ms/);
});

test("a cancelled call ends, and the next one is answered", async (t) => {
	const repo = sourceRepo(t, largeSources(400));
	const session = await Session.start(t, ["--repo", repo]);
	const cancelling = new AbortController();
	const build = session.call(
		"rag_build_graph",
		{},
		{
			signal: cancelling.signal,
			onprogress: () => cancelling.abort("enough"),
		},
	);
	await assert.rejects(build, /enough/);
	const after = await session.call("rag_status");
	assert.equal(after.meta.reason, "NO_STATUS", "nothing was written");
	const again = await session.call("rag_build_graph");
	assert.equal(again.meta.status, "OK", "no lock was left behind");
});

test("the name of the working folder", async (t) => {
	const repo = sourceRepo(t);
	const args = ["--repo", `${repo}/src/..`, "--repo", sourceRepo(t)];
	const { tools } = await Session.start(t, args);
	const root = tools[0]?.inputSchema.properties?.root as {
		description: string;
	};
	assert.match(root.description, new RegExp(`^${basename(repo)}, or `));
});
