// A language that ragnav does not ship, in the viewer: served, and as static files.
import assert from "node:assert/strict";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { launch, openPage, serve } from "../browser/browser.js";
import { FILES, GRAMMAR, LOCALS, TAGS } from "../js/ruby-plugin.js";
import { newRepo, type Repo, ragnav, viewer } from "./repository.js";

let repo: Repo;
let browser: Browser;
/** A file of languages, beside the repository. */
let languages: string;
before(async () => {
	repo = newRepo();
	for (const [path, text] of Object.entries(FILES)) repo.put(path, text);
	const beside = (name: string) => join(repo.folder, "..", name);
	copyFileSync(GRAMMAR, beside("ruby.wasm"));
	writeFileSync(beside("tags.scm"), TAGS);
	writeFileSync(beside("locals.scm"), LOCALS);
	languages = languagesFile("languages.json", "rbx");
	browser = await launch();
});
after(async () => {
	await browser?.close();
	repo?.remove();
});

/** Writes a file that calls the grammar by a name. */
function languagesFile(file: string, name: string): string {
	const path = join(repo.folder, "..", file);
	const rbx = { name, extensions: ["rbx"], wasm: "ruby.wasm" };
	const entry = { ...rbx, tags: "tags.scm", locals: "locals.scm" };
	writeFileSync(path, JSON.stringify({ languages: [entry] }));
	return path;
}

/** Follows a name of the language in a page, as a person does. */
async function follow(url: string): Promise<void> {
	const page = await openPage(browser);
	const complaints: string[] = [];
	page.on("pageerror", (error) => complaints.push(String(error)));
	page.on("console", (message) => {
		if (message.type() === "error") complaints.push(message.text());
	});
	await page.goto(`${url}#/cart.rbx?panel=outline`);
	await page.locator(".panel", { hasText: "Cart" }).waitFor();
	await page.goto(`${url}#/price.rbx?panel=used&of=price.price_of`);
	await page.locator(".rows .row-hit", { hasText: "price_of(1)" }).waitFor();
	assert.deepEqual(complaints, []);
	await page.close();
}

test("the viewer follows names of a language that its user named", async (t) => {
	const served = await viewer(repo.folder, ["--languages", languages]);
	t.after(() => served.close());
	await follow(served.url);
});

test("so does the viewer as static files", async (t) => {
	const out = join(repo.folder, "..", "site");
	const args = ["viewer", "--repo", repo.folder, "--out", out];
	const run = ragnav([...args, "--languages", languages]);
	assert.equal(run.status, 0, run.stderr);
	const server = await serve(out);
	t.after(() => server.close());
	await follow(server.url);
});

test("a language that cannot be used is refused before anything is served", () => {
	const file = languagesFile("taken.json", "python");
	const run = ragnav(["viewer", "--repo", repo.folder, "--languages", file]);
	assert.equal(run.status, 2);
	assert.match(run.stderr, /python/);
});
