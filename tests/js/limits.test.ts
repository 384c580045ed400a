// The limits of queries: an answer reports a limit, and the next query works.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
	type Host,
	makeSnippet,
	type Navigator,
	type OpenOptions,
	open,
	RagnavError,
} from "#ragnav";
import { packageMetadataOnly, packageSelectiveContext } from "#ragnav/agent";
import { fetchHost } from "#ragnav/hosts/fetch";
import { memoryHost } from "#ragnav/hosts/memory";
import { nodeHost } from "#ragnav/hosts/node";
import { assertHolds } from "./cases.js";
import { put, temporaryFolder } from "./hosts/helpers.js";
import { indexedRepo, LOCK, sourceRepo } from "./index-repo.js";

const CLI = fileURLToPath(
	new URL("../../pkg/dist/cjs/cli.js", import.meta.url),
);

const FILES = {
	"a.py": "def f():\n    return needle\n",
	"b.txt": `needle\n${"hay\n".repeat(100)}`,
	"deep/er/c.py": "needle = 1\n",
};

async function withLimits(
	limits: OpenOptions,
	use: (nav: Navigator) => Promise<void>,
	host: Host = memoryHost(FILES),
): Promise<void> {
	const nav = await open(host, limits);
	try {
		await use(nav);
	} finally {
		nav.close();
	}
}

const filesOf = ({ items }: { items: { file: string }[] }) =>
	items.map(({ file }) => file);

test("a file over max_file_bytes is skipped and reported", async () => {
	await withLimits({ max_file_bytes: 100 }, async (nav) => {
		const found = await nav.search("needle");
		assert.deepEqual(filesOf(found), ["a.py", "deep/er/c.py"]);
		assert.deepEqual(found.skipped, [{ file: "b.txt", reason: "too_large" }]);
		assert.equal(found.meta.files?.skipped, 1);
	});
});

test("a folder below max_depth is skipped and reported", async () => {
	await withLimits({ max_depth: 1 }, async (nav) => {
		const found = await nav.search("needle");
		assert.deepEqual(filesOf(found), ["a.py", "b.txt"]);
		assert.deepEqual(found.skipped, [{ file: "deep/er/", reason: "too_deep" }]);
	});
});

test("a walk that ends at max_files or max_folders is truncated and never fresh", async () => {
	for (const limits of [{ max_files: 1 }, { max_folders: 1 }]) {
		await withLimits(limits, async (nav) => {
			const built = await nav.buildGraph();
			assert.match(built.meta.message ?? "", /max_files.*max_folders/);
			const found = await nav.search("needle");
			assert.notEqual(found.meta.status, "OK");
			assert.match(found.meta.message ?? "", /max_files.*max_folders/);
			const [{ reason } = { reason: "" }] = found.skipped;
			assert.equal(reason, "too_many_files");
		});
	}
});

test("a query that reads more than max_read_bytes is LIMIT_EXCEEDED", async () => {
	await withLimits({ max_read_bytes: 200 }, async (nav) => {
		const { meta, items } = await nav.search("needle");
		assertHolds(meta, { status: "ERROR", error_code: "LIMIT_EXCEEDED" });
		assert.match(meta.message ?? "", /200 bytes.*max_read_bytes/);
		assert.deepEqual(items, []);
		const narrow = await nav.search("needle", { include: ["*.py"] });
		assert.equal(narrow.total, 2);
	});
});

test("bytes of asynchronous hosts and of workers count too", async (t) => {
	const later: Host = {
		...memoryHost(FILES),
		readMany: async (paths, options) =>
			memoryHost(FILES).readMany(paths, options),
	};
	await withLimits(
		{ max_read_bytes: 200 },
		async (nav) => {
			const { meta } = await nav.search("needle");
			assert.equal(meta.error_code, "LIMIT_EXCEEDED");
		},
		later,
	);
	const many = Array.from({ length: 200 }, (_, at) => [
		`m${at}.py`,
		`def f${at}():\n    return needle\n`,
	]);
	const folder = sourceRepo(t, Object.fromEntries(many));
	await withLimits(
		{ max_read_bytes: 2000, workers: 2 },
		async (nav) => {
			const { meta } = await nav.buildGraph();
			assertHolds(meta, { status: "ERROR", error_code: "LIMIT_EXCEEDED" });
		},
		nodeHost(folder),
	);
	assert.equal(existsSync(join(folder, LOCK)), false);
	await withLimits(
		{},
		async (nav) => {
			assert.equal((await nav.buildGraph()).meta.status, "OK");
			assert.equal((await nav.search("needle")).meta.status, "OK");
		},
		nodeHost(folder),
	);
});

test("a core over max_memory_bytes is LIMIT_EXCEEDED and is replaced", async () => {
	const big = "needle in a large hay stack\n".repeat(140_000);
	const large: Record<string, string> = { "small.py": "needle = 1\n" };
	for (let at = 0; at < 8; at++) large[`large/${at}.txt`] = big;
	const limits = { max_memory_bytes: 12 << 20 };
	await withLimits(
		limits,
		async (nav) => {
			for (let round = 0; round < 3; round++) {
				const { meta } = await nav.search("needle", { limit: 10_000 });
				assertHolds(meta, { status: "ERROR", error_code: "LIMIT_EXCEEDED" });
				assert.match(meta.message ?? "", /max_memory_bytes is 12582912/);
				const narrow = await nav.search("needle", { include: ["*.py"] });
				assert.equal(narrow.total, 1);
				assert.ok(nav.memoryBytes <= limits.max_memory_bytes);
			}
		},
		memoryHost(large),
	);
});

