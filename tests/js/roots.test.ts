// Several repositories as one: resolution, freshness and failures of each, the index of all.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type Host, loadIndexStatus, open, rootsHost } from "#ragnav";
import { hostChecks, type MakeTrial } from "#ragnav/hosts/conformance";
import { memoryHost } from "#ragnav/hosts/memory";
import { nodeHost } from "#ragnav/hosts/node";
import { git, put, repository, temporaryFolder } from "./hosts/helpers.js";

const HEAD = "a".repeat(40);

const MONEY = {
	"package.json": '{"name": "@acme/money", "main": "./dist/index.js"}',
	"src/index.ts": "export function cents(x: number) {}\n",
	"src/money/__init__.py": "def cents(x): ...\n",
	"go.mod": "module example.org/money\n",
	"units/units.go": "package units\n\nfunc Cents(x int) {}\n",
};

const SHOP = {
	"package.json": '{"name": "shop", "dependencies": {"@acme/money": "^1.0.0"}}',
	"cart.ts": 'import { cents } from "@acme/money";\ncents(1);\n',
	"cart.py": "from money import cents\ncents(1)\n",
	"go.mod": "module example.org/shop\n",
	"main.go":
		'package main\n\nimport "example.org/money/units"\n\nfunc main() { units.Cents(1) }\n',
};

/** A host whose files cannot be read. */
const BROKEN: Host = {
	gitHead: () => null,
	readDirs: () => {
		throw new Error("the server is away");
	},
	readMany: () => {
		throw new Error("the server is away");
	},
};

function shopAndMoney() {
	const money = memoryHost(MONEY, { head: HEAD });
	const shop = memoryHost(SHOP, { head: "b".repeat(40) });
	const roots = [
		{ name: "money", host: money },
		{ name: "shop", host: shop },
	];
	return { money, shop, roots };
}

/** A host over a folder of another: what the checks expect at the root. */
function below(host: Host, folder: string): Host {
	const inFolder = (paths: string[]) =>
		paths.map((path) => {
			if (path.startsWith(".llmc/") || path.startsWith("/")) return path;
			return path === "" ? folder : `${folder}/${path}`;
		});
	return {
		...host,
		readDirs: (paths) => host.readDirs(inFolder(paths)),
		readMany: (paths, options) => host.readMany(inFolder(paths), options),
		stat: (paths) => host.stat?.(inFolder(paths)) ?? [],
	};
}

const checked: MakeTrial = (files) => {
	const host = memoryHost(files, { head: HEAD });
	const other = memoryHost({ "z.py": "" }, { head: HEAD });
	const all = rootsHost([
		{ name: "one", host },
		{ name: "other", host: other },
	]);
	const { roots: _, ...rest } = below(all, "one");
	return {
		host: rest,
		edit(path, text) {
			if (text === null) host.files.delete(path);
			else host.files.set(path, new TextEncoder().encode(text));
		},
	};
};

for (const check of hostChecks(open)) {
	test(`a host of several repositories: ${check.name}`, () =>
		check.run(checked));
}

test("names resolve from one repository to another, and rows name theirs", async (t) => {
	const { roots } = shopAndMoney();
	const nav = await open(roots);
	t.after(() => nav.close());
	const rows = async (symbol: string) => {
		const { items } = await nav.whereUsed(symbol);
		return items.map(({ root, file, line, resolution }) => {
			assert.equal(root, file.split("/")[0]);
			return `${file}:${line} ${resolution}`;
		});
	};
	for (const round of ["live", "indexed"]) {
		assert.deepEqual(
			await rows("money.src.cents"),
			["shop/cart.ts:1 resolved", "shop/cart.ts:2 resolved"],
			round,
		);
		assert.deepEqual(await rows("money.src.money.cents"), [
			"shop/cart.py:1 resolved",
			"shop/cart.py:2 resolved",
		]);
		assert.deepEqual(await rows("Cents"), ["shop/main.go:5 resolved"]);
		assert.equal((await nav.buildGraph()).meta.status, "OK");
	}
	const { meta } = await nav.whereUsed("Cents");
	assert.equal(meta.status, "OK");
});

