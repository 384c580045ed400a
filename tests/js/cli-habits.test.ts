// The command line as people use it: from a folder below the root, through pipes, with mistakes.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { put, temporaryFolder } from "./hosts/helpers.js";

const CLI = fileURLToPath(
	new URL("../../pkg/dist/cjs/cli.js", import.meta.url),
);

const FILES = {
	"lib/prices.py": "def price_of(article):\n    return 1\n",
	"app/main.py":
		"from lib.prices import price_of\n\nprice_of(1)\nprice_of(2)\n",
};

/** Returns a git repository in which a folder uses what another one defines. */
function shop(t: TestContext): string {
	const root = temporaryFolder(t);
	for (const [path, text] of Object.entries(FILES)) put(join(root, path), text);
	mkdirSync(join(root, ".git"));
	return root;
}

function ragnav(cwd: string, ...args: string[]) {
	const { FORCE_COLOR: _, NO_COLOR: __, ...rest } = process.env;
	// Many programs colour the pipes of a CI run. Ours do not.
	const env = { ...rest, CI: "1" };
	const run = spawnSync(process.execPath, [CLI, ...args], {
		cwd,
		env,
		encoding: "utf8",
	});
	return { code: run.status, stdout: run.stdout, stderr: run.stderr };
}

/** Runs the command on a pseudo-terminal of some width. */
function onTerminal(cwd: string, columns: number, ...args: string[]): string {
	const words = [process.execPath, CLI, ...args].map((word) => `'${word}'`);
	const command = `stty cols ${columns}; ${words.join(" ")}`;
	const env = { ...process.env, NO_COLOR: "1", FORCE_HYPERLINK: "0" };
	const run = spawnSync("script", ["-qec", command, "/dev/null"], {
		cwd,
		env,
		encoding: "utf8",
	});
	return run.stdout.replaceAll("\r\n", "\n");
}

test("a command below the root answers about the whole repository", (t) => {
	const root = shop(t);
	const lib = join(root, "lib");
	const used = ragnav(lib, "where-used", "price_of");
	assert.equal(used.code, 0);
	assert.match(used.stdout, /^\.\.\/app\/main\.py:3:1: price_of\(1\)/m);
	assert.ok(used.stderr.includes(`repository: ${root}`), used.stderr);
	const json = JSON.parse(ragnav(lib, "locate", "price_of", "--json").stdout);
	assert.equal(json.items[0].file, "lib/prices.py");
	assert.equal(json.items[0].symbol, "sym:lib.prices.price_of");
	assert.equal(ragnav(lib, "build-graph").code, 0);
	assert.ok(readFileSync(join(root, ".llmc", "rag_graph.json")).length > 0);
});

test("an index below the root is reported and not used", (t) => {
	const root = shop(t);
	const lib = join(root, "lib");
	assert.equal(ragnav(lib, "build-graph", "--repo", ".").code, 0);
	const used = ragnav(lib, "where-used", "price_of");
	assert.match(used.stdout, /app\/main\.py/);
	assert.match(used.stderr, /lib has an index of its own, which is not used/);
});

test("--in limits the rows to a folder", (t) => {
	const root = shop(t);
	const rows = (cwd: string, folder: string) =>
		ragnav(cwd, "search", "price_of", "--in", folder).stdout;
	assert.match(rows(root, "lib"), /^lib\/prices\.py:1:5: .*\n$/);
	assert.match(rows(join(root, "lib"), "."), /^prices\.py:1:5: .*\n$/);
	assert.match(rows(join(root, "lib"), "../app"), /^\.\.\/app\/main\.py:1:24/);
});