test("an index in memory is lost with its core, and answers say so", async () => {
	const big = "needle in a large hay stack\n".repeat(140_000);
	const files: Record<string, string> = { "small.py": "needle = 1\n" };
	for (let at = 0; at < 8; at++) files[`large/${at}.txt`] = big;
	await withLimits(
		{ max_memory_bytes: 12 << 20 },
		async (nav) => {
			await nav.buildGraph();
			const found = await nav.search("needle", { include: ["*.py"] });
			assertHolds(found.meta, { status: "FALLBACK", reason: "NO_STATUS" });
			assert.equal(found.total, 1);
		},
		memoryHost(files),
	);
});

test("the navigator's time limit applies to queries, and not to builds", async (t) => {
	const folder = await indexedRepo(t);
	let stuck = true;
	const host = nodeHost(folder);
	const slow: Host = {
		...host,
		readDirs: (paths) =>
			stuck ? new Promise(() => undefined) : host.readDirs(paths),
	};
	await withLimits(
		{ timeout_ms: 20 },
		async (nav) => {
			const { meta } = await nav.search("needle");
			assertHolds(meta, { status: "ERROR", error_code: "TIMEOUT" });
			assert.match(meta.message ?? "", /20 ms.*timeout_ms/);
			stuck = false;
			const waiting = { timeout_ms: Number.POSITIVE_INFINITY };
			assert.equal((await nav.search("needle", waiting)).meta.status, "OK");
			put(join(folder, "src/new.py"), "needle = 2\n");
			assert.equal((await nav.buildGraph()).meta.status, "OK");
		},
		slow,
	);
});

test("invalid limits are refused at once", async () => {
	const names = [
		"max_file_bytes",
		"max_files",
		"max_folders",
		"max_depth",
		"max_read_bytes",
		"max_memory_bytes",
		"timeout_ms",
	];
	for (const name of names) {
		for (const given of [0, -1, 1.5, Number.NaN, "many", {}]) {
			await assert.rejects(
				open(memoryHost({}), { [name]: given } as OpenOptions),
				(thrown) =>
					thrown instanceof RagnavError &&
					thrown.code === "INVALID_ARGUMENT" &&
					thrown.message.startsWith(`${name} must be a whole number`),
				`${name}: ${given}`,
			);
		}
	}
});

const MOST = 2 ** 32 - 1;

/** Values that are no whole numbers of at least 1, as a message names them. */
const NO_NUMBERS: [given: unknown, named: string][] = [
	[Number.POSITIVE_INFINITY, "Infinity"],
	[Number.NaN, "NaN"],
	[-1, "-1"],
	[1.5, "1.5"],
	[MOST + 1, "4294967296"],
	[1e300, "1e+300"],
	["5", 'the text "5"'],
	[{}, "object"],
	[true, "boolean"],
];

const AT_LEAST_1: [given: unknown, named: string][] = [...NO_NUMBERS, [0, "0"]];

/** Returns the message about a number that should be at least 1; the core itself refuses 0. */
function refusalOf(name: string | undefined, named: string): string {
	const range = named === "0" ? "of at least 1" : `from 1 to ${MOST}`;
	return `${name} must be a whole number ${range}, not ${named}`;
}

test("a number that a query cannot use is refused by name, with its range", async () => {
	const nav = await open(memoryHost(FILES));
	const no = (value: unknown) => value as number;
	const queries: Record<
		string,
		(given: number) => Promise<{ meta: { message: string | null } }>
	> = {
		"search limit": (limit) => nav.search("needle", { limit }),
		"where_used limit": (limit) => nav.whereUsed("f", { limit }),
		"lineage limit": (limit) => nav.lineage("f", "callers", { limit }),
		"lineage depth": (depth) => nav.lineage("f", "callers", { depth }),
		"locate limit": (limit) => nav.locate("f", { limit }),
		"definition limit": (limit) => nav.definition("a.py:1:5", { limit }),
		"type_definition limit": (limit) =>
			nav.typeDefinition("a.py:1:5", { limit }),
		"identify line": (line) => nav.identify("a.py", line),
		"identify limit": (limit) => nav.identify("a.py", 1, { limit }),
		"outline limit": (limit) => nav.outline("a.py", { limit }),
		"occurrences limit": (limit) => nav.occurrences("a.py", { limit }),
		"files limit": (limit) => nav.files({ limit }),
		"explore token_budget": (token_budget) =>
			nav.explore("f", { token_budget }),
		"impact depth": (depth) => nav.impact({ depth }),
		"impact limit": (limit) => nav.impact({ limit }),
		"trace line": (line) => nav.trace("a.py", line, "HEAD"),
		"trace limit": (limit) => nav.trace("a.py", 1, "HEAD", { limit }),
		"recheck limit": (limit) => nav.recheck("r1.AAAA", { limit }),
		"status limit": (limit) => nav.status({ limit }),
		"ask limit": (limit) => nav.ask("needle", { limit }),
		"ask token_budget": (token_budget) => nav.ask("needle", { token_budget }),
	};
	for (const [query, ask] of Object.entries(queries)) {
		const name = query.split(" ")[1];
		for (const [given, named] of AT_LEAST_1) {
			const { meta } = await ask(no(given));
			assertHolds(meta, { error_code: "INVALID_ARGUMENT" });
			assert.equal(meta.message, refusalOf(name, named), query);
		}
	}
	for (const [given, named] of NO_NUMBERS) {
		for (const name of ["max_retries", "deadline_ms"]) {
			const { meta } = await nav.ask("needle", { [name]: given });
			assert.equal(
				meta.message,
				`${name} must be a whole number from 0 to ${MOST}, not ${named}`,
			);
		}
	}
	nav.close();
});

