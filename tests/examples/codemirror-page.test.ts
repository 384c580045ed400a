// The example page in Chromium: bundled by Vite, driven by the keyboard.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { build } from "vite";
import { launch, openPage, POLICY, serve } from "../browser/browser.js";
import { type Example, exampleOf } from "./example.js";

/** A policy with inline styles, which CodeMirror creates. */
const STYLED = `${POLICY}; style-src 'self' 'unsafe-inline'`;

let example: Example;
let browser: Browser;
before(async () => {
	const codemirror = ["lang-python", "language", "state", "view"];
	const packages = codemirror.map((name) => `@codemirror/${name}`);
	[example, browser] = await Promise.all([
		exampleOf("codemirror-page", packages),
		launch(),
	]);
	await build({
		root: example.root,
		configFile: false,
		logLevel: "error",
		build: { target: "es2022", modulePreload: false },
	});
});
after(async () => {
	await browser?.close();
	example?.remove();
});

test("the page names the symbol under the cursor, also in text that was just typed", async (t) => {
	const server = await serve(join(example.root, "dist"), STYLED);
	t.after(() => server.close());
	const page = await openPage(browser);
	const complaints: string[] = [];
	page.on("pageerror", (error) => complaints.push(String(error)));
	await page.goto(server.url);
	const symbol = (text: string) =>
		page.locator("#symbol", { hasText: text }).waitFor();
	await symbol("sym:shop.cart.Cart");
	await page.locator(".cm-line", { hasText: "append" }).click();
	await symbol("sym:shop.cart.Cart.add");
	await page.keyboard.press("Control+End");
	await page.keyboard.type("\ndef fresh(): pass");
	await symbol("sym:shop.cart.fresh");
	assert.deepEqual(complaints, []);
});