test("an edit makes the rows of its file live, and no others", async (t) => {
	const { roots, shop } = shopAndMoney();
	const nav = await open(roots);
	t.after(() => nav.close());
	await nav.buildGraph();
	shop.files.set("note.txt", new TextEncoder().encode("cents\n"));
	const { items, meta } = await nav.search("cents");
	assert.equal(meta.status, "FALLBACK");
	const live = items.filter(({ source }) => source === "LOCAL_FALLBACK");
	assert.deepEqual(
		live.map(({ file }) => file),
		["shop/note.txt"],
	);
});

test("each repository has its own commit and counts", async (t) => {
	const { roots, money } = shopAndMoney();
	const nav = await open(roots);
	t.after(() => nav.close());
	await nav.buildGraph();
	money.files.set("src/index.ts", new TextEncoder().encode("// empty\n"));
	const { roots: states } = await nav.status();
	assert.deepEqual(
		states.map(({ name, head, counts, error_code }) => [
			name,
			head?.[0],
			counts,
			error_code,
		]),
		[
			["money", "a", { unchanged: 4, changed: 1 }, null],
			["shop", "b", { unchanged: 5 }, null],
		],
	);
});

test("a new commit in one repository is a moved HEAD of all", async (t) => {
	let head = HEAD;
	const money = memoryHost(MONEY);
	const moving = { ...money, gitHead: () => head };
	const { roots } = shopAndMoney();
	const nav = await open([{ name: "money", host: moving }, ...roots.slice(1)]);
	t.after(() => nav.close());
	await nav.buildGraph();
	assert.equal((await nav.route()).reason, "HEAD_MATCHES");
	head = "c".repeat(40);
	assert.equal((await nav.route()).reason, "HEAD_MOVED");
});

test("a repository that fails is named, and costs the others nothing", async (t) => {
	const missing = nodeHost(join(temporaryFolder(t), "nowhere"));
	const nav = await open([
		...shopAndMoney().roots,
		{ name: "gone", host: missing },
		{ name: "broken", host: BROKEN },
	]);
	t.after(() => nav.close());
	const found = await nav.whereUsed("money.src.cents");
	assert.equal(found.meta.status, "FALLBACK");
	assert.deepEqual(
		found.items.map(({ resolution }) => resolution),
		["resolved", "resolved"],
	);
	assert.deepEqual(
		found.roots.map(({ name, error_code }) => [name, error_code]),
		[
			["money", null],
			["shop", null],
			["gone", "REPO_NOT_FOUND"],
			["broken", "HOST_FAILED"],
		],
	);
	assert.match(String(found.roots[3]?.message), /the server is away/);
	assert.notEqual(found.completeness, "proven");
	const { meta } = await nav.buildGraph();
	assert.notEqual(meta.status, "ERROR");
	assert.notEqual((await nav.search("cents")).meta.status, "OK");
});

test("files of a repository that fails later are unknown, not removed", async (t) => {
	const { roots, money } = shopAndMoney();
	let fails = false;
	const readDirs = (paths: string[]) => {
		if (fails) throw new Error("the disk is away");
		return money.readDirs(paths);
	};
	const failing = { name: "money", host: { ...money, readDirs } };
	const nav = await open([...roots.slice(1), failing]);
	t.after(() => nav.close());
	await nav.buildGraph();
	fails = true;
	const { roots: states } = await nav.status();
	// Its folder counts, too.
	assert.deepEqual(
		states.map(({ counts }) => counts),
		[{ unchanged: 5 }, { unknown: 6 }],
	);
	fails = false;
	assert.equal((await nav.search("cents")).meta.status, "OK");
});

