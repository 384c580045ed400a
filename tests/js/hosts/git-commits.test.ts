// The commits of a real repository, as the Node host gives them to the core.
import assert from "node:assert/strict";
import { chmodSync, existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { ChangesRequest } from "../../../js/core/host.js";
import { nodeHost } from "../../../js/hosts/node/host.js";
import {
	git,
	put,
	repository,
	setEnvironment,
	temporaryFolder,
} from "./helpers.js";

const MAX = { max_bytes: 1000 };

function committed(t: TestContext, files: Record<string, string>): string {
	const root = repository(temporaryFolder(t));
	commitAll(root, files);
	return root;
}

function commitAll(root: string, files: Record<string, string>): void {
	for (const [path, text] of Object.entries(files)) put(join(root, path), text);
	git(root, "add", "--all");
	git(root, "commit", "--quiet", "--allow-empty", "--message", "change");
}

/** Returns the changed files with the texts of commits. */
function changes(root: string, request: Partial<ChangesRequest> = {}) {
	const host = nodeHost(root);
	const nothing = { from: "HEAD", to: null, paths: [], unsaved: [] };
	const found = host.changes({ ...nothing, ...request });
	return found?.files.map(({ path, before, after }) => {
		const ids = [before, after].filter((id) => id != null);
		const texts = host.readObjects(ids, MAX);
		const shown = texts.map((bytes) => {
			assert.ok(ArrayBuffer.isView(bytes));
			return new TextDecoder().decode(bytes);
		});
		return [path, ...shown];
	});
}

test("files of the disk that differ from a commit", (t) => {
	const root = committed(t, {
		"same.py": "same\n",
		"same-size.py": "one\n",
		"gone.py": "gone\n",
		"ignored.py": "kept\n",
	});
	put(join(root, "same-size.py"), "two\n");
	put(join(root, "new ä.py"), "new\n");
	rmSync(join(root, "gone.py"));
	const paths = ["new ä.py", "same-size.py", "same.py"];
	assert.deepEqual(changes(root, { paths }), [
		["new ä.py"],
		["same-size.py", "one\n"],
		["gone.py", "gone\n"],
	]);
	assert.deepEqual(changes(root, { paths, unsaved: ["same.py"] })?.at(2), [
		"same.py",
		"same\n",
	]);
});

test("two commits, what is staged, and a folder of the repository", (t) => {
	const root = committed(t, { "app/a.py": "1\n", "other.py": "1\n" });
	git(root, "tag", "first");
	commitAll(root, { "app/a.py": "2\n", "app/b.py": "b\n" });
	const between = { from: "first", to: "HEAD" };
	assert.deepEqual(changes(root, between), [
		["app/a.py", "1\n", "2\n"],
		["app/b.py", "b\n"],
	]);
	const app = join(root, "app");
	assert.deepEqual(changes(app, between), [
		["a.py", "1\n", "2\n"],
		["b.py", "b\n"],
	]);
	put(join(root, "app/a.py"), "3\n");
	git(root, "add", "app/a.py");
	put(join(root, "app/a.py"), "4\n");
	const staged = [["a.py", "2\n", "3\n"]];
	assert.deepEqual(changes(app, { to: "staged" }), staged);
});

test("an unknown commit, and no repository", (t) => {
	const root = committed(t, {});
	assert.equal(changes(root, { from: "nowhere" }), undefined);
	assert.equal(changes(root, { to: "nowhere" }), undefined);
	assert.equal(changes(root, { from: "--help" }), undefined);
	const folder = temporaryFolder(t);
	assert.throws(() => changes(folder), /in no git repository/);
	setEnvironment(t, { PATH: folder });
	assert.throws(() => changes(root), /Cannot read commits: git is not instal/);
});

test("a bare repository compares its commits only", (t) => {
	const root = committed(t, { "a.py": "1\n" });
	commitAll(root, { "a.py": "2\n" });
	const bare = join(temporaryFolder(t), "bare.git");
	git(root, "clone", "--quiet", "--bare", root, bare);
	const between = { from: "HEAD~1", to: "HEAD" };
	assert.deepEqual(changes(bare, between), [["a.py", "1\n", "2\n"]]);
	for (const to of [null, "staged"])
		assert.throws(() => changes(bare, { to }), /bare repository has no files/);
});

test("missing and too large objects; links and submodules are no files", (t) => {
	const root = repository(temporaryFolder(t));
	put(join(root, "large.py"), "x".repeat(2000));
	symlinkSync("large.py", join(root, "link.py"));
	commitAll(root, { "binary.py": "\u0000\n\n" });
	git(root, "tag", "second");
	const host = nodeHost(root);
	const request = { from: "HEAD~1", to: "second", paths: [], unsaved: [] };
	const files = host.changes(request)?.files ?? [];
	assert.deepEqual(
		files.map(({ path }) => path),
		["binary.py", "large.py"],
	);
	const ids = files.map(({ after }) => String(after));
	const missing = "0".repeat(40);
	const [binary, large, none] = host.readObjects([...ids, missing], MAX);
	assert.deepEqual(binary, Buffer.from("\u0000\n\n"));
	assert.deepEqual(large, { error: "too_large" });
	assert.deepEqual(none, { error: "missing" });
	assert.deepEqual(host.readObjects([], MAX), []);
});

test("the settings of a repository start no program", (t) => {
	const root = committed(t, { "a.py": "1\n" });
	const trace = join(root, "trace");
	const program = put(join(root, "program"), `#!/bin/sh\necho > '${trace}'\n`);
	chmodSync(program, 0o755);
	put(join(root, ".gitattributes"), "* filter=own diff=own\n");
	for (const [name, value] of [
		["filter.own.clean", program],
		["filter.own.smudge", program],
		["diff.external", program],
		["diff.own.textconv", program],
		["core.fsmonitor", program],
		["core.pager", program],
	] as const) {
		git(root, "config", name, value);
	}
	put(join(root, "a.py"), "2\n");
	assert.deepEqual(changes(root, { paths: ["a.py"] }), [["a.py", "1\n"]]);
	assert.deepEqual(changes(root, { to: "staged" }), []);
	assert.equal(existsSync(trace), false);
});

/** Returns the commits between two, each with its changed files and their texts afterwards. */
function between(root: string, from: string, max_commits = 100) {
	const host = nodeHost(root);
	const commits = host.commitsBetween({ from, to: "HEAD", max_commits });
	return commits?.map(({ files }) =>
		files.map(({ path, after }) => {
			const [bytes] = after ? host.readObjects([after], MAX) : [];
			assert.ok(bytes === undefined || ArrayBuffer.isView(bytes));
			return `${path} ${new TextDecoder().decode(bytes).trim()}`.trim();
		}),
	);
}

test("the commits after one, oldest first, in a folder of the repository too", (t) => {
	const root = committed(t, { "app/a.py": "1\n", "other.py": "1\n" });
	git(root, "tag", "first");
	assert.deepEqual(between(root, "first"), []);
	commitAll(root, { "app/a.py": "2\n", "app/b ä.py": "b\n" });
	commitAll(root, { "other.py": "2\n" });
	rmSync(join(root, "app/a.py"));
	commitAll(root, {});
	assert.deepEqual(between(root, "first"), [
		["app/a.py 2", "app/b ä.py b"],
		["other.py 2"],
		["app/a.py"],
	]);
	const app = join(root, "app");
	assert.deepEqual(between(app, "first"), [["a.py 2", "b ä.py b"], ["a.py"]]);
	assert.equal(between(root, "first", 2), undefined);
	assert.equal(between(root, "nowhere"), undefined);
	assert.throws(() => between(temporaryFolder(t), "HEAD"), /in no git/);
});

test("a commit of a merged branch is followed by the merge", (t) => {
	const root = committed(t, { "a.py": "1\n" });
	git(root, "checkout", "--quiet", "-b", "topic");
	commitAll(root, { "b.py": "1\n" });
	git(root, "tag", "before");
	commitAll(root, { "b.py": "2\n" });
	git(root, "checkout", "--quiet", "-");
	git(root, "checkout", "--quiet", "-b", "trunk", "topic~2");
	commitAll(root, { "a.py": "2\n" });
	git(root, "merge", "--quiet", "--no-edit", "topic");
	commitAll(root, { "a.py": "3\n" });
	assert.deepEqual(between(root, "before"), [["a.py 2", "b.py 2"], ["a.py 3"]]);
	git(root, "checkout", "--quiet", "topic~1");
	// The newer commit is before the older one.
	assert.deepEqual(between(root, "topic"), [["b.py 1"]]);
});
