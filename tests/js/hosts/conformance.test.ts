// Every host of the package does what ragnav relies on, by the checks that others run on theirs.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "#ragnav";
import { hostChecks, type MakeTrial } from "#ragnav/hosts/conformance";
import { memoryHost } from "#ragnav/hosts/memory";
import { nodeHost } from "#ragnav/hosts/node";
import { vscodeHost } from "#ragnav/hosts/vscode";
import { fakeVscode, uriOf } from "./fake-vscode.js";
import { git, put } from "./helpers.js";

function folderOf(files: Record<string, string>) {
	const folder = mkdtempSync(join(tmpdir(), "ragnav-trial-"));
	for (const [path, text] of Object.entries(files))
		put(join(folder, path), text);
	git(folder, "init", "-q");
	git(folder, "add", "-A");
	git(folder, "commit", "-qm", "first");
	return {
		folder,
		edit(path: string, text: string | null) {
			if (text === null) rmSync(join(folder, path));
			else put(join(folder, path), text);
		},
		close: () => rmSync(folder, { recursive: true, force: true }),
	};
}

const HOSTS: Record<string, MakeTrial> = {
	node: (files) => {
		const { folder, ...trial } = folderOf(files);
		return { host: nodeHost(folder), ...trial };
	},
	memory: (files) => {
		const host = memoryHost(files, { head: "a".repeat(40) });
		return {
			host,
			edit(path, text) {
				if (text === null) host.files.delete(path);
				else host.files.set(path, new TextEncoder().encode(text));
			},
		};
	},
	vscode: (files) => {
		const { folder, ...trial } = folderOf(files);
		return { host: vscodeHost(fakeVscode().vscode, uriOf(folder)), ...trial };
	},
};

for (const [name, make] of Object.entries(HOSTS)) {
	for (const check of hostChecks(open)) {
		test(`${name}: ${check.name}`, () => check.run(make));
	}
}

test("the checks find what is wrong", async () => {
	const wrong: MakeTrial = (files) => {
		const host = memoryHost(files);
		return {
			host: {
				...host,
				gitHead: () => "no id",
				stat: (paths) => paths.map(() => ({ size: 1, stamp: "the same" })),
				write: () => undefined,
				readMany: (paths) => paths.map(() => new Uint8Array([1])),
				readDirs: () => [[]],
			},
		};
	};
	const failed: string[] = [];
	for (const check of hostChecks(open)) {
		await check.run(wrong).catch(() => failed.push(check.name));
	}
	assert.equal(failed.length, hostChecks(open).length, `${failed}`);
});
