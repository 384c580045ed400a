// The page's address says everything that shows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRoute, routeHash } from "../../js/apps/viewer/page/route.js";

test("an address that was read is written as it was", () => {
	for (const hash of [
		"#/",
		"#/shop/cart.py",
		"#/shop/cart.py:12",
		"#/a%20b%3F%23.py:3?q=a%26b%20%3D&mode=regex&panel=outline",
		"#/shop/cart.py:4?panel=used&of=shop/cart.py:7:20",
		"#/sym:shop.cart.Cart",
		"#/sym:shop.cart.Cart?panel=lineage&direction=downstream&depth=4",
		"#/?panel=changes",
		"#/?panel=changes&since=main",
		"#/?panel=ask&question=why%3F",
		"#/?panel=ask&question=why%3F&only=docs",
		"#/shop/cart.py?q=total&view=results",
	]) {
		assert.equal(routeHash(parseRoute(hash)), hash);
	}
});

test("values that the page does not know become the defaults", () => {
	const hash = "#/a.py:3:7?mode=magic&panel=no&depth=99&direction=up&view=x";
	assert.equal(routeHash(parseRoute(hash)), "#/a.py:3");
	assert.equal(parseRoute("#/%E0%A4%A").place.kind, "file");
});
