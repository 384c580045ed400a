// The repositories of `ragnav mcp`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Roots } from "../../js/apps/mcp/roots.js";
import { setLoader } from "../../js/core/wasm-module.js";
import { nodeLoader } from "../../js/entries/load-node.js";
import { sourceRepo } from "./index-repo.js";

// Without a bundle, the sources do not find the core of the package.
const core = new URL("../../pkg/core.wasm", import.meta.url);
setLoader(nodeLoader(core, new URL("languages/", core)));

test("a repository that could not be opened is opened by the next call", async (t) => {
	let failures = 1;
	const limits = {
		get max_file_bytes() {
			failures -= 1;
			if (failures >= 0) throw new Error("not yet");
			return undefined;
		},
	};
	const roots = new Roots([sourceRepo(t)], { readOnly: true, limits });
	t.after(() => roots.close());
	const root = roots.named(undefined);
	assert.ok(root);
	await assert.rejects(root.navigator(), /not yet/);
	const nav = await root.navigator();
	assert.equal(await root.navigator(), nav);
});
