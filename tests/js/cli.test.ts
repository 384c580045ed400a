// The command line as a process, over files on disk.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertHolds } from "./cases.js";

const CLI = fileURLToPath(
	new URL("../../pkg/dist/cjs/cli.js", import.meta.url),
);
const repo = mkdtempSync(join(tmpdir(), "ragnav-cli-"));
after(() => rmSync(repo, { recursive: true }));

mkdirSync(join(repo, "src"));
writeFileSync(
	join(repo, "src/app.py"),
	"class App:\n    def run(self):\n        return needle\n",
);
writeFileSync(join(repo, "notes.md"), "a needle in the \u001b[31mhay\u0007\n");

interface Run {
	code: number | null;
	stdout: string;
	stderr: string;
}

function ragnav(
	args: string[],
	options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Run {
	const env = {
		...process.env,
		FORCE_COLOR: undefined,
		...options.env,
	};
	const run = spawnSync(process.execPath, [CLI, ...args], {
		cwd: options.cwd ?? repo,
		env,
		encoding: "utf8",
	});
	return { code: run.status, stdout: run.stdout, stderr: run.stderr };
}

/** Runs the command with JSON as its output. */
function ragnavJson(
	args: readonly string[],
	options: Parameters<typeof ragnav>[1] = {},
): Run {
	return ragnav([...args, "--json"], options);
}

function json(run: Run): unknown {
	return JSON.parse(run.stdout);
}

test("search prints the envelope and exits 0", () => {
	const run = ragnavJson(["search", "needle", "--limit", "1"]);
	assert.equal(run.code, 0);
	assert.equal(run.stderr, "");
	assertHolds(json(run), {
		meta: {
			status: "FALLBACK",
			source: "LOCAL_FALLBACK",
			freshness_state: "UNKNOWN",
			reason: "NO_STATUS",
		},
		items: [{ file: "notes.md", line: 1 }],
		truncated: true,
		total: 2,
	});
});

test("search accepts its options", () => {
	const flags = [
		"--regex",
		"-i",
		"--include",
		"*.py",
		"--exclude",
		"vendor",
		"--repo",
		repo,
	];
	const run = ragnavJson(["search", "RETURN \\w+", ...flags], {
		cwd: tmpdir(),
	});
	assertHolds(json(run), {
		items: [{ file: "src/app.py", line: 3, symbol: "sym:src.app.App.run" }],
		total: 1,
	});
	const first = json(ragnavJson(["search", "needle", "--limit", "1"])) as {
		cursor: string;
	};
	const second = ragnavJson([
		"search",
		"needle",
		"--limit",
		"1",
		"--cursor",
		first.cursor,
	]);
	assertHolds(json(second), {
		items: [{ file: "src/app.py" }],
		truncated: false,
		cursor: null,
	});
});

test("ranked search lists definitions first, regardless of case", () => {
	for (const flags of [[], ["-i"]]) {
		const run = ragnavJson([
			"search",
			"runNeedle",
			"--mode",
			"ranked",
			...flags,
		]);
		assert.equal(run.code, 0, run.stderr);
		assertHolds(json(run), {
			items: [
				{
					kind: "definition",
					file: "src/app.py",
					line: 2,
					symbol: "sym:src.app.App.run",
				},
				{ kind: "text", file: "notes.md", line: 1, symbol: null },
			],
			total: 2,
		});
	}
	assert.deepEqual(
		onTerminal(["search", "run needle", "--mode", "ranked"])
			.split("\n")
			.slice(0, 4),
		["src/app.py", "  2:9  def run(self):  (src.app.App.run)", "", "notes.md"],
	);
});

test("globs may be repeated and do not swallow the query", () => {
	const run = ragnavJson([
		"search",
		"--include",
		"*.md",
		"--include",
		"*.py",
		"--exclude",
		"src",
		"needle",
	]);
	assertHolds(json(run), { items: [{ file: "notes.md" }], total: 1 });
});

test("the policy error refuses live answers", () => {
	for (const args of [
		["search", "x"],
		["locate", "App"],
		["identify", "src/app.py:1"],
	]) {
		const run = ragnavJson([...args, "--stale-policy", "error"]);
		assert.equal(run.code, 2);
		assertHolds(json(run), {
			meta: { status: "ERROR", error_code: "STALE_INDEX" },
		});
		const live = ragnavJson([...args, "--stale-policy", "live"]);
		assert.equal(live.code, args[1] === "x" ? 1 : 0);
	}
	assert.equal(ragnavJson(["search", "x", "--stale-policy", "bogus"]).code, 2);
});

test("route of a missing folder fails", () => {
	const run = ragnav(["route", "--repo", join(repo, "gone")]);
	assert.equal(run.code, 2);
	assert.match(run.stderr, /REPO_NOT_FOUND/);
});

test("identify accepts a path relative to the repository or to the working folder", () => {
	for (const [place, cwd] of [
		["src/app.py:3", repo],
		["app.py:3:9", join(repo, "src")],
		[join(repo, "src/app.py:3"), tmpdir()],
		["src/app.py:3", tmpdir()],
	] as const) {
		const run = ragnavJson(["identify", place, "--repo", repo], { cwd });
		assertHolds(json(run), {
			items: [
				{ symbol: "sym:src.app.App.run", start_line: 2 },
				{ symbol: "sym:src.app.App" },
			],
		});
	}
});

test("locate and route", () => {
	assertHolds(json(ragnavJson(["locate", "App.run"])), {
		items: [{ file: "src/app.py", start_line: 2, end_line: 3 }],
	});
	assertHolds(json(ragnavJson(["route"])), {
		use_rag: false,
		freshness_state: "UNKNOWN",
		reason: "NO_STATUS",
	});
});

test("languages lists extensions and how references are resolved", () => {
	const { items } = json(ragnavJson(["languages"])) as {
		items: { name: string }[];
	};
	assertHolds(
		items.find(({ name }) => name === "vue"),
		{
			extensions: ["vue"],
			references: "across_files",
			embeds: ["typescript", "tsx"],
		},
	);
	assertHolds(
		items.find(({ name }) => name === "lua"),
		{ references: "by_name", is_plugin: false },
	);
	const run = ragnav(["languages"]);
	assert.match(
		run.stdout,
		/^python +\.py \.pyi \.pyw +resolved across files$/m,
	);
	assert.match(run.stdout, /^lua +\.lua +by name$/m);
});

test("npm start resolves --repo against the user's folder", () => {
	const start = fileURLToPath(
		new URL("../../js/build/start.mjs", import.meta.url),
	);
	const env = { ...process.env, INIT_CWD: repo };
	const run = spawnSync(
		process.execPath,
		[start, "search", "needle", "--repo", "src", "--json"],
		{ env, encoding: "utf8" },
	);
	assertHolds(JSON.parse(run.stdout), { items: [{ file: "app.py" }] });
});

test("an ERROR envelope exits 2", () => {
	for (const [args, code] of [
		[["search", "x", "--repo", join(repo, "gone")], "REPO_NOT_FOUND"],
		[["search", "x", "--repo", join(repo, "notes.md")], "REPO_NOT_FOUND"],
		[["search", ""], "INVALID_ARGUMENT"],
		[["search", "(", "--regex"], "INVALID_ARGUMENT"],
		[["search", "(", "--mode", "regex"], "INVALID_ARGUMENT"],
		[["search", " ", "--mode", "ranked"], "INVALID_ARGUMENT"],
		[["identify", "gone.py:1"], "FILE_UNREADABLE"],
		[["identify", "gone.py:1", "--repo", join(repo, "gone")], "REPO_NOT_FOUND"],
		[["identify", "gone.txt:1"], "FILE_UNREADABLE"],
		[["identify", "/etc/passwd:1"], "INVALID_ARGUMENT"],
		[["locate", "a..b"], "INVALID_ARGUMENT"],
	] as const) {
		const run = ragnavJson([...args]);
		assert.equal(run.code, 2, args.join(" "));
		assertHolds(json(run), { meta: { status: "ERROR", error_code: code } });
	}
});

test("invalid arguments exit 2 with a reason on stderr", () => {
	for (const args of [
		["search"],
		["search", "x", "--limit", "0"],
		["search", "x", "--limit", "many"],
		["search", "x", "--colour"],
		["search", "x", "--mode", "fuzzy"],
		["search", "x", "--regex", "--mode", "ranked"],
		["identify", "src/app.py"],
		["nonsense"],
		[],
	]) {
		const run = ragnav(args);
		assert.equal(run.code, 2, args.join(" "));
		assert.equal(run.stdout, "");
		assert.notEqual(run.stderr, "");
	}
});

test("help and version exit 0", () => {
	const help = ragnav(["--help"]).stdout.replaceAll(/\s+/g, " ");
	assert.match(help, /Finds the lines that match a text/);
	assert.match(help, /Names the definitions that enclose a line of a file/);
	assert.match(ragnav(["--version"]).stdout, /^\d+\.\d+\.\d+\n$/);
	assert.equal(ragnav(["search", "--help"]).code, 0);
});

test("on a terminal, the enrichment of a row is shown below it", (t) => {
	const folder = join(repo, "src", ".llmc");
	t.after(() => rmSync(folder, { recursive: true }));
	mkdirSync(folder);
	const entity = {
		id: "sym:app.App.run",
		file_path: "app.py",
		metadata: { summary: "Runs the app." },
	};
	writeFileSync(
		join(folder, "rag_graph.json"),
		JSON.stringify({ entities: [entity] }),
	);
	assert.match(
		onTerminal(["search", "needle", "--repo", "src"]),
		/return needle .*\n +“Runs the app.”\n/,
	);
});

/** Runs the command on a pseudo-terminal. */
function onTerminal(args: string[]): string {
	const command = [process.execPath, CLI, ...args]
		.map((word) => `'${word}'`)
		.join(" ");
	const env = {
		...process.env,
		NO_COLOR: "1",
		FORCE_HYPERLINK: "0",
	};
	const run = spawnSync("script", ["-qec", command, "/dev/null"], {
		cwd: repo,
		env,
		encoding: "utf8",
	});
	assert.equal(
		run.error,
		undefined,
		"`script` (util-linux) gives the command a terminal",
	);
	return run.stdout.replaceAll("\r\n", "\n");
}

test("on a terminal, rows come first and the status line last", () => {
	const shown = onTerminal(["search", "needle"]).trimEnd().split("\n");
	assert.deepEqual(shown.slice(0, 5), [
		"notes.md",
		"   1:3  a needle in the \ufffd[31mhay\ufffd",
		"",
		"src/app.py",
		"  3:16  return needle  (in src.app.App.run)",
	]);
	assert.equal(shown.at(-1), "2 rows · No index yet; read live (2 files)");
	assert.match(
		onTerminal(["search", "needle", "--limit", "1"]),
		/1 of 2 rows[\s\S]*next page: --cursor /,
	);
	assert.match(
		onTerminal(["locate", "App"]),
		/^src\/app\.py:1 {2}class src\.app\.App {2}lines 1–3\n1 definition, complete · /,
	);
	assert.match(
		onTerminal(["route"]),
		/^No index yet; answers are read live \(NO_STATUS\)\nHEAD +none/,
	);
	assert.match(
		onTerminal(["search", "(", "--regex"]),
		/^ERROR INVALID_ARGUMENT: the regular expression is not valid.*\n +\(\n +\^\n/,
	);
});
