// Zips that are not what they say.
import assert from "node:assert/strict";
import { test } from "node:test";
import { zipSync } from "fflate";
import { ZIP_LIMITS, zipHost } from "../../js/hosts/zip.js";

const bytes = (text: string) => new TextEncoder().encode(text);

test("a folder that all is in is taken off, and bad names are left out", () => {
	const { host, left_out } = zipHost(
		zipSync({
			"top/a.py": bytes("a"),
			"top/in/b.py": bytes("b"),
			"top/../c.py": bytes("c"),
			"/etc/d": bytes("d"),
			"C:/e": bytes("e"),
			"top\\f": bytes("f"),
		}),
	);
	assert.deepEqual([...host.files.keys()].sort(), ["a.py", "in/b.py"]);
	assert.equal(left_out, 4);
	assert.equal(host.write, undefined);
});

test("limits hold: files, bytes, and what a byte may stand for", () => {
	const many = zipSync({ a: bytes("a"), b: bytes("b"), c: bytes("c") });
	const limited = (more: object) => zipHost(many, { ...ZIP_LIMITS, ...more });
	assert.throws(() => limited({ files: 2 }), /more than 2 files/);
	assert.throws(() => limited({ total_bytes: 2 }), /unpacks to more/);
	assert.equal(limited({ file_bytes: 0 }).left_out, 3);
	const dense = zipSync({ "a.txt": new Uint8Array(10e6) });
	assert.throws(() => zipHost(dense), /unpacks to more/);
});

test("an entry that claims to be smaller gets no more than it claims", () => {
	const size = 100_000;
	const archive = zipSync({ "a.txt": new Uint8Array(size) });
	const view = new DataView(archive.buffer, archive.byteOffset);
	for (let at = 0; at + 4 <= archive.length; at += 1) {
		if (view.getUint32(at, true) === size) view.setUint32(at, 10, true);
	}
	let held = 0;
	try {
		held = zipHost(archive).host.files.get("a.txt")?.length ?? 0;
	} catch {
		// Refusing it is as good.
	}
	assert.ok(held <= 10);
});

test("what is no zip is refused", () => {
	assert.throws(() => zipHost(bytes("none")), /invalid zip/);
});
