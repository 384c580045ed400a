// The text of a row, cut to the room there is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fitLine } from "../../js/apps/viewer/page/fit-line.js";
import { matchPaths } from "../../js/apps/viewer/page/fuzzy.js";

test("a line that fits loses only its indent", () => {
	const line = fitLine("    return price_of(one)", 11, 19, 40);
	assert.deepEqual(line, {
		before: "return ",
		match: "price_of",
		after: "(one)",
	});
});

test("a match far to the right is centred", () => {
	const text = `${"x".repeat(200)}price_of${"y".repeat(200)}`;
	const { before, match } = fitLine(text, 200, 208, 40);
	assert.equal(match, "price_of");
	assert.match(before, /^…x+$/);
	assert.ok(before.length + match.length < 30, before);
});

test("a short rest leaves more room in front of the match", () => {
	const text = "from django.shortcuts import get_object_or_404";
	const { before } = fitLine(text, 29, 46, 40);
	assert.equal(before.length + 17, 40);
});

test("files are found by letters of their paths, names first", () => {
	const paths = ["docs/cart.md", "shop/cart.py", "carts/other.py", "x.txt"];
	const found = (text: string) =>
		matchPaths(paths, text, 10).map(({ path }) => path);
	assert.equal(found("cart.py")[0], "shop/cart.py");
	assert.equal(found("shcapy")[0], "shop/cart.py");
	assert.deepEqual(found("zzz"), []);
	assert.equal(found("oth")[0], "carts/other.py");
});
