// Further languages on the command line and in the MCP server: a file that the user names.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createFolder } from "./consumer.js";
import { CLI, Session } from "./mcp-client.js";
import { FILES, GRAMMAR, LOCALS, TAGS } from "./ruby-plugin.js";

const folder = createFolder();
mkdirSync(join(folder, "repo"));
for (const [name, text] of Object.entries(FILES)) {
	writeFileSync(join(folder, "repo", name), text);
}
mkdirSync(join(folder, "queries"));
writeFileSync(join(folder, "queries", "tags.scm"), TAGS);
writeFileSync(join(folder, "queries", "locals.scm"), LOCALS);
writeFileSync(join(folder, "ruby.wasm"), readFileSync(GRAMMAR));

function languagesFile(name: string, content: unknown): string {
	const file = join(folder, name);
	const isText = typeof content === "string";
	writeFileSync(file, isText ? content : JSON.stringify(content));
	return file;
}

const ENTRY = {
	name: "rbx",
	extensions: ["rbx"],
	wasm: "ruby.wasm",
	tags: "queries/tags.scm",
	locals: "queries/locals.scm",
};
const GOOD = languagesFile("languages.json", { languages: [ENTRY] });

function ragnav(args: string[], env: NodeJS.ProcessEnv = {}) {
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		[CLI, ...args],
		{
			cwd: join(folder, "repo"),
			env: { ...process.env, RAGNAV_LANGUAGES: undefined, ...env },
			encoding: "utf8",
		},
	);
	return { status, stdout, stderr };
}

test("the command line takes a file of languages", () => {
	const outline = ["outline", "cart.rbx", "--json"];
	for (const run of [
		ragnav([...outline, "--languages", GOOD]),
		ragnav([...outline, "--languages", join("..", "languages.json")]),
		ragnav(outline, { RAGNAV_LANGUAGES: GOOD }),
	]) {
		assert.equal(run.status, 0, run.stderr);
		assert.equal(JSON.parse(run.stdout).items[0].name, "Cart");
	}
	assert.equal(ragnav(outline).status, 2);
});

test("a file of languages in the repository is not read", () => {
	const inside = join("repo", "languages.json");
	languagesFile(inside, { languages: [{ ...ENTRY, wasm: "../ruby.wasm" }] });
	const run = ragnav(["outline", "cart.rbx", "--json"]);
	assert.match(run.stdout, /LANGUAGE_UNAVAILABLE/);
});

for (const [content, reason] of [
	["{", /is no JSON/],
	[[], /must be \{"languages"/],
	[{ languages: [1] }, /languages\[0\] must be an object/],
	[{ languages: [{ ...ENTRY, color: 1 }] }, /languages\[0\] has no color/],
	[{ languages: [{ ...ENTRY, tags: undefined }] }, /\.tags must be the path/],
	[{ languages: [{ ...ENTRY, wasm: "none.wasm" }] }, /ENOENT.*none\.wasm/],
	[{ languages: [{ ...ENTRY, extensions: "rbx" }] }, /extensions of rbx/],
] as const) {
	test(`the command line refuses a file of languages: ${reason.source}`, () => {
		const file = languagesFile("bad.json", content);
		const run = ragnav(["search", "price_of", "--languages", file]);
		assert.equal(run.status, 2);
		assert.match(run.stderr, /INVALID_ARGUMENT/);
		assert.match(run.stderr, reason);
	});
}

test("the command line refuses a file of languages that is not there", () => {
	const run = ragnav(["files"], { RAGNAV_LANGUAGES: "nowhere.json" });
	assert.equal(run.status, 2);
	assert.match(run.stderr, /nowhere\.json cannot be used: ENOENT/);
});

test("the MCP server takes a file of languages, and refuses a bad one", async (t) => {
	const repo = ["--repo", join(folder, "repo")];
	for (const [args, env] of [
		[["--languages", GOOD], {}],
		[[], { RAGNAV_LANGUAGES: GOOD }],
	] as const) {
		const session = await Session.start(t, [...args, ...repo], env);
		const { items } = await session.call("rag_outline", { file: "cart.rbx" });
		assert.equal(items[0]?.name, "Cart");
	}
	const run = ragnav(["mcp", "--languages", "nowhere.json", ...repo]);
	assert.equal(run.status, 2);
	assert.match(run.stderr, /INVALID_ARGUMENT: .*nowhere\.json/);
});
