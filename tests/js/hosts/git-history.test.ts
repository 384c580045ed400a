import assert from "node:assert/strict";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { nodeHost } from "../../../js/hosts/node/host.js";
import {
	git,
	put,
	repository,
	setEnvironment,
	temporaryFolder,
} from "./helpers.js";

/** Commits files with these paths, and returns their names. */
function change(root: string, ...paths: string[]): string[] {
	for (const path of paths) {
		put(join(root, path), `${performance.now()}`);
	}
	git(root, "add", "--all");
	git(root, "commit", "--quiet", "--message", "change");
	return paths;
}

/** Returns the files of the latest commits that the host knows. */
function filesAt(root: string, max_commits = 100): string[][] {
	const commits = nodeHost(root).history({ max_commits });
	return commits.map(({ files }) => files);
}

test("the newest commits come first, each with its files", (t) => {
	const root = repository(temporaryFolder(t));
	const older = change(root, "a.py", "lib/ä b.py");
	const newer = change(root, "a.py");
	assert.deepEqual(filesAt(root).slice(0, 2), [newer, older]);
	assert.deepEqual(filesAt(root, 1), [newer]);
});

test("the host reads the history again only after a commit", (t) => {
	const root = repository(temporaryFolder(t));
	const host = nodeHost(root);
	const before = host.history({ max_commits: 10 });
	assert.equal(host.history({ max_commits: 10 }), before);
	change(root, "b.py");
	assert.deepEqual(host.history({ max_commits: 1 }), [{ files: ["b.py"] }]);
});

test("in a folder of a repository, only its own files count", (t) => {
	const root = repository(temporaryFolder(t));
	change(root, "packages/app/a.py", "packages/other.py");
	change(root, "packages/other.py");
	assert.deepEqual(filesAt(join(root, "packages", "app")), [["a.py"]]);
});

test("merges are left out", (t) => {
	const root = repository(temporaryFolder(t));
	git(root, "checkout", "--quiet", "-b", "side");
	change(root, "side.py");
	git(root, "checkout", "--quiet", "-");
	change(root, "main.py");
	git(root, "merge", "--quiet", "--no-edit", "side");
	const files = filesAt(root).filter((paths) => paths.length > 0);
	assert.deepEqual(files.flat().sort(), ["main.py", "side.py"]);
});

test("no repository and no commit: no history", (t) => {
	const folder = temporaryFolder(t);
	assert.deepEqual(filesAt(folder), []);
	git(folder, "init", "--quiet");
	assert.deepEqual(filesAt(folder), []);
});

test("the settings of a repository start no program", (t) => {
	const root = repository(temporaryFolder(t));
	const files = change(root, "a.py");
	const trace = join(root, "trace");
	const program = put(join(root, "program"), `#!/bin/sh\necho > '${trace}'\n`);
	chmodSync(program, 0o755);
	put(join(root, ".gitattributes"), "* diff=own\n");
	for (const [name, value] of [
		["log.showSignature", "true"],
		["gpg.program", program],
		["diff.external", program],
		["diff.own.textconv", program],
		["core.fsmonitor", program],
		["core.pager", program],
	] as const) {
		git(root, "config", name, value);
	}
	assert.deepEqual(filesAt(root, 1), [files]);
	assert.equal(existsSync(trace), false);
});

test("without git, the error says so", (t) => {
	const folder = temporaryFolder(t);
	const root = repository(join(folder, "root"));
	setEnvironment(t, { PATH: folder });
	assert.throws(
		() => filesAt(root),
		/Cannot read the history: git is not installed/,
	);
});