test("a repository whose unsaved texts are unknown is not read", async (t) => {
	const { roots, shop } = shopAndMoney();
	let fails = true;
	const overlay = () => {
		if (fails) throw new Error("the editor is away");
		return [{ path: "note.txt", version: 1, text: "cents\n" }];
	};
	const editing = [{ name: "shop", host: { ...shop, overlay } }];
	const nav = await open([...roots.slice(0, 1), ...editing]);
	t.after(() => nav.close());
	const blind = await nav.search("cents");
	assert.ok(blind.items.every(({ root }) => root === "money"));
	assert.match(String(blind.roots[1]?.message), /the editor is away/);
	fails = false;
	const seen = await nav.search("cents", { folder: "shop" });
	assert.ok(seen.items.some(({ proof }) => proof === "overlay"));
	assert.equal(seen.roots[1]?.error_code, null);
});

test("a group of one repository has its rows, below its name", async (t) => {
	const files = {
		...MONEY,
		...SHOP,
		".gitignore": "dist\n",
		"dist/a.py": "cents(1)\n",
		"tests/test_cart.py":
			"from cart import cents\n\ndef test_it():\n    cents(1)\n",
		"app/run.py": "import lib.tools\nlib.tools.go()\n",
		"lib/tools.py": "def go(): ...\n",
	};
	const alone = await open(memoryHost(files, { head: HEAD }));
	const host = memoryHost(files, { head: HEAD });
	const group = await open([{ name: "all", host }]);
	t.after(() => [alone, group].map((nav) => nav.close()));
	const places = (rows: { file: string; line?: number }[]) =>
		rows.map(({ file, line }) => `${file}:${line}`);
	const prefixed = (rows: { file: string; line?: number }[]) =>
		places(rows).map((place) => `all/${place}`);
	for (const _ of ["live", "indexed"]) {
		for (const name of ["cents", "Cents", "go", "src.money.cents"]) {
			const [one, all] = [alone, group].map((nav) => nav.whereUsed(name));
			const own = (await one)?.items ?? [];
			const below = (await all)?.items ?? [];
			assert.deepEqual(places(below), prefixed(own), name);
			assert.deepEqual(
				below.map(({ resolution }) => resolution),
				own.map(({ resolution }) => resolution),
				name,
			);
		}
		assert.deepEqual(
			places((await group.files()).items),
			prefixed((await alone.files()).items),
		);
		await Promise.all([alone.buildGraph(), group.buildGraph()]);
	}
});

test("the index of all is stored by the first repository, beside its own", async (t) => {
	const [money, shop] = [folder(t, MONEY), folder(t, SHOP)];
	const roots = [
		{ name: "money", host: nodeHost(money) },
		{ name: "shop", host: nodeHost(shop) },
	];
	const own = await open(nodeHost(money));
	await own.buildGraph();
	own.close();
	const nav = await open(roots);
	assert.equal((await nav.buildGraph()).meta.status, "OK");
	nav.close();
	assert.ok(existsSync(join(money, ".llmc/groups/money+shop/rag/facts.bin")));
	assert.equal(existsSync(join(shop, ".llmc")), false);
	const again = await open(roots);
	t.after(() => again.close());
	assert.equal((await again.search("cents")).meta.status, "OK");
	const status = await loadIndexStatus(rootsHost(roots));
	assert.equal(status?.index_state, "fresh");
	const alone = await open(nodeHost(money));
	t.after(() => alone.close());
	assert.equal((await alone.search("cents")).meta.status, "OK");
	const watching = await again.watch({ build: false });
	if (process.platform === "linux") assert.equal(watching.reason, null);
	put(join(shop, "late.py"), "from money import cents\n");
	const late = await again.whereUsed("money.src.money.cents");
	assert.ok(late.items.some(({ file }) => file === "shop/late.py"));
	watching.close();
});

