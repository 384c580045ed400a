// Indexes that earlier versions wrote: their answers are right, and a build brings them up to date.
import assert from "node:assert/strict";
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { open } from "#ragnav";
import { nodeHost } from "#ragnav/hosts/node";
import { put, temporaryFolder } from "./hosts/helpers.js";

const FIXTURES = fileURLToPath(new URL("..", import.meta.url));
const OLD = join(FIXTURES, "package");
const VERSIONS = readdirSync(OLD).filter((name) => name.startsWith("index-of"));

const ROWS = ["shop/cart.py:3", "shop/cart.py:15"];

/** Returns a copy of the repository that was indexed, with the index of a version. */
function repositoryOf(t: TestContext, version: string): string {
	const root = temporaryFolder(t);
	cpSync(join(FIXTURES, "fixtures", "shop"), root, { recursive: true });
	cpSync(join(OLD, version, "llmc"), join(root, ".llmc"), { recursive: true });
	return root;
}

for (const version of VERSIONS) {
	test(`${version} is read or replaced, and never trusted wrongly`, async (t) => {
		const root = repositoryOf(t, version);
		const nav = await open(nodeHost(root));
		t.after(() => nav.close());
		const rows = async () => {
			const { meta, items } = await nav.whereUsed("price_of");
			assert.notEqual(meta.status, "ERROR", String(meta.message));
			return items.map(({ file, line }) => `${file}:${line}`);
		};
		assert.deepEqual(await rows(), ROWS);
		put(join(root, "shop/more.py"), "from shop.prices import price_of\n");
		assert.deepEqual(await rows(), [...ROWS, "shop/more.py:1"]);
		await nav.buildGraph();
		assert.deepEqual(await rows(), [...ROWS, "shop/more.py:1"]);
		const { items } = await nav.status();
		assert.deepEqual(
			items.map(({ verdict }) => verdict),
			["unchanged", "unchanged", "unchanged"],
		);
	});
}

test("there is an index of an earlier version", () => {
	assert.ok(VERSIONS.length > 0);
});
