// Renames in real folders: the program, the command line and MCP.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
	chmodSync,
	existsSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { applyPlan, editBytes, open } from "#ragnav";
import { nodeHost } from "#ragnav/hosts/node";
import {
	failWith,
	put,
	replaceInFs,
	repository,
	temporaryFolder,
	withoutPrivileges,
} from "./hosts/helpers.js";
import { CLI, Session } from "./mcp-client.js";

const PRICES = "\uFEFFdef price():\r\n    return 1\r\n";
const SHOP = "from prices import price\n\ndef order():\n    return price()\n";

function shop(t: TestContext): string {
	const root = repository(temporaryFolder(t));
	put(join(root, "prices.py"), PRICES);
	put(join(root, "shop.py"), SHOP);
	return root;
}

function text(root: string, file: string): string {
	return readFileSync(join(root, file), "utf8");
}

async function planned(t: TestContext, root: string, from: string, to: string) {
	const nav = await open(nodeHost(root));
	t.after(() => nav.close());
	return nav.renamePlan(from, to);
}

test("a plan is applied to all files, with their bytes and modes kept", async (t) => {
	const root = shop(t);
	chmodSync(join(root, "prices.py"), 0o755);
	const plan = await planned(t, root, "price", "cost");
	assert.deepEqual(plan.refusals, []);
	assert.deepEqual(applyPlan(root, plan), ["prices.py", "shop.py"]);
	assert.equal(text(root, "prices.py"), PRICES.replace("price", "cost"));
	assert.equal(text(root, "shop.py"), SHOP.replaceAll(/\bprice\b/g, "cost"));
	assert.equal(statSync(join(root, "prices.py")).mode & 0o777, 0o755);
	assert.deepEqual(
		readdirSync(root).filter((name) => name.startsWith(".tmp")),
		[],
	);
});

test("a plan is not applied to a file that has changed, nor to any other", async (t) => {
	const root = shop(t);
	const plan = await planned(t, root, "price", "cost");
	writeFileSync(join(root, "shop.py"), `# new\n${SHOP}`);
	assert.throws(() => applyPlan(root, plan), {
		code: "INVALID_ARGUMENT",
		message: /shop\.py: the file has changed since the edits were planned/,
	});
	assert.equal(text(root, "prices.py"), PRICES);
	const [first] = plan.files;
	assert.ok(first);
	const edits = plan.items.filter(({ file }) => file === first.file);
	const bytes = readFileSync(join(root, first.file));
	assert.throws(() => editBytes(bytes, "0", edits), {
		code: "INVALID_ARGUMENT",
	});
	assert.match(
		new TextDecoder().decode(editBytes(bytes, first.hash, edits)),
		/^def cost\(\):\r\n/,
	);
});

test("files are put back as they were if a later one cannot be replaced", async (t) => {
	const root = shop(t);
	chmodSync(join(root, "prices.py"), 0o755);
	const plan = await planned(t, root, "price", "cost");
	// Both files are to move to one place.
	const files = plan.files.map((file) => ({ ...file, moves_to: "new.py" }));
	assert.throws(() => applyPlan(root, { ...plan, files }), {
		code: "INVALID_ARGUMENT",
		message: /new\.py exists already/,
	});
	assert.equal(text(root, "prices.py"), PRICES);
	assert.equal(text(root, "shop.py"), SHOP);
	assert.equal(statSync(join(root, "prices.py")).mode & 0o777, 0o755);
	const names = readdirSync(root).filter((name) => /\.tmp|new/.test(name));
	assert.deepEqual(names, []);
});

