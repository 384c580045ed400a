import assert from "node:assert/strict";
import {
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { nodeHost } from "../../../js/hosts/node/host.js";
import {
	failWith,
	put,
	replaceInFs,
	temporaryFolder,
	withoutPrivileges,
} from "./helpers.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Writes through a host that has `write`. */
function write(
	root: string,
	path: string,
	text: string,
	exclusive?: boolean,
): void {
	const host = nodeHost(root);
	assert.ok(host.write);
	host.write(
		path,
		bytes(text),
		exclusive === undefined ? undefined : { exclusive },
	);
}

test("write creates folders, replaces, and leaves nothing else behind", (t) => {
	const root = temporaryFolder(t);
	write(root, ".llmc/rag/deep/facts.bin", "one");
	write(root, ".llmc/rag/deep/facts.bin", "two");
	write(root, ".llmc/empty", "");
	assert.equal(
		readFileSync(join(root, ".llmc/rag/deep/facts.bin"), "utf8"),
		"two",
	);
	assert.equal(statSync(join(root, ".llmc/empty")).size, 0);
	assert.deepEqual(readdirSync(join(root, ".llmc/rag/deep")), ["facts.bin"]);
	assert.deepEqual(readdirSync(join(root, ".llmc")).sort(), ["empty", "rag"]);
	const long = `.llmc/${"n".repeat(250)}`;
	write(root, long, "x");
	assert.ok(existsSync(join(root, long)));
});

test("write accepts a view of a larger buffer, and a root behind a link", (t) => {
	const folder = temporaryFolder(t);
	mkdirSync(join(folder, "real"));
	symlinkSync("real", join(folder, "root"));
	const memory = bytes("xxdataxx");
	nodeHost(join(folder, "root")).write?.(".llmc/a", memory.subarray(2, 6));
	assert.equal(
		readFileSync(join(folder, "real", ".llmc", "a"), "utf8"),
		"data",
	);
});

/** Paths that are not files under `.llmc/`. */
const BAD_PATHS = [
	"a",
	"",
	".llmc",
	".llmc/",
	".llmc/../a",
	".llmc/./a",
	".llmc//a",
	".llmcx/a",
	"x/.llmc/a",
	"/.llmc/a",
	".llmc/a\0",
	"..",
	".LLMC/a",
	"C:/.llmc/a",
];

test("write accepts only paths under .llmc/", (t) => {
	const root = temporaryFolder(t);
	for (const path of [...BAD_PATHS, join(root, ".llmc/a")]) {
		assert.throws(
			() => write(root, path, "x"),
			/^Error: Cannot write ".*": /,
			path,
		);
	}
	assert.deepEqual(readdirSync(root), []);
});

test("write refuses folders that are links or files", (t) => {
	const folder = temporaryFolder(t);
	const outside = join(folder, "outside");
	mkdirSync(outside);
	const cases: [string, string][] = [
		["out", outside],
		["in", "src"],
		["broken", "nowhere"],
	];
	for (const [name, target] of cases) {
		const root = join(folder, name);
		mkdirSync(join(root, "src"), { recursive: true });
		symlinkSync(target, join(root, ".llmc"));
		assert.throws(
			() => write(root, ".llmc/a", "x"),
			/is a link or a file/,
			name,
		);
		assert.deepEqual(readdirSync(join(root, "src")), []);
	}
	const root = join(folder, "deeper");
	mkdirSync(join(root, ".llmc"), { recursive: true });
	symlinkSync(outside, join(root, ".llmc", "rag"));
	assert.throws(() => write(root, ".llmc/rag/a", "x"), /is a link or a file/);
	put(join(root, ".llmc", "file"));
	assert.throws(() => write(root, ".llmc/file/a", "x"), /is a link or a file/);
	assert.deepEqual(readdirSync(outside), []);
	assert.throws(() => write(join(folder, "absent"), ".llmc/a", "x"), {
		code: "ENOENT",
	});
});

test("write replaces a link instead of writing through it", (t) => {
	const folder = temporaryFolder(t);
	const root = join(folder, "root");
	const outside = put(join(folder, "outside"), "kept");
	mkdirSync(join(root, ".llmc"), { recursive: true });
	symlinkSync(outside, join(root, ".llmc", "a"));
	assert.throws(() => write(root, ".llmc/a", "x", true), /exists already/);
	write(root, ".llmc/a", "new");
	assert.equal(readFileSync(outside, "utf8"), "kept");
	assert.ok(lstatSync(join(root, ".llmc", "a")).isFile());
});

test("a failed write keeps the old bytes and no temporary file", (t) => {
	const root = temporaryFolder(t);
	write(root, ".llmc/a", "old");
	mkdirSync(join(root, ".llmc", "folder"));
	assert.throws(() => write(root, ".llmc/folder", "x"));
	replaceInFs(t, "fsyncSync", () => failWith("ENOSPC"));
	assert.throws(() => write(root, ".llmc/a", "new"), {
		code: "ENOSPC",
		message:
			/\.llmc\/a cannot be written: ENOSPC: words; free space on its disk/,
	});
	assert.throws(() => write(root, ".llmc/b", "new", true), { code: "ENOSPC" });
	assert.equal(readFileSync(join(root, ".llmc", "a"), "utf8"), "old");
	assert.deepEqual(readdirSync(join(root, ".llmc")).sort(), ["a", "folder"]);
});

test("a reader sees the old file until the new one is complete", (t) => {
	const root = temporaryFolder(t);
	write(root, ".llmc/a", "old");
	const seen: string[] = [];
	replaceInFs(t, "renameSync", (rename) => (from, to) => {
		seen.push(
			readFileSync(String(to), "utf8"),
			readFileSync(String(from), "utf8"),
		);
		assert.equal(dirname(String(from)), dirname(String(to)));
		rename(from, to);
		seen.push(readFileSync(String(to), "utf8"));
	});
	write(root, ".llmc/a", "new");
	assert.deepEqual(seen, ["old", "new", "new"]);
});

for (const links of ["with hard links", "without hard links"]) {
	test(`exclusive ${links}: the first wins, the second is an error`, (t) => {
		if (links === "without hard links") {
			replaceInFs(t, "linkSync", () => failWith("EPERM"));
		}
		const root = temporaryFolder(t);
		write(root, ".llmc/lock", "first", true);
		assert.throws(
			() => write(root, ".llmc/lock", "second", true),
			/".llmc\/lock": it exists already/,
		);
		assert.equal(readFileSync(join(root, ".llmc", "lock"), "utf8"), "first");
		mkdirSync(join(root, ".llmc", "folder"));
		assert.throws(
			() => write(root, ".llmc/folder", "x", true),
			/exists already/,
		);
		assert.deepEqual(readdirSync(join(root, ".llmc")).sort(), [
			"folder",
			"lock",
		]);
	});
}

test("exclusive without hard links leaves no half-written file", (t) => {
	const root = temporaryFolder(t);
	replaceInFs(t, "linkSync", () => failWith("EPERM"));
	let calls = 0;
	replaceInFs(t, "fsyncSync", (original) => (fd) => {
		calls++;
		return calls === 2 ? failWith("ENOSPC")() : original(fd);
	});
	assert.throws(() => write(root, ".llmc/lock", "x", true), { code: "ENOSPC" });
	assert.deepEqual(readdirSync(join(root, ".llmc")), []);
});

test("a read-only host has neither write nor remove", (t) => {
	const host = nodeHost(temporaryFolder(t), { readOnly: true });
	assert.equal(host.write, undefined);
	assert.equal(host.remove, undefined);
});

test("write without permission is an error and creates nothing", (t) => {
	const root = temporaryFolder(t);
	chmodSync(root, 0o555);
	withoutPrivileges(() => {
		assert.throws(() => write(root, ".llmc/a", "x"), {
			code: "EACCES",
			message: `${root}/.llmc/a cannot be written: EACCES: permission denied; allow this user to write in its folder, then try again`,
		});
	});
	assert.deepEqual(readdirSync(root), []);
});

const HOUR_S = 60 * 60;

/** Sets a file's times to `age` seconds ago. */
function makeOlder(path: string, age: number): void {
	const then = Date.now() / 1000 - age;
	utimesSync(path, then, then);
}

test("a write removes only temporary files older than an hour from its folder", (t) => {
	const root = temporaryFolder(t);
	const folder = join(root, ".llmc", "rag");
	const abandoned = ".tmp-123-0123456789abcdef";
	const kept = [
		"tmp-123-0123456789abcdef",
		".tmp-123-0123456789abcde",
		".tmp-123-0123456789abcdef0",
		".tmp-123-0123456789ABCDEF",
		".tmp--0123456789abcdef",
		".tmp-12x-0123456789abcdef",
		".tmp-123-0123456789abcdef.json",
		"x.tmp-123-0123456789abcdef",
	];
	for (const name of [abandoned, ...kept]) {
		makeOlder(put(join(folder, name)), HOUR_S + 60);
	}
	const young = ".tmp-124-0123456789abcdef";
	makeOlder(put(join(folder, young)), HOUR_S - 60);
	const ahead = ".tmp-125-0123456789abcdef";
	makeOlder(put(join(folder, ahead)), -2 * HOUR_S);
	const inside = ".tmp-126-0123456789abcdef";
	makeOlder(put(join(folder, inside, "file")), HOUR_S + 60);
	makeOlder(join(folder, inside), HOUR_S + 60);
	const above = put(join(root, ".llmc", abandoned));
	makeOlder(above, HOUR_S + 60);
	write(root, ".llmc/rag/a", "x");
	assert.deepEqual(
		readdirSync(folder).sort(),
		[...kept, young, ahead, inside, "a"].sort(),
	);
	assert.ok(existsSync(above));
});

test("only a successful write removes old temporary files, if it can", (t) => {
	const root = temporaryFolder(t);
	const leftover = put(join(root, ".llmc", ".tmp-1-0123456789abcdef"));
	makeOlder(leftover, 2 * HOUR_S);
	write(root, ".llmc/other/a", "x");
	mkdirSync(join(root, ".llmc", "folder"));
	assert.throws(() => write(root, ".llmc/folder", "x"));
	assert.ok(existsSync(leftover));
	replaceInFs(t, "unlinkSync", () => failWith("EBUSY"));
	write(root, ".llmc/a", "x");
	assert.ok(existsSync(leftover));
	assert.equal(readFileSync(join(root, ".llmc", "a"), "utf8"), "x");
});

/** Removes through a host that has `remove`. */
function remove(root: string, path: string): void {
	const host = nodeHost(root);
	assert.ok(host.remove);
	host.remove(path);
}

test("remove deletes a file; a missing one is no error, and nothing is created", (t) => {
	const root = temporaryFolder(t);
	remove(root, ".llmc/rag/a");
	assert.deepEqual(readdirSync(root), []);
	write(root, ".llmc/rag/a", "x");
	write(root, ".llmc/rag/b", "x");
	remove(root, ".llmc/rag/a");
	remove(root, ".llmc/rag/a");
	remove(root, ".llmc/absent/a");
	assert.deepEqual(readdirSync(join(root, ".llmc")), ["rag"]);
	assert.deepEqual(readdirSync(join(root, ".llmc", "rag")), ["b"]);
	remove(join(root, "absent"), ".llmc/a");
	rmSync(join(root, ".llmc"), { recursive: true });
	put(join(root, ".llmc"));
	assert.throws(() => remove(root, ".llmc/a"), /is a link or a file/);
});

test("remove accepts only paths under .llmc/", (t) => {
	const root = temporaryFolder(t);
	put(join(root, "a"));
	put(join(root, ".llmc", "a"));
	for (const path of [...BAD_PATHS, join(root, ".llmc/a")]) {
		assert.throws(
			() => remove(root, path),
			/^Error: Cannot remove ".*": /,
			path,
		);
	}
	assert.deepEqual(readdirSync(root).sort(), [".llmc", "a"]);
	assert.deepEqual(readdirSync(join(root, ".llmc")), ["a"]);
});

test("remove refuses folders, and paths through links; of a link it removes the link", (t) => {
	const folder = temporaryFolder(t);
	const outside = put(join(folder, "outside", "a"), "kept");
	const root = join(folder, "root");
	mkdirSync(join(root, ".llmc", "sub"), { recursive: true });
	symlinkSync(join(folder, "outside"), join(root, ".llmc", "rag"));
	assert.throws(() => remove(root, ".llmc/rag/a"), /is a link or a file/);
	assert.throws(() => remove(root, ".llmc/sub"));
	symlinkSync(outside, join(root, ".llmc", "link"));
	remove(root, ".llmc/link");
	assert.equal(readFileSync(outside, "utf8"), "kept");
	assert.deepEqual(readdirSync(join(root, ".llmc")).sort(), ["rag", "sub"]);
});

test("remove without permission is an error", (t) => {
	const root = temporaryFolder(t);
	chmodSync(root, 0o755);
	const file = put(join(root, ".llmc", "a"));
	chmodSync(join(root, ".llmc"), 0o555);
	withoutPrivileges(() => {
		assert.throws(() => remove(root, ".llmc/a"), { code: "EACCES" });
	});
	assert.ok(existsSync(file));
	chmodSync(join(root, ".llmc"), 0o755);
});
