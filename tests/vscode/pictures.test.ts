// The pictures of the README of the extension: what they show, and that they are small.
// `npm run pictures` takes them again.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { inRoot } from "../../js/build/paths.mjs";
import { chooseQuickly, paneOf, rowOf, runCommand } from "./steps.js";
import { openWorkbench, type Workbench } from "./workbench.js";

const VIEWPORT = { width: 1100, height: 560 };
const MAX_BYTES = 150_000;
const EXTENSION = inRoot("js", "apps", "vscode");

const FILES = {
	"shop/prices.py": `"""What the articles of the shop cost."""

PRICES = {"tea": 3.2, "cake": 4.5}


def price_of(article):
    """Returns the price of an article, in euros."""
    return PRICES[article]
`,
	"shop/cart.py": `from shop.prices import price_of


class Cart:
    def __init__(self):
        self.lines = []

    def add(self, article, count=1):
        self.lines.append((article, count))

    def total(self):
        """Returns the sum of all lines, in euros."""
        return sum(price_of(one) * n for one, n in self.lines)
`,
	"shop/receipt.py": `from shop.cart import Cart
from shop.prices import price_of


def print_receipt(cart: Cart):
    for article, count in cart.lines:
        print(count, article, price_of(article))
    print("total", cart.total())
`,
	"shop/offers.py": `from shop.prices import price_of


def cheapest(articles):
    return min(articles, key=price_of)
`,
	"tests/test_cart.py": `from shop.cart import Cart


def test_total():
    cart = Cart()
    cart.add("tea", 2)
    assert cart.total() == 6.4
`,
	"docs/prices.md": `# Prices

A price is looked up by the name of its article, and is in euros. Offers never change a price.
`,
	".git/HEAD": "ref: refs/heads/main\n",
	".git/refs/heads/main": "0123456789abcdef0123456789abcdef01234567\n",
};

let workbench: Workbench;
let page: Page;
before(async () => {
	workbench = await openWorkbench({
		files: FILES,
		shown: "shop/cart.py",
		extensions: ["git"],
		viewport: VIEWPORT,
		settings: () => ({
			"editor.cursorBlinking": "solid",
			"editor.hover.enabled": true,
			"editor.minimap.enabled": false,
			"editor.overviewRulerLanes": 0,
			"editor.scrollBeyondLastLine": false,
			"workbench.layoutControl.enabled": false,
		}),
	});
	({ page } = workbench);
	await runCommand(page, "ragnav: Search", "price_of");
	for (const name of ["Answer", "Changes"]) {
		await paneOf(page, name).locator(".pane-header").click();
	}
	await widenSideBar();
	await runCommand(page, "ragnav: Build Index");
	await page
		.locator(".statusbar-item", { hasText: "ragnav: up to date" })
		.waitFor();
	const message = page.locator(".notification-toast", {
		hasText: "shop is indexed, 6 files.",
	});
	await message.waitFor();
	await runCommand(page, "Notifications: Clear All Notifications");
	await message.waitFor({ state: "hidden" });
});
after(async () => {
	await workbench?.close();
});

async function widenSideBar(): Promise<void> {
	const box = await page.locator(".part.sidebar").boundingBox();
	assert.ok(box);
	const edge = box.x + box.width;
	await page.mouse.move(edge, 300);
	await page.mouse.down();
	await page.mouse.move(edge + 150, 300, { steps: 4 });
	await page.mouse.up();
}

/** Takes a picture where that is asked for, and checks the one that the README shows. */
async function picture(name: string): Promise<void> {
	const path = `${EXTENSION}/media/${name}.png`;
	if (process.env.RAGNAV_PICTURES) {
		// The status bar names it while the editor starts an extension.
		await page.getByText("Activating Extensions").waitFor({ state: "hidden" });
		await page.screenshot({ path, animations: "disabled" });
	}
	const taken = readFileSync(path);
	// The width and the height are at the bytes 16 to 24 of a PNG.
	const size = [taken.readUInt32BE(16), taken.readUInt32BE(20)];
	assert.deepEqual(size, [VIEWPORT.width, VIEWPORT.height]);
	assert.ok(taken.length <= MAX_BYTES, `${name}: ${taken.length} bytes`);
	const readme = readFileSync(`${EXTENSION}/README.md`, "utf8");
	assert.ok(readme.includes(`(media/${name}.png)`), name);
}

test("a search beside unsaved text", async () => {
	await rowOf(paneOf(page, "Search"), "def price_of").click();
	await page.locator(".tab.active", { hasText: "prices.py" }).waitFor();
	await page.locator(".monaco-editor .view-lines").first().click();
	await page.keyboard.press("Control+Home");
	await page.keyboard.press("End");
	await page.keyboard.type('\n\nCURRENCY = "euro"');
	await rowOf(paneOf(page, "Search"), /line 8 · unsaved/).waitFor();
	await picture("search");
});

test("a hover that says how fresh it is", async () => {
	await rowOf(paneOf(page, "Search"), "return sum").click();
	await page.locator(".tab.active", { hasText: "cart.py" }).waitFor();
	await chooseQuickly(page, "Control+g", ":13:22", /line 13/);
	await runCommand(page, "Show or Focus Hover");
	await page.locator(".monaco-hover", { hasText: "def price_of" }).waitFor();
	await picture("hover");
});

test("the callers of a function", async () => {
	await page.keyboard.press("Escape");
	await page.locator(".monaco-hover").first().waitFor({ state: "hidden" });
	await page.keyboard.press("Shift+Alt+h");
	const callers = page.locator(".part.sidebar .monaco-list-row");
	const total = callers.filter({ hasText: /^total/ });
	await total.locator(".monaco-tl-twistie").click();
	await callers.filter({ hasText: "test_total" }).click();
	await page.locator(".tab.active", { hasText: "test_cart.py" }).waitFor();
	await picture("callers");
});

test("an answer in passages", async () => {
	await runCommand(
		page,
		"ragnav: Ask",
		"how is the price of an article looked up?",
	);
	await paneOf(page, "Search").locator(".pane-header").click();
	await rowOf(paneOf(page, "Answer"), /Prices.*prices\.md:1/).click();
	await page.locator(".tab.active", { hasText: "prices.md" }).waitFor();
	// The section is selected, with its last line.
	await page.getByText("Ln 4, Col 1 (105 selected)").first().waitFor();
	await picture("answer");
});

test("what unsaved text touches", async () => {
	await page.locator(".tab", { hasText: "prices.py" }).click();
	await chooseQuickly(page, "Control+g", ":8:21", /line 8/);
	await page.keyboard.type(", currency");
	const changes = paneOf(page, "Changes");
	await paneOf(page, "Answer").locator(".pane-header").click();
	await runCommand(page, "ragnav: What This Change Touches");
	await rowOf(changes, /price_of.*signature/).waitFor();
	await rowOf(changes, "test_total").waitFor();
	await picture("changes");
});
