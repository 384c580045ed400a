// Moves in real folders: the program and the command line, over code that runs afterwards.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { applyPlan, open } from "#ragnav";
import { nodeHost } from "#ragnav/hosts/node";
import { put, repository, temporaryFolder } from "./hosts/helpers.js";
import { CLI, Session } from "./mcp-client.js";

const SHOP = {
	"shop/__init__.py": "from .cart import Cart\n",
	"shop/cart.py":
		"import json\nfrom .money import Money\n\n\nclass Cart:\n    def sum(self):\n        return json.dumps(Money(2).value)\n\n\ndef name():\n    return 'cart'\n",
	"shop/money.py":
		"class Money:\n    def __init__(self, value):\n        self.value = value\n",
	"main.py":
		"import shop.cart\nfrom shop import Cart\n\nprint(Cart().sum(), shop.cart.Cart is Cart, shop.cart.name())\n",
};

const MODULES = {
	"cart.mjs":
		'import { join } from "node:path";\nimport { tax } from "./tax.mjs";\n\n/** Adds the tax. */\nexport function total(a) {\n  return join(String(tax(a)), "x");\n}\n',
	"tax.mjs": "export const tax = (a) => a + 1;\n",
	"main.mjs": 'import { total } from "./cart.mjs";\nconsole.log(total(1));\n',
};

function written(t: TestContext, files: Record<string, string>): string {
	const root = repository(temporaryFolder(t));
	for (const [file, text] of Object.entries(files)) {
		mkdirSync(dirname(join(root, file)), { recursive: true });
		put(join(root, file), text);
	}
	return root;
}

function text(root: string, file: string): string {
	return readFileSync(join(root, file), "utf8");
}

function output(program: string, args: string[], cwd: string): string {
	const run = spawnSync(program, args, { cwd, encoding: "utf8" });
	assert.equal(run.status, 0, run.stderr);
	return run.stdout;
}

async function planned(t: TestContext, root: string, from: string, to: string) {
	const nav = await open(nodeHost(root));
	t.after(() => nav.close());
	return nav.movePlan(from, to);
}

test("a class of Python moves to a new file, and the program runs as before", async (t) => {
	const root = written(t, SHOP);
	const before = output("python3", ["main.py"], root);
	const plan = await planned(t, root, "Cart", "shop/basket.py");
	assert.deepEqual(plan.refusals, []);
	const applied = applyPlan(root, plan);
	assert.deepEqual(applied.sort(), [
		"main.py",
		"shop/__init__.py",
		"shop/basket.py",
		"shop/cart.py",
	]);
	assert.equal(output("python3", ["main.py"], root), before);
	assert.equal(text(root, "shop/__init__.py"), "from .basket import Cart\n");
	assert.equal(
		text(root, "shop/cart.py").trim(),
		"def name():\n    return 'cart'",
	);
	output("python3", ["-c", "import shop.basket; shop.basket.Cart()"], root);
});

test("a function of JavaScript moves to a new file, and Node runs it as before", async (t) => {
	const root = written(t, MODULES);
	const before = output(process.execPath, ["main.mjs"], root);
	const plan = await planned(t, root, "total", "sums.mjs");
	assert.deepEqual(plan.refusals, []);
	applyPlan(root, plan);
	assert.equal(output(process.execPath, ["main.mjs"], root), before);
	assert.equal(
		text(root, "main.mjs"),
		MODULES["main.mjs"].replace("cart", "sums"),
	);
	assert.equal(text(root, "cart.mjs"), "");
});

test("a new file that exists by now is kept, and nothing is written", async (t) => {
	for (const occupy of [
		(path: string) => writeFileSync(path, "mine = 1\n"),
		(path: string) => symlinkSync("/nowhere", path),
	]) {
		const root = written(t, SHOP);
		const plan = await planned(t, root, "Cart", "shop/basket.py");
		const [file] = plan.files.filter(({ hash }) => hash === null);
		assert.equal(file?.file, "shop/basket.py");
		occupy(join(root, "shop/basket.py"));
		assert.throws(() => applyPlan(root, plan), /basket\.py exists already/);
		for (const [file, before] of Object.entries(SHOP)) {
			assert.equal(text(root, file), before);
		}
	}
});

test("a plan is not applied to a file that has changed", async (t) => {
	const root = written(t, SHOP);
	const plan = await planned(t, root, "Cart", "shop/basket.py");
	writeFileSync(join(root, "main.py"), `# new\n${SHOP["main.py"]}`);
	assert.throws(() => applyPlan(root, plan), /main\.py: the file has changed/);
	assert.ok(!existsSync(join(root, "shop/basket.py")));
	assert.deepEqual(
		readdirSync(join(root, "shop")).filter((name) => name.startsWith(".tmp")),
		[],
	);
});

test("ragnav move shows a plan, applies it, and writes nothing that is refused", (t) => {
	const root = written(t, SHOP);
	const move = (...args: string[]) =>
		spawnSync(process.execPath, [CLI, "move", ...args], {
			cwd: root,
			encoding: "utf8",
		});
	const shown = move("shop.cart.Cart", "shop/basket.py");
	assert.equal(shown.status, 0, shown.stderr);
	assert.match(shown.stdout, /^class shop\.cart\.Cart {2}shop\/cart\.py:5$/m);
	assert.match(shown.stdout, /^shop\/basket\.py \(new\)$/m);
	assert.ok(!existsSync(join(root, "shop/basket.py")));
	const refused = move("shop.cart.Cart", "shop/money.py", "--apply");
	assert.equal(refused.status, 0, refused.stderr);
	assert.match(text(root, "shop/money.py"), /class Cart/);
	const again = move("shop.money.Cart", "shop/nowhere/file.py", "--apply");
	assert.equal(again.status, 2);
	assert.match(again.stderr, /refused: The folder of shop\/nowhere\/file\.py/);
	output("python3", ["main.py"], root);
});

test("rag_move_plan is listed only if it is chosen, and says its edits", async (t) => {
	const root = written(t, SHOP);
	const others = await Session.start(t, ["--repo", root]);
	assert.ok(!others.tools.some(({ name }) => name === "rag_move_plan"));
	const session = await Session.start(t, [
		...["--repo", root, "--tools", "rag_move_plan"],
	]);
	const move = { symbol: "name", file: "shop/names.py" };
	await session.call("rag_move_plan", move);
	assert.match(session.text, /^create shop\/names\.py$/m);
	assert.match(session.text, /nothing -> def name\(\): … \(2 lines\)$/m);
	await session.call("rag_move_plan", { ...move, file: "shop/missing/a.txt" });
	assert.match(session.text, /^REFUSED: /m);
});
