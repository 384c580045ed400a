// The extension in the editor's web workbench, driven by clicks and keys.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { GRAMMAR, TAGS } from "../js/ruby-plugin.js";
import { chooseQuickly, paneOf, rowOf, runCommand } from "./steps.js";
import { openWorkbench, type Workbench } from "./workbench.js";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const FILES = {
	"prices.py":
		'"""Prices."""\n\nPRICES = {"tea": 3}\n\n\ndef price_of(article):\n    return PRICES[article]\n',
	"cart.py":
		"from prices import price_of\n\n\ndef total(lines):\n    return sum(price_of(line) for line in lines)\n\n\ndef show(lines):\n    print(total(lines))\n",
	"notes.md": "# Money\n\nHow the price of an article is found. #prices\n",
	"till.rbq": "def ring_up(list)\n  weigh(list)\nend\n",
	"scale.rbq": "def weigh(list)\n  1\nend\n",
	// No workspace may name code that the editor then runs.
	".vscode/settings.json": '{ "ragnav.languagesFile": "memfs:/shop/own.json" }',
	".git/HEAD": "ref: refs/heads/main\n",
	".git/refs/heads/main": `${COMMIT}\n`,
};

const PLUGIN = {
	languages: [
		{
			name: "rbx",
			extensions: ["rbq"],
			wasm: "grammar/ruby.wasm",
			tags: "tags.scm",
		},
	],
};

let workbench: Workbench;
let page: Page;
before(async () => {
	workbench = await openWorkbench({
		files: FILES,
		served: {
			"plugin/languages.json": JSON.stringify(PLUGIN),
			"plugin/grammar/ruby.wasm": readFileSync(GRAMMAR),
			"plugin/tags.scm": TAGS,
		},
		settings: (url) => ({
			"ragnav.languagesFile": `${url}plugin/languages.json`,
		}),
	});
	({ page } = workbench);
});
after(async () => {
	await workbench?.close();
});

async function shot(name: string): Promise<void> {
	await page.screenshot({ path: join(workbench.shots, `${name}.png`) });
}

const command = (title: string, ...answers: string[]) =>
	runCommand(page, title, ...answers);
const quickly = (key: string, text: string, chosen: string | RegExp) =>
	chooseQuickly(page, key, text, chosen);
const pane = (name: string) => paneOf(page, name);
const shows = (view: string, text: string | RegExp) =>
	rowOf(pane(view), text).waitFor();
const status = () =>
	page.locator(".statusbar-item", { hasText: "ragnav:" }).first();

test("a search fills its view with live rows", async () => {
	assert.match(await status().innerText(), /no index, answers are live/);
	await command("ragnav: Search", "price_of");
	await shows("Search", /def price_of.*line 6 · read now/);
	await shows("Search", /from prices import price_of.*line 1/);
	await pane("Search").getByText("3 rows · No index yet; read live").waitFor();
	await shot("1-live");
});

test("after a build, rows are proven and the status is fresh", async () => {
	await command("ragnav: Build Index");
	await page
		.locator(".statusbar-item", { hasText: "ragnav: up to date" })
		.waitFor();
	await shows("Search", /def price_of.*index/);
	await pane("Search").getByText("3 rows · Up to date").waitFor();
	await shot("2-indexed");
});

test("a row opens its file at its line", async () => {
	await pane("Search")
		.locator(".monaco-list-row", { hasText: "def price_of" })
		.click();
	await page.locator(".tab", { hasText: "prices.py" }).waitFor();
	await page.getByText("Ln 6, Col").first().waitFor();
	await shot("3-opened");
});

test("rows show unsaved text", async () => {
	await page.locator(".monaco-editor .view-lines").first().click();
	await page.keyboard.press("Control+Home");
	await page.keyboard.type("# dearer by the day\n");
	await shows("Search", /def price_of.*line 7 · unsaved/);
	await page
		.locator(".statusbar-item", { hasText: "ragnav: 1 file changed" })
		.waitFor();
	await shot("4-unsaved");
	await page.keyboard.press("Control+s");
	await shows("Search", /def price_of.*line 7 · read now/);
	await pane("Search")
		.getByText("1 file changed since the index; shown live")
		.waitFor();
	await shot("5-saved");
	await command("ragnav: Build Index");
	await page
		.locator(".statusbar-item", { hasText: "ragnav: up to date" })
		.waitFor();
	await shows("Search", /def price_of.*line 7 · index/);
});