test("a change is compared in each repository, or in the one that a commit names", async (t) => {
	const [money, shop] = [folder(t, MONEY), folder(t, SHOP)];
	const nav = await open([
		{ name: "money", host: nodeHost(money) },
		{ name: "shop", host: nodeHost(shop) },
		{ name: "notes", host: memoryHost({ "a.py": "x = 1\n" }) },
	]);
	t.after(() => nav.close());
	put(join(money, "src/money/__init__.py"), "def cents(x, y): ...\n");
	const answer = await nav.impact();
	assert.deepEqual(
		answer.items.map(({ root, symbol }) => [root, symbol]),
		[["money", "sym:money.src.money.cents"]],
	);
	assert.deepEqual(
		answer.affected.map(({ file, line }) => `${file}:${line}`),
		["shop/cart.py:1", "shop/cart.py:2"],
	);
	assert.match(answer.from, /^money:[0-9a-f]{40} shop:[0-9a-f]{40}$/);
	assert.match(String(answer.roots[2]?.message), /the host has no commits/);
	assert.equal((await nav.search("x")).roots[2]?.error_code, null);
	git(money, "commit", "--quiet", "--all", "--message", "two");
	assert.deepEqual((await nav.impact()).items, []);
	const one = await nav.impact({ from: "money:HEAD~1", to: "money:HEAD" });
	assert.deepEqual(
		one.items.map(({ symbol }) => symbol),
		["sym:money.src.money.cents"],
	);
	git(money, "branch", "old", "HEAD~1");
	const partly = await nav.impact({ from: "old" });
	assert.equal(partly.items.length, 1);
	assert.match(String(partly.roots[1]?.message), /no commit `old`/);
	const neither = await nav.impact({ from: "HEAD", to: "old" });
	assert.match(
		String(neither.roots[1]?.message),
		/^there is no commit `old`; it is not compared/,
	);
	const gone = await nav.impact({ from: "gone", to: "HEAD" });
	assert.match(String(gone.roots[1]?.message), /^there is no commit `gone`;/);
	const traced = await nav.trace("shop/cart.py", 1, "old");
	assert.match(String(traced.meta.message), /no commit `shop:old`/);
	const back = await nav.trace("money/src/money/__init__.py", 1, "old");
	assert.equal(back.items[0]?.symbol, "sym:money.src.money.cents");
	const both = await nav.impact({ from: "money:HEAD~1", to: "shop:HEAD" });
	assert.match(String(both.meta.message), /different repositories/);
});

test("a repository without a commit says so, and the others are compared", async (t) => {
	const nav = await open(
		["money", "shop"].map((name) => {
			const folder = temporaryFolder(t);
			git(folder, "init", "--quiet", "--template=");
			put(join(folder, "a.py"), "def cents(x): ...\n");
			if (name === "money") {
				git(folder, "add", "--all");
				git(folder, "commit", "--quiet", "--message", "one");
			}
			return { name, host: nodeHost(folder) };
		}),
	);
	t.after(() => nav.close());
	for (const to of [null, "staged"]) {
		const { roots, meta } = await nav.impact({ to });
		assert.notEqual(meta.status, "ERROR");
		assert.match(
			String(roots[1]?.message),
			/^it has no commit yet; it is not compared/,
		);
	}
});

test("names are one segment of a path, and differ", async () => {
	const host = memoryHost({});
	const problems: [unknown[], RegExp][] = [
		[[], /at least one repository/],
		[["a/b"], /one segment of a path/],
		[["a:b"], /one segment of a path/],
		[[".git"], /begins with a dot/],
		[["node_modules"], /no walk enters/],
		[[""], /it must be a text/],
		[["a", "a"], /two repositories have the name "a"/],
	];
	for (const [names, message] of problems) {
		const roots = names.map((name) => ({ name: name as string, host }));
		await assert.rejects(open(roots), message);
	}
});

function folder(t: TestContext, files: Record<string, string>): string {
	const root = repository(temporaryFolder(t));
	for (const [path, text] of Object.entries(files)) put(join(root, path), text);
	git(root, "add", "--all");
	git(root, "commit", "--quiet", "--message", "first");
	return root;
}
