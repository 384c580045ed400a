// The example of Monaco with a language server in a worker, in Chromium: bundled by Vite, driven by the
// keyboard.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { build } from "vite";
import { npmPackages } from "../../js/build/npm-packages.mjs";
import { launch, openPage, POLICY, serve } from "../browser/browser.js";
import { type Example, exampleOf } from "./example.js";

/** A policy with the inline styles, fonts and workers that Monaco creates. */
const MONACO = `${POLICY} blob:; style-src 'self' 'unsafe-inline'; font-src 'self' data:`;

let example: Example;
let browser: Browser;
before(async () => {
	const modules = await npmPackages("monaco-languageclient-10.7.0", [
		"monaco-languageclient@10.7.0",
		"@codingame/monaco-vscode-api@25.1.2",
		"@codingame/monaco-vscode-editor-api@25.1.2",
		"vscode@npm:@codingame/monaco-vscode-extension-api@25.1.2",
	]);
	const packages = ["monaco-languageclient", "vscode", "@codingame"];
	[example, browser] = await Promise.all([
		exampleOf("monaco-page", packages, modules),
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

/** Returns the editor of a file. */
const editorOf = (page: Page, file: string) =>
	page.locator(`.monaco-editor[data-uri="file:///shop/${file}"]`);

/** Returns where the text of a line stands on the page. */
async function placeOf(editor: Locator, line: string, text: string) {
	const lines = editor.locator(".view-line", { hasText: line });
	return lines.evaluate((element, wanted) => {
		const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
		const range = document.createRange();
		while (texts.nextNode()) {
			const at = texts.currentNode.nodeValue?.indexOf(wanted) ?? -1;
			if (at < 0) continue;
			range.setStart(texts.currentNode, at + 1);
			range.setEnd(texts.currentNode, at + 2);
			break;
		}
		const { x, y, height } = range.getBoundingClientRect();
		return { x, y: y + height / 2 };
	}, text);
}

/** Returns the number of the line of an editor that the cursor is on. */
const cursorLine = (editor: Locator, line: number) =>
	editor.locator(".active-line-number", { hasText: String(line) });

/** Puts the cursor on text in a line. */
async function clickOn(
	editor: Locator,
	[number, line]: readonly [number, string],
	text: string,
) {
	const { x, y } = await placeOf(editor, line, text);
	await editor.page().mouse.click(x, y);
	await cursorLine(editor, number).waitFor();
}

/**
 * Presses a key until its effect is visible: Monaco silently cancels a command if the cursor, which
 * follows a click late, moves meanwhile.
 */
async function pressUntil(key: string, effect: Locator) {
	for (let attempt = 0; attempt < 5; attempt += 1) {
		await effect.page().keyboard.press(key);
		const visible = effect.waitFor({ timeout: 3_000 });
		if (await visible.then(() => true).catch(() => false)) return;
	}
	await effect.waitFor();
}

test("Monaco goes to definitions, lists references, shows hovers and renames", async (t) => {
	const server = await serve(join(example.root, "dist"), MONACO);
	t.after(() => server.close());
	const page = await openPage(browser);
	const complaints: string[] = [];
	page.on("pageerror", (error) => complaints.push(String(error)));
	await page.goto(server.url);
	await page.locator('main[aria-busy="false"]').waitFor();
	const cart = editorOf(page, "cart.py");
	const prices = editorOf(page, "prices.py");

	const use = await placeOf(cart, "sum(price_of", "price_of");
	await page.mouse.move(use.x, use.y);
	const hover = page.locator(".monaco-hover", { hasText: "def price_of" });
	await hover.waitFor();
	const shown = await hover.innerText();
	assert.match(shown, /Returns the price of an article, in euros\./);
	assert.match(shown, /No index yet; read live \(2 files\)/);

	// The unsaved line moves the definition.
	await clickOn(prices, [1, "PRICES = {"], "PRICES");
	await page.keyboard.press("Home");
	await page.keyboard.type("# typed\n");
	await prices.getByText("# typed").waitFor();
	await clickOn(cart, [9, "sum(price_of"], "price_of");
	await pressUntil("F12", cursorLine(prices, 5));
	const references = page.locator(".peekview-title", {
		hasText: "References (3)",
	});
	await pressUntil("Shift+F12", references);
	await page.keyboard.press("Escape");
	await references.waitFor({ state: "hidden" });

	const name = page.locator(".rename-box input");
	await pressUntil("F2", name);
	await name.fill("cost_of");
	await name.press("Enter");
	await cart.getByText("sum(cost_of(article)").waitFor();
	await prices.getByText("def cost_of").waitFor();
	assert.deepEqual(complaints, []);
});