test("a pipe gets rows as text, and standard error the rest", (t) => {
	const root = shop(t);
	const { stdout, stderr } = ragnav(root, "search", "price_of");
	assert.equal(
		stdout.split("\n")[0],
		"app/main.py:1:24: from lib.prices import price_of",
	);
	assert.match(stderr, /^4 rows · No index yet; read live \(2 files\)$/m);
	const vimgrep = ragnav(root, "search", "return", "--vimgrep").stdout;
	assert.equal(vimgrep, "lib/prices.py:2:5:    return 1\n");
	const lines = ragnav(root, "search", "return", "--format", "jsonl").stdout;
	const [row, rest] = lines
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	assert.equal(row.file, "lib/prices.py");
	assert.equal(rest.total, 1);
	const always = ragnav(root, "search", "return", "--color", "always").stdout;
	assert.ok(always.includes("\u001b["));
});

test("--vimgrep prints only rows on standard output", (t) => {
	const root = shop(t);
	put(join(root, "app/other.py"), "def run(shop):\n    shop.price_of(3)\n");
	const used = ragnav(root, "where-used", "price_of", "--vimgrep");
	assert.equal(
		used.stdout,
		"app/main.py:1:24:from lib.prices import price_of\n" +
			"app/main.py:3:1:price_of(1)\n" +
			"app/main.py:4:1:price_of(2)\n" +
			"app/other.py:2:10:    shop.price_of(3)\n",
	);
	assert.match(used.stderr, /^function lib\.prices\.price_of {2}lib/m);
	const none = ragnav(root, "where-used", "nothing", "--vimgrep");
	assert.deepEqual([none.stdout, none.code], ["", 1]);
});

test("--vimgrep counts columns in bytes, and other rows in UTF-16 units", (t) => {
	const root = temporaryFolder(t);
	put(join(root, "a.txt"), "é €😀 needle\n");
	put(join(root, "b.txt"), Buffer.from("\ufeffé needle\n", "utf16le"));
	const long = `${"a".repeat(600)}${"é".repeat(50)}`;
	put(join(root, "c.txt"), `${long}needle${long}\n`);
	const search = (...args: string[]) =>
		ragnav(root, "search", "needle", ...args)
			.stdout.trimEnd()
			.split("\n");
	const [first, second, third] = search("--vimgrep");
	assert.equal(first, "a.txt:1:12:é €😀 needle");
	assert.equal(second, "b.txt:1:4:é needle");
	assert.match(`${third}`, /^c\.txt:1:701:…a{50}é{50}needle/);
	assert.equal(search()[0], "a.txt:1:7: é €😀 needle");
});

test("a summary says how many of the skipped files JSON names, and why they are", (t) => {
	const root = temporaryFolder(t);
	put(join(root, "a.py"), "needle\n");
	const skipped = (count: number) => {
		for (let at = 0; at < count; at += 1) {
			put(join(root, `b${at}.bin`), `needle\0`);
		}
		const { stderr } = ragnav(root, "search", "needle");
		const { skipped } = JSON.parse(
			ragnav(root, "search", "needle", "--json").stdout,
		);
		return [/and .*\)$/m.exec(stderr)?.[0], skipped.length];
	};
	assert.deepEqual(skipped(5), ["and 2 more (--json names all)", 5]);
	assert.deepEqual(skipped(25), ["and 22 more (--json names 20)", 20]);
	if (process.platform === "win32") return;
	const other = temporaryFolder(t);
	put(join(other, "a:3:4.py"), "needle\n");
	assert.match(
		ragnav(other, "search", "needle").stderr,
		/^skipped: a:3:4\.py \(a name that is not text, or reads as a path of Windows\)$/m,
	);
});

test("exit codes are those of ripgrep", (t) => {
	const root = shop(t);
	assert.equal(ragnav(root, "search", "price_of").code, 0);
	assert.equal(ragnav(root, "search", "absent").code, 1);
	assert.equal(ragnav(root, "search", "(", "--regex").code, 2);
	assert.equal(ragnav(root, "serch").code, 2);
});

