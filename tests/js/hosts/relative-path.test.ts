import assert from "node:assert/strict";
import { test } from "node:test";
import { pathProblem } from "../../../js/hosts/shared/relative-path.js";

test("what any system accepts, both kinds of rules accept", () => {
	for (const path of [
		"",
		"a",
		"a/b.ts",
		".llmc/x",
		"..a",
		"a..b",
		"größe",
		"a b",
	]) {
		assert.equal(pathProblem(path), null, path);
		assert.equal(pathProblem(path, true), null, path);
	}
});

test("Windows' own separators, streams and dropped endings are refused there alone", () => {
	for (const path of [
		"a\\b",
		"..\\a",
		"\\a",
		"ab:stream",
		"d/a:b",
		"a.",
		"a /b",
		".. /a",
		"...",
	]) {
		assert.equal(pathProblem(path), null, path);
		assert.match(pathProblem(path, true) ?? "", /Windows/, path);
	}
});

test("the reason is named", () => {
	const reasons: [string, RegExp][] = [
		["/a", /absolute/],
		["a\0", /NUL/],
		["C:/a", /drive letter/],
		["c:", /drive letter/],
		["a//b", /empty segment/],
		["a/", /empty segment/],
		["..", /"\.\."/],
		["a/./b", /"\."/],
	];
	for (const [path, reason] of reasons) {
		assert.match(pathProblem(path) ?? "", reason, path);
		assert.match(pathProblem(path, true) ?? "", reason, path);
	}
});
