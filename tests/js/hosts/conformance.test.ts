// Every host of the package passes the conformance checks.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { strToU8, zipSync } from "fflate";
import { open } from "#ragnav";
import { hostChecks, type MakeTrial } from "#ragnav/hosts/conformance";
import { fetchHost } from "#ragnav/hosts/fetch";
import { memoryHost } from "#ragnav/hosts/memory";
import { nodeHost } from "#ragnav/hosts/node";
import { vscodeHost } from "#ragnav/hosts/vscode";
import { zipHost } from "#ragnav/hosts/zip";
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
	zip: (files) => {
		const entries = Object.entries(files).map(
			([path, text]) => [path, strToU8(text)] as const,
		);
		return { host: zipHost(zipSync(Object.fromEntries(entries))).host };
	},
	fetch: (files) => {
		const served = new Map(Object.entries(files));
		let edits = 0;
		const listing = () => ({
			version: 1,
			root: "served",
			head: "a".repeat(40),
			git_root: "",
			folder: "files/",
			batch: null,
			files: [...served].map(([path, text]) => ({
				path,
				size: new TextEncoder().encode(text).length,
				stamp: `${edits}`,
			})),
		});
		const answer = async (url: string | URL | Request) => {
			const { pathname } = new URL(String(url));
			if (pathname === "/repo/ragnav-files.json") {
				return Response.json(listing());
			}
			const path = decodeURIComponent(pathname).replace("/repo/files/", "");
			const text = served.get(path);
			return new Response(text ?? null, {
				status: text === undefined ? 404 : 200,
			});
		};
		const url = "http://localhost/repo/";
		return {
			host: fetchHost(url, { fetch: answer }),
			edit(path, text) {
				edits += 1;
				if (text === null) served.delete(path);
				else served.set(path, text);
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

test("the checks find the faults of a host", async () => {
	const wrong: MakeTrial = (files) => {
		const host = memoryHost(files);
		return {
			host: {
				...host,
				gitHead: () => "no id",
				stat: (paths) => paths.map(() => ({ size: 1, stamp: "the same" })),
				fileTimes: (paths) => paths.map(() => ({ modified: 0, changed: 0 })),
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
