// The example of a language server in a worker, in Chromium: bundled by Vite, driven by the keyboard.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { launch, openPage, POLICY, serve } from "../browser/browser.js";
import { type Example, exampleOf } from "./example.js";

/** A policy with inline styles, which CodeMirror creates. */
const STYLED = `${POLICY}; style-src 'self' 'unsafe-inline'`;

let example: Example;
let browser: Browser;
before(async () => {
	const names = ["lang-python", "language", "lsp-client", "view"];
	const packages = names.map((name) => `@codemirror/${name}`);
	[example, browser] = await Promise.all([
		exampleOf("language-server-page", packages),
		launch(),
	]);
	await build({
		root: example.root,
		configFile: false,
		logLevel: "error",
		worker: { format: "es" },
		build: { target: "es2022", modulePreload: false },
	});
});
after(async () => {
	await browser?.close();
	example?.remove();
});

/** Puts the cursor on a name in one of the editors. */
async function click(page: Page, file: string, line: string): Promise<void> {
	const editor = page.getByLabel(file);
	await editor.locator(".cm-line", { hasText: line }).click();
}

test("editors go to definitions, show hovers, and rename over the worker", async (t) => {
	const server = await serve(join(example.root, "dist"), STYLED);
	t.after(() => server.close());
	const page = await openPage(browser);
	const complaints: string[] = [];
	page.on("pageerror", (error) => complaints.push(String(error)));
	await page.goto(server.url);
	await page.locator('main[aria-busy="false"]').waitFor();

	const cart = page.getByLabel("cart.py");
	const use = cart.locator(".cm-line", { hasText: "sum(price_of" });
	await use.hover({ position: { x: 190, y: 8 } });
	const tooltip = page.locator(".cm-tooltip", { hasText: "def price_of" });
	await tooltip.waitFor();
	const shown = await tooltip.innerText();
	assert.match(shown, /Returns the price of an article, in euros\./);
	assert.match(shown, /No index yet; read live \(2 files\)/);

	// The unsaved line moves the definition.
	await click(page, "prices.py", "PRICES = {");
	await page.keyboard.press("Home");
	await page.keyboard.type("# typed\n");
	await use.click({ position: { x: 190, y: 8 } });
	await page.keyboard.press("F12");
	await page.waitForFunction(
		() => document.activeElement?.getAttribute("aria-label") === "prices.py",
	);
	await page.keyboard.press("F2");
	const dialog = page.locator(".cm-panel input");
	await dialog.fill("cost_of");
	await dialog.press("Enter");
	await cart.getByText("sum(cost_of(article)").waitFor();
	await page.getByLabel("prices.py").getByText("def cost_of").waitFor();
	assert.deepEqual(complaints, []);
});