test("a number that a function cannot use is refused by name, with its range", () => {
	for (const [given, named] of AT_LEAST_1) {
		const number = given as number;
		assert.throws(() => makeSnippet("a\nb\n", number), {
			code: "INVALID_ARGUMENT",
			message: `line must be a whole number from 1 to ${MOST}, not ${named}`,
		});
		for (const pack of [packageMetadataOnly, packageSelectiveContext]) {
			assert.throws(() => pack([], { token_budget: number }), {
				code: "INVALID_ARGUMENT",
				message: refusalOf("token_budget", named),
			});
		}
	}
	for (const keep_bytes of [Number.NaN, -1, "5" as unknown as number]) {
		assert.throws(() => fetchHost("https://example.org/", { keep_bytes }), {
			code: "INVALID_ARGUMENT",
			message: /^keep_bytes must be a number of at least 0, or Infinity, not /,
		});
	}
});

test("a message about a limit says what was given, and contradicts itself nowhere", async () => {
	const refused: [OpenOptions, string][] = [
		[
			{ max_read_bytes: "5" as never },
			'max_read_bytes must be a whole number of at least 1, or Infinity, not the text "5"',
		],
		[
			{ timeout_ms: 5n as never },
			"timeout_ms must be a whole number of at least 1, or Infinity, not bigint",
		],
		[
			{ workers: "2" as never },
			'workers must be a whole number from 0 to 64, not the text "2"',
		],
		[
			{ max_files: Number.POSITIVE_INFINITY },
			"max_files must be a whole number from 1 to 4294967295, not Infinity",
		],
		[
			{ max_depth: "3" as never },
			'max_depth must be a whole number from 1 to 4294967295, not the text "3"',
		],
	];
	for (const [options, message] of refused) {
		await assert.rejects(open(memoryHost({}), options), { message });
	}
	const nav = await open(memoryHost(FILES), { max_read_bytes: 2 ** 60 });
	const timeout_ms = "1" as never;
	assert.equal(
		(await nav.search("needle", { timeout_ms })).meta.message,
		'timeout_ms must be a number above 0, not the text "1"',
	);
	assert.equal(
		(await nav.watch({ delay_ms: "1" as never })).reason,
		'delay_ms must be a number from 0 to 100000000, not the text "1"',
	);
	nav.close();
});

test("the command line has every limit", (t) => {
	const folder = temporaryFolder(t);
	for (const [path, text] of Object.entries(FILES))
		put(join(folder, path), text);
	const search = (...limits: string[]) => {
		const args = ["search", "needle", "--repo", folder, "--json"];
		const { stdout, status, stderr } = spawnSync(
			process.execPath,
			[CLI, ...args, ...limits],
			{ encoding: "utf8" },
		);
		return { status, stderr, answer: stdout ? JSON.parse(stdout) : undefined };
	};
	const reasons = (...limits: string[]) =>
		search(...limits).answer.skipped.map(
			({ reason }: { reason: string }) => reason,
		);
	assert.deepEqual(reasons("--max-file-bytes", "100"), ["too_large"]);
	assert.deepEqual(reasons("--max-depth", "1"), ["too_deep"]);
	assert.deepEqual(reasons("--max-files", "1"), ["too_many_files"]);
	assert.deepEqual(reasons("--max-folders", "1"), ["too_many_files"]);
	for (const [flag, value] of [
		["--max-read-bytes", "100"],
		["--max-memory-bytes", "65536"],
	] as const) {
		const { status, answer } = search(flag, value);
		assert.equal(answer.meta.error_code, "LIMIT_EXCEEDED", flag);
		assert.equal(status, 2);
	}
	assert.equal(search("--timeout-ms", "60000").status, 0);
	assert.equal(search("--max-depth", "none").status, 2);
	const build = ["build-graph", "--repo", folder, "--workers", "-1"];
	const { stderr } = spawnSync(process.execPath, [CLI, ...build], {
		encoding: "utf8",
	});
	assert.match(
		stderr,
		/'-1' is invalid\. it must be a whole number of at least 0/,
	);
});
