// The editor's assistants: tools that a model calls, and the participant of the chat, in the web
// workbench without an account. The extension `assistant` stands for a model.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { runCommand } from "./steps.js";
import { openWorkbench, type Workbench } from "./workbench.js";

const FILES = {
	"prices.py":
		'PRICES = {"tea": 3}\n\n\ndef price_of(article):\n    return PRICES[article]\n',
	"cart.py":
		"from prices import price_of\n\n\ndef total(lines):\n    return sum(price_of(line) for line in lines)\n",
	"notes.md": "# Money\n\nHow the price of an article is found.\n",
	".git/HEAD": "ref: refs/heads/main\n",
	".git/refs/heads/main": "0123456789abcdef0123456789abcdef01234567\n",
};

let workbench: Workbench;
let page: Page;
before(async () => {
	workbench = await openWorkbench({
		files: FILES,
		extensions: ["assistant"],
		settings: () => ({
			"chat.disableAIFeatures": false,
			"chat.implicitContext.enabled": { panel: "never" },
		}),
	});
	({ page } = workbench);
	// Unsaved text, on which every answer rests.
	await page.locator(".monaco-editor .view-lines").first().click();
	await page.keyboard.press("Control+Home");
	await page.keyboard.type("# a cart\n");
});
after(async () => {
	await workbench?.close();
});

/** Calls a tool as a model does, and returns the text of its result. */
async function callTool(name: string, input: object): Promise<string> {
	await runCommand(page, "Call Tool", JSON.stringify({ name, input }));
	const lines = page.locator(".editor-instance .view-line");
	const first = lines.filter({ hasText: `Result of ${name}` });
	await first.waitFor();
	const shown = await lines.evaluateAll((found) =>
		found
			.map((line) => [line.getBoundingClientRect().top, line.textContent])
			.sort(([one], [other]) => Number(one) - Number(other))
			.map(([, text]) => String(text).replaceAll("\u00a0", " ")),
	);
	await runCommand(page, "View: Revert and Close Editor");
	await first.waitFor({ state: "detached" });
	return shown.join("\n");
}

test("tools answer a model about unsaved text, and say how fresh that is", async () => {
	assert.equal(
		await callTool("ragnav_where_used", { symbol: "price_of" }),
		`Result of ragnav_where_used
prices.py:4-5  function  prices.price_of
cart.py
  2:20  import  from prices import price_of
  6:16  call  in cart.total  return sum(price_of(line) for line in lines)
2 rows, complete · No index yet; read live.`,
	);
	assert.match(
		await callTool("ragnav_search", { query: "a c[a-z]+t$", mode: "regex" }),
		/^cart\.py\n {2}1:3 {2}# a cart\n1 row · No index yet; read live\.$/m,
	);
	const explored = await callTool("ragnav_explore", { about: "price_of" });
	assert.match(explored, /source of prices\.price_of:\ndef price_of/);
	assert.match(
		explored,
		/callers:\ncart\.py\n.*\n {2}6:16 {2}called by {2}cart\.total/,
	);
	assert.match(
		await callTool("ragnav_impact", {}),
		/ERROR HOST_FAILED: .*git extension knows no repository/,
	);
});

/** Asks in the chat, and returns the last response. */
async function ask(question: string, end: string) {
	await runCommand(page, "Chat: Open Chat");
	await page.keyboard.type(question);
	// Closes the suggestions, which would take the next key.
	await page.keyboard.press("Escape");
	await page.keyboard.press("Enter");
	const response = page.locator(".interactive-response", { hasText: end });
	await response.waitFor();
	return response;
}

/** Returns the text of an element with plain spaces, where an editor shows other ones. */
async function textOf(element: Locator): Promise<string> {
	return (await element.innerText()).replaceAll("\u00a0", " ");
}

test("@ragnav /uses answers with rows that open their files", async () => {
	const response = await ask("@ragnav /uses price_of", "2 rows");
	const text = await textOf(response);
	assert.match(text, /cart\.py:2\s+from prices import price_of/);
	assert.match(text, /return sum\(price_of\(line\) for line in lines\)/);
	assert.match(text, /2 rows · No index yet; read live\./);
	await response.getByText("cart.py:6").click();
	await page.getByText("Ln 6, Col").first().waitFor();
});

test("@ragnav answers a question with passages", async () => {
	const response = await ask("@ragnav how is a price found?", "passage");
	const text = await textOf(response);
	assert.match(text, /notes\.md:1/);
	assert.match(text, /How the price of an article is found\./);
	assert.match(text, /\d passages? · No index yet; read live\./);
});

test("@ragnav /impact says what it needs where there is no git", async () => {
	await ask("@ragnav /impact", "git extension knows no repository");
});