test("references and the call hierarchy use the editor's views", async () => {
	await pane("Search")
		.locator(".monaco-list-row", { hasText: "def price_of" })
		.click();
	await page.keyboard.press("Control+Home");
	await page.locator(".monaco-editor .view-lines").first().click();
	await page.keyboard.press("Control+g");
	await page.locator(".quick-input-widget input[type=text]").fill(":7:6");
	await page.keyboard.press("Enter");
	await command("References: Find All References");
	const found = page.locator(
		".pane:has(.pane-header[aria-label*='References'])",
	);
	await found.locator(".monaco-list-row", { hasText: "cart.py" }).waitFor();
	await shot("6-references");
	await page.keyboard.press("Control+1");
	await page.keyboard.press("Shift+Alt+h");
	await page
		.locator(".monaco-list-row", { hasText: "total" })
		.first()
		.waitFor();
	await shot("7-calls");
	await page.keyboard.press("Escape");
});

test("definitions, symbols and renames follow unsaved text", async () => {
	await quickly("Control+p", "cart.py", /^cart\.py/);
	await page.locator(".tab.active", { hasText: "cart.py" }).waitFor();
	await page.locator(".monaco-editor .view-lines").first().click();
	await page.keyboard.press("Control+Home");
	await page.keyboard.type("# a cart\n");
	await quickly("Control+g", ":6:18", /line 6/);
	await page.keyboard.press("F12");
	await page.locator(".tab.active", { hasText: "prices.py" }).waitFor();
	await page.getByText("Ln 7, Col").first().waitFor();
	await shot("11-definition");
	await quickly("Control+t", "#total", /total/);
	await page.locator(".tab.active", { hasText: "cart.py" }).waitFor();
	await page.getByText("Ln 5, Col").first().waitFor();
	await quickly("Control+g", ":5:6", /line 5/);
	await page.keyboard.press("F2");
	const name = page.locator(".rename-box input");
	await name.fill("sum_of");
	await name.press("Enter");
	await page.locator(".view-line", { hasText: "def sum_of" }).waitFor();
	await page.locator(".view-line", { hasText: "print(sum_of" }).waitFor();
	await shot("13-renamed");
});

test("a language of the user's file has definitions; the workspace's file is not read", async () => {
	await command("ragnav: Search", "weigh");
	await pane("Search")
		.locator(".monaco-list-row", { hasText: /^weigh/ })
		.click();
	await page.locator(".tab.active", { hasText: "till.rbq" }).waitFor();
	await quickly("Control+g", ":2:4", /line 2/);
	await page.keyboard.press("F12");
	await page.locator(".tab.active", { hasText: "scale.rbq" }).waitFor();
	await page.getByText("Ln 1, Col").first().waitFor();
	const failure = page.getByText("cannot be used");
	assert.equal(await failure.count(), 0);
	await shot("14-plug-in");
});

test("ask shows passages that can be opened", async () => {
	await command("ragnav: Ask", "how is the price of an article found?");
	await shows("Answer", /Money.*notes\.md:1/);
	await shot("8-answer");
});

test("without git, the view of a change says what it needs", async () => {
	await command("ragnav: What This Change Touches");
	await pane("Changes")
		.getByText("the editor's git extension knows no repository")
		.waitFor();
	await shot("10-changes");
});

test("errors are shown with a message", async () => {
	await command("ragnav: Search by Regular Expression", "(");
	await pane("Search")
		.getByText("the regular expression is not valid")
		.waitFor();
	await pane("Search")
		.locator(".monaco-list-row")
		.first()
		.waitFor({ state: "detached" });
	await shot("9-error");
	console.error(`screenshots: ${workbench.shots}`);
});