test("a plan that cannot be written names the file and says what to do", async (t) => {
	const root = shop(t);
	const plan = await planned(t, root, "price", "cost");
	chmodSync(root, 0o555);
	withoutPrivileges(() => {
		assert.throws(() => applyPlan(root, plan), {
			code: "HOST_FAILED",
			message:
				"prices.py cannot be written: EACCES: permission denied; allow this user to write in its folder, then try again",
		});
	});
	chmodSync(root, 0o755);
	replaceInFs(t, "fsyncSync", () => failWith("ENOSPC"));
	assert.throws(() => applyPlan(root, plan), {
		code: "HOST_FAILED",
		message: /^prices\.py cannot be written: ENOSPC: words; free space/,
	});
	assert.equal(text(root, "prices.py"), PRICES);
	assert.deepEqual(
		readdirSync(root).filter((name) => name.startsWith(".tmp")),
		[],
	);
});

test("no file outside of the repository is edited, and no link", async (t) => {
	const root = shop(t);
	const plan = await planned(t, root, "price", "cost");
	const outside = structuredClone(plan);
	for (const one of [...outside.files, ...outside.items]) {
		one.file = `../${one.file}`;
	}
	assert.throws(() => applyPlan(root, outside), { code: "FILE_UNREADABLE" });
	const target = join(temporaryFolder(t), "shop.py");
	put(target, SHOP);
	rmSync(join(root, "shop.py"));
	symlinkSync(target, join(root, "shop.py"));
	assert.throws(() => applyPlan(root, plan), { code: "FILE_UNREADABLE" });
	assert.equal(readFileSync(target, "utf8"), SHOP);
	assert.equal(text(root, "prices.py"), PRICES);
});

test("a class of Java takes its file along, and an existing file is kept", async (t) => {
	const root = repository(temporaryFolder(t));
	put(join(root, "Cart.java"), "public class Cart {}\n");
	put(join(root, "Shop.java"), "class Shop { Cart cart; }\n");
	const plan = await planned(t, root, "Cart.Cart", "Basket");
	put(join(root, "Basket.java"), "// mine\n");
	assert.throws(() => applyPlan(root, plan), /Basket\.java exists already/);
	assert.equal(text(root, "Shop.java"), "class Shop { Cart cart; }\n");
	const other = await planned(t, root, "Cart.Cart", "Trolley");
	assert.deepEqual(applyPlan(root, other), ["Trolley.java", "Shop.java"]);
	assert.equal(text(root, "Trolley.java"), "public class Trolley {}\n");
	assert.ok(!existsSync(join(root, "Cart.java")));
});

test("ragnav rename shows a plan, applies it, and writes nothing that is refused", (t) => {
	const root = shop(t);
	const rename = (...args: string[]) =>
		spawnSync(process.execPath, [CLI, "rename", ...args], {
			cwd: root,
			encoding: "utf8",
		});
	const shown = rename("price", "cost");
	assert.equal(shown.status, 0, shown.stderr);
	assert.match(shown.stdout, /^function prices\.price {2}prices\.py:1$/m);
	assert.match(shown.stdout, /^ {2}4:12 {2}price → cost {2}call$/m);
	assert.match(shown.stderr, /3 edits in 2 files, complete/);
	assert.equal(text(root, "shop.py"), SHOP);
	const refused = rename("price", "class", "--apply");
	assert.equal(refused.status, 2);
	assert.match(refused.stderr, /refused: With the name `class`/);
	assert.equal(text(root, "shop.py"), SHOP);
	const applied = rename("price", "cost", "--apply");
	assert.equal(applied.status, 0, applied.stderr);
	assert.match(text(root, "shop.py"), /return cost\(\)/);
	const risk = rename("cost", "price", "--accept", "everything");
	assert.equal(risk.status, 2);
	assert.match(risk.stderr, /must be one of: outside_base, unsearched/);
});

test("rag_rename_plan says its edits, and why they are refused", async (t) => {
	const root = shop(t);
	const session = await Session.start(t, ["--repo", root]);
	const ask = (new_name: string) =>
		session.call("rag_rename_plan", { symbol: "price", new_name });
	assert.equal((await ask("cost")).items.length, 3);
	assert.match(
		session.text,
		/^shop\.py\n1:20 {2}price -> cost\n4:12 {2}price -> cost$/m,
	);
	await ask("order");
	assert.match(session.text, /^REFUSED: With the name `order`/);
});