test("a misspelled symbol gets a suggestion", (t) => {
	const root = shop(t);
	for (const command of ["where-used", "lineage", "locate"]) {
		const { code, stderr } = ragnav(root, command, "prce_of");
		assert.equal(code, 1);
		// What does not exist has no complete list of uses.
		assert.match(stderr, /^0 (?:rows|definitions) · /m);
		assert.match(stderr, /is called `prce_of`;.*Did you mean `price_of`\?/);
	}
	assert.match(ragnav(root, "serch").stderr, /Did you mean search\?/);
});

test("a place is taken for the symbol that stands there", (t) => {
	const root = shop(t);
	const used = ragnav(join(root, "lib"), "where-used", "../app/main.py:3:2");
	assert.match(
		used.stdout,
		/^function lib\.prices\.price_of {2}prices\.py:1$/m,
	);
	const { stdout } = ragnav(root, "definition", "app/main.py:4:1");
	assert.match(stdout, /^lib\/prices\.py:1 /);
});

test("many definitions are summarised", (t) => {
	const root = shop(t);
	for (let n = 0; n < 30; n += 1)
		put(join(root, `m${n}.py`), "def save(): ...\n");
	const { stdout } = ragnav(root, "where-used", "save", "--limit", "3");
	assert.equal(stdout.match(/^function /gm)?.length, 5);
	assert.match(
		stdout,
		/^… 30 definitions of save; a longer name, such as m0\.save, narrows them$/m,
	);
});

