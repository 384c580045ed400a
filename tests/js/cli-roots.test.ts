// Several repositories on the command line.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { put, temporaryFolder } from "./hosts/helpers.js";
import { CLI } from "./mcp-client.js";

function folders(t: TestContext): string {
	const top = temporaryFolder(t);
	put(join(top, "money/src/money/__init__.py"), "def cents(x): ...\n");
	put(join(top, "shop/cart.py"), "from money import cents\ncents(1)\n");
	return top;
}

function ragnav(cwd: string, ...args: string[]) {
	return spawnSync(process.execPath, [CLI, ...args], { cwd, encoding: "utf8" });
}

const BOTH = ["--repo", "money", "--repo", "web=shop"];

test("--repo may be repeated and may give a name", (t) => {
	const top = folders(t);
	const { stdout, status } = ragnav(top, "where-used", "cents", ...BOTH);
	// A person sees the path of the file on disk.
	assert.match(stdout, /^shop\/cart\.py:2:1: cents\(1\)/m);
	assert.equal(status, 0);
	const { items } = JSON.parse(
		ragnav(top, "where-used", "cents", ...BOTH, "--json").stdout,
	);
	assert.deepEqual(
		items.map(({ root, file }: { root: string; file: string }) => [root, file]),
		[
			["web", "web/cart.py"],
			["web", "web/cart.py"],
		],
	);
});

test("a file is named from the working folder", (t) => {
	const top = folders(t);
	const place = ragnav(
		top,
		"identify",
		"money/src/money/__init__.py:1",
		...BOTH,
	);
	assert.match(place.stdout, /money\.src\.money\.cents/);
	const inShop = ragnav(top, "definition", "shop/cart.py:2:1", ...BOTH);
	assert.match(inShop.stdout, /money\.src\.money\.cents/);
});

test("the index and the status of several repositories", (t) => {
	const top = folders(t);
	assert.equal(ragnav(top, "build-graph", ...BOTH).status, 0);
	assert.ok(existsSync(join(top, "money/.llmc/groups/money+web")));
	assert.equal(existsSync(join(top, "shop/.llmc")), false);
	put(join(top, "shop/late.py"), "x = 1\n");
	const { stdout } = ragnav(top, "status", ...BOTH);
	assert.match(stdout, /^added shop\/late\.py/m);
	assert.match(stdout, /^money: no commit, 1 unchanged$/m);
	assert.match(stdout, /^web: no commit, 1 unchanged, 1 added$/m);
});

test("a rename is applied in one repository, and not in several", (t) => {
	const top = folders(t);
	const renamed = (...args: string[]) =>
		ragnav(top, "rename", ...args, ...BOTH);
	const several = renamed("cents", "pence", "--apply");
	assert.match(several.stderr, /several repositories \(money, web\)/);
	assert.equal(several.status, 2);
	put(join(top, "shop/till.py"), "def pay(): ...\npay()\n");
	assert.equal(renamed("pay", "charge", "--apply").status, 0);
	assert.equal(
		readFileSync(join(top, "shop/till.py"), "utf8"),
		"def charge(): ...\ncharge()\n",
	);
});

test("a repository that does not exist is named, and the others answer", (t) => {
	const top = folders(t);
	const gone = [...BOTH, "--repo", "gone"];
	const { stdout, stderr, status } = ragnav(top, "search", "cents", ...gone);
	assert.equal(stdout.split("\n").length, 4);
	assert.match(stderr, /^gone: REPO_NOT_FOUND: the root cannot be listed/m);
	assert.equal(status, 0);
	const alone = ragnav(top, "search", "cents", "--repo", "gone");
	assert.match(alone.stderr, /REPO_NOT_FOUND: gone does not exist/);
	const twice = ["--repo", "a=money", "--repo", "a=shop"];
	const same = ragnav(top, "search", "cents", ...twice);
	assert.match(same.stderr, /two repositories have the name "a"/);
	assert.equal(same.status, 2);
});

test("a command about one repository refuses several, and a name", (t) => {
	const top = folders(t);
	for (const [command, otherwise] of [
		["viewer", /run a viewer for each/],
		["lsp", /as the folders of the editor's workspace/],
		["init", /run `ragnav init` for each/],
	] as const) {
		const several = ragnav(top, command, "--repo", "shop", "--repo", "money");
		assert.match(several.stderr, /takes one repository, and shop is given too/);
		assert.match(several.stderr, otherwise);
		assert.equal(several.status, 2);
		const named = ragnav(top, command, "--repo", "web=shop");
		assert.match(named.stderr, /has no name; give its folder alone/);
		assert.equal(named.status, 2);
	}
});
