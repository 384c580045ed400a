// The host of an editor's workspace folder.
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { open } from "#ragnav";
import { vscodeHost } from "#ragnav/hosts/vscode";
import { fakeGitExtension, fakeVscode, uriOf } from "./fake-vscode.js";
import { git, put, temporaryFolder } from "./helpers.js";

function repository(t: TestContext): string {
	const folder = temporaryFolder(t);
	put(join(folder, "src/a.py"), "def saved():\n    pass\n");
	git(folder, "init", "-q");
	git(folder, "add", "-A");
	git(folder, "commit", "-qm", "first");
	return folder;
}

test("an unsaved document replaces its file", async (t) => {
	const folder = repository(t);
	const { vscode, textDocuments } = fakeVscode();
	const nav = await open(vscodeHost(vscode, uriOf(folder)));
	await nav.buildGraph();
	assert.equal((await nav.locate("saved")).meta.status, "OK");
	const document = (path: string, text: string) => ({
		uri: uriOf(path),
		isDirty: true,
		version: 2,
		getText: () => text,
	});
	textDocuments.push(
		document(join(folder, "src/a.py"), "\n\ndef typed():\n    pass\n"),
		document("/elsewhere/b.py", "def typed(): pass"),
		{ ...document(join(folder, "src/c.py"), "typed"), isDirty: false },
	);
	const [typed, ...others] = (await nav.locate("typed")).items;
	assert.deepEqual(
		[typed?.file, typed?.start_line, typed?.proof, others.length],
		["src/a.py", 3, "overlay", 0],
	);
	assert.equal((await nav.locate("saved")).items.length, 0);
	nav.close();
});

test("the commit comes from git's files, or else from the git extension", async (t) => {
	const folder = repository(t);
	const id = git(folder, "rev-parse", "HEAD");
	const head = (path: string, exports?: unknown) =>
		vscodeHost(fakeVscode(exports).vscode, uriOf(path)).gitHead();
	assert.deepEqual(await head(folder), { head: id, git_root: "" });
	git(folder, "pack-refs", "--all");
	assert.deepEqual(await head(folder), { head: id, git_root: "" });
	const src = join(folder, "src");
	assert.deepEqual(await head(src), { head: null, git_root: null });
	const repository_ = {
		rootUri: uriOf(folder),
		state: { HEAD: { commit: id } },
	};
	const git_ = { getAPI: () => ({ repositories: [repository_] }) };
	assert.deepEqual(await head(src, git_), { head: id, git_root: ".." });
	const off = {
		getAPI() {
			throw new Error("git is turned off");
		},
	};
	assert.deepEqual(await head(src, off), { head: null, git_root: null });
});

test("changes come from the git extension", async (t) => {
	const folder = repository(t);
	put(join(folder, "src/old.py"), "def moved():\n    return [1, 2, 3, 4]\n");
	git(folder, "add", "-A");
	git(folder, "commit", "-qm", "second");
	const { vscode, textDocuments } = fakeVscode(fakeGitExtension(folder));
	const nav = await open(vscodeHost(vscode, uriOf(folder)));
	t.after(() => nav.close());
	const symbols = async (options?: { from?: string; to?: string }) => {
		const { items, meta } = await nav.impact(options);
		assert.equal(meta.error_code, null, String(meta.message));
		return items.map(({ symbol, changes }) => [symbol, ...changes]);
	};
	assert.deepEqual(await symbols(), []);
	const [id] = [git(folder, "rev-parse", "HEAD").trim()];
	assert.equal((await nav.impact()).from, id);
	git(folder, "mv", "src/old.py", "src/new.py");
	put(join(folder, "src/extra.py"), "def extra():\n    pass\n");
	assert.deepEqual(await symbols(), [
		["sym:src.extra.extra", "added"],
		["sym:src.new.moved", "moved"],
	]);
	assert.deepEqual(await symbols({ to: "staged" }), [
		["sym:src.new.moved", "moved"],
	]);
	textDocuments.push({
		uri: uriOf(join(folder, "src/a.py")),
		isDirty: true,
		version: 2,
		getText: () => "def saved():\n    return 1\n",
	});
	assert.deepEqual((await symbols())[0], ["sym:src.a.saved", "body"]);
	assert.deepEqual(await symbols({ from: "HEAD~1", to: "HEAD" }), [
		["sym:src.old.moved", "added"],
	]);
	assert.deepEqual(await symbols({ from: "HEAD", to: "HEAD~1" }), [
		["sym:src.old.moved", "removed"],
	]);
	const unknown = await nav.impact({ from: "nowhere" });
	assert.match(String(unknown.meta.message), /no commit `nowhere`/);
});

test("without the git extension, a comparison says what to do", async (t) => {
	const nav = await open(vscodeHost(fakeVscode().vscode, uriOf(repository(t))));
	t.after(() => nav.close());
	const { meta } = await nav.impact();
	assert.equal(meta.error_code, "HOST_FAILED");
	assert.match(String(meta.message), /git extension knows no repository/);
});

test("links are listed, and not followed", async (t) => {
	const folder = repository(t);
	const outside = temporaryFolder(t);
	put(join(outside, "secret.py"), "password = 1\n");
	symlinkSync(outside, join(folder, "away"));
	symlinkSync(join(outside, "secret.py"), join(folder, "secret.py"));
	mkdirSync(join(folder, "inner"));
	const host = vscodeHost(fakeVscode().vscode, uriOf(folder));
	const [entries] = await host.readDirs([""]);
	assert.ok(Array.isArray(entries));
	const kinds = entries.map(({ name, kind }) => `${name}:${kind}`);
	assert.ok(kinds.includes("away:link") && kinds.includes("secret.py:link"));
	const read = await host.readMany(["away/secret.py", "secret.py"], {
		max_bytes: 100,
	});
	assert.deepEqual(
		read.map((file) => "error" in file && file.error),
		["denied", "denied"],
	);
});

test("onChange reports changes, and the token is null", async (t) => {
	const folder = repository(t);
	const { vscode, listeners } = fakeVscode();
	const nav = await open(vscodeHost(vscode, uriOf(folder)));
	const watching = await nav.watch({ build: false });
	assert.equal(await watching.vouches(), false);
	assert.match(`${watching.reason}`, /after/);
	assert.ok(listeners.size > 0);
	watching.close();
	assert.equal(listeners.size, 0);
	nav.close();
});

test("a read-only folder keeps its index in memory", async (t) => {
	const folder = repository(t);
	const { vscode } = fakeVscode();
	const nav = await open(vscodeHost(vscode, uriOf(folder), { readOnly: true }));
	assert.equal((await nav.buildGraph()).meta.status, "OK");
	assert.equal((await nav.locate("saved")).meta.status, "OK");
	nav.close();
	const other = await open(vscodeHost(vscode, uriOf(folder)));
	assert.equal((await other.route()).reason, "NO_STATUS");
	other.close();
});