test("errors say what happened and what to do", async (t) => {
	const root = shop(t);
	const regex = ragnav(root, "search", "(", "--regex").stderr;
	assert.doesNotMatch(regex, /\ufffd/);
	assert.match(regex, /\n {4}\(\n {4}\^\n/);
	const file = ragnav(root, "search", "x", "--repo", "lib/prices.py");
	assert.match(file.stderr, /lib\/prices\.py is a file; give the folder/);
	const gone = ragnav(root, "mcp", "--repo", "/nope/nope");
	assert.equal(gone.code, 2);
	assert.match(gone.stderr, /\/nope\/nope does not exist/);
	const server = createServer().listen(0, "127.0.0.1");
	t.after(() => server.close());
	await new Promise((resolve) => server.once("listening", resolve));
	const { port } = server.address() as AddressInfo;
	const taken = ragnav(root, "viewer", "--port", String(port));
	assert.match(taken.stderr, new RegExp(`port ${port} is taken; give another`));
});

test("a terminal's width is respected, with the match in sight", (t) => {
	const root = temporaryFolder(t);
	put(join(root, "long.txt"), `${"x".repeat(300)} needle ${"y".repeat(300)}\n`);
	const shown = onTerminal(root, 60, "search", "needle");
	const row = shown.split("\n").find((line) => line.includes("needle")) ?? "";
	assert.ok(row.length <= 60, row);
	assert.match(row, /…x+ needle y+…/);
});

test("a question is answered below the names of files", (t) => {
	const root = shop(t);
	put(
		join(root, "lib/cart.py"),
		'class Cart:\n    def total(self):\n        """Adds up the prices."""\n\n    def price(self):\n        pass\n',
	);
	put(join(root, "tests/test_cart.py"), "def test_price():\n    pass\n");
	put(join(root, "README"), "The price of a cart is its total.\n");
	const ask = (...options: string[]) =>
		ragnav(root, "ask", "what is the price of a cart", ...options);
	const all = ask().stdout;
	assert.match(
		all,
		/^lib\/cart\.py\n(.+\n)*? {2}2 {2}Cart\.total {2}method of Cart — Adds up the prices\.\n {5} {4}def total/m,
	);
	assert.equal(all.match(/^lib\/cart\.py$/gm)?.length, 1);
	const tests = ask("--tests").stdout;
	assert.equal(
		tests,
		"tests/test_cart.py\n  1  test_price  function · test\n     def test_price():\n         pass\n",
	);
	assert.match(
		ask("--docs").stdout,
		/^README\n {2}1 {2}README {2}text of README — /,
	);
	const code = ask("--code").stdout;
	assert.ok(!/^(README|tests)/m.test(code) && /^lib/m.test(code), code);
	const both = ask("--code", "--docs");
	assert.equal(both.code, 2);
	assert.match(both.stderr, /'--code' cannot be used with option '--docs'/);
	const coloured = ask("--tests", "--color", "always").stdout;
	assert.ok(coloured.includes("def test_\u001b[1m\u001b[31mprice\u001b["));
	const none = ask("--tests", "--open", "9");
	assert.match(none.stderr, /there is no row 9 to open/);
});

test("a question without words is answered with a warning", (t) => {
	const root = shop(t);
	const { stdout, stderr } = ragnav(root, "ask", "");
	assert.match(stdout, /price_of/);
	assert.match(
		stderr,
		/^warning: the question has no words, so nothing is searched by meaning\n\d+ passages/,
	);
	assert.doesNotMatch(ragnav(root, "ask", "price").stderr, /warning/);
});

test("help begins with examples and hides the limits", (t) => {
	const root = temporaryFolder(t);
	const help = ragnav(root, "where-used", "--help").stdout;
	assert.match(help, /^Examples:\n {2}ragnav where-used slugify\n/);
	assert.doesNotMatch(help, /--max-files/);
	const limits = ragnav(root, "where-used", "--help-limits").stdout;
	assert.match(limits, /Limits:\n[\s\S]*--max-files/);
});

test("completions are printed for shells, and complete commands and values", (t) => {
	const root = temporaryFolder(t);
	for (const shell of ["bash", "zsh", "fish"]) {
		const { code, stdout } = ragnav(root, "completions", shell);
		assert.equal(code, 0);
		assert.match(stdout, /ragnav/);
	}
	assert.match(ragnav(root, "complete", "--", "wher").stdout, /^where-used\t/);
	const modes = ragnav(root, "complete", "--", "search", "--mode", "").stdout;
	assert.match(modes, /^ranked/m);
});

test("init writes the entries of hosts and keeps what is there", (t) => {
	const root = shop(t);
	put(join(root, ".vscode", "mcp.json"), '{\n  // mine\n  "servers": {}\n}\n');
	const env = { HOME: root, XDG_CONFIG_HOME: root };
	const init = (...flags: string[]) =>
		spawnSync(process.execPath, [CLI, "init", ...flags], {
			cwd: root,
			env: { ...process.env, ...env },
			encoding: "utf8",
		});
	assert.match(init("--dry-run").stdout, /"ragnav": \{/);
	const text = () => readFileSync(join(root, ".vscode", "mcp.json"), "utf8");
	assert.doesNotMatch(text(), /ragnav/);
	assert.match(init("--yes").stdout, /VS Code: wrote \.vscode\/mcp\.json/);
	assert.match(text(), /\/\/ mine/);
	assert.match(text(), /"args": \[\s*"-y",\s*"ragnav",\s*"mcp"\s*\]/);
	assert.match(init("--yes").stdout, /has ragnav already/);
});

test("init leaves settings that are no JSON as they are", (t) => {
	const root = shop(t);
	const file = join(root, ".vscode", "mcp.json");
	put(file, '{"servers": {');
	const { stderr, status } = spawnSync(
		process.execPath,
		[CLI, "init", "--yes"],
		{
			cwd: root,
			env: { ...process.env, HOME: root, XDG_CONFIG_HOME: root },
			encoding: "utf8",
		},
	);
	assert.match(
		stderr,
		/\.vscode\/mcp\.json \(VS Code\) is no valid JSON; correct it/,
	);
	assert.equal(status, 2);
	assert.equal(readFileSync(file, "utf8"), '{"servers": {');
});

test("a repository in Go is known by the command line", (t) => {
	const root = temporaryFolder(t);
	put(join(root, "main.go"), "package main\n\nfunc Execute() {}\n");
	const { stdout } = ragnav(root, "locate", "Execute");
	assert.match(stdout, /^main\.go:3 {2}function main\.Execute/);
});
