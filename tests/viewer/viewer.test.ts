// The viewer in Chromium, by clicks and keys.
import assert from "node:assert/strict";
import {
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Zippable, zipSync } from "fflate";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launch, openPage, serve } from "../browser/browser.js";
import {
	HOSTILE,
	HOSTILE_NAME,
	newRepo,
	type Repo,
	ragnav,
	type Viewer,
	viewer,
} from "./repository.js";

const AXE = readFileSync(
	createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
	"utf8",
);
const SHOTS = mkdtempSync(join(tmpdir(), "ragnav-viewer-shots-"));

let repo: Repo;
let served: Viewer;
let browser: Browser;
let page: Page;
let complaints: string[];

before(async () => {
	repo = newRepo();
	const built = ragnav(["build-graph", "--repo", repo.folder]);
	assert.equal(built.status, 0, built.stderr);
	[served, browser] = await Promise.all([viewer(repo.folder), launch()]);
	process.stdout.write(`# screenshots: ${SHOTS}\n`);
});
after(async () => {
	await browser?.close();
	await served?.close();
	repo?.remove();
});

beforeEach(async () => {
	complaints = [];
	page = await newPage(served.url);
});
afterEach(async () => {
	await page.context().close();
	assert.deepEqual(complaints, []);
});

const WIDE: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const PHONE: BrowserContextOptions = {
	viewport: { width: 390, height: 844 },
	hasTouch: true,
	isMobile: true,
};

async function newPage(url: string, device = WIDE): Promise<Page> {
	const fresh = await openPage(browser, { colorScheme: "light", ...device });
	fresh.on("console", (message) => {
		if (message.type() === "error") complaints.push(message.text());
	});
	fresh.on("pageerror", (error) => complaints.push(String(error)));
	fresh.on("dialog", (dialog) => {
		complaints.push(dialog.message());
		void dialog.dismiss();
	});
	await fresh.goto(url);
	await fresh.locator(".tree").waitFor({ state: "attached" });
	return fresh;
}

const shot = (name: string) =>
	page.screenshot({ path: join(SHOTS, `${name}.png`) });
const rows = () => page.locator(".rows .row-hit");
const freshness = (text: string | RegExp) =>
	page.getByLabel("Freshness").getByText(text);
const box = () => page.getByLabel("Search the repository");
const menuItem = (name: string) =>
	page.locator("#menu").getByRole("button", { name, includeHidden: true });
const openMenu = () => page.getByRole("button", { name: "Menu" }).click();
const fileItem = (name: string) => page.getByRole("treeitem", { name });
const shownLine = () => page.locator(".cm-shown-line");

async function openFile(hash: string): Promise<void> {
	await page.evaluate((to) => {
		location.hash = to;
	}, hash);
	await page.locator(".cm-line").first().waitFor();
}

async function search(text: string): Promise<void> {
	await box().fill("");
	await box().pressSequentially(text);
	await page.getByText(/^\d+ rows?$/).waitFor();
}

async function noViolations(state: string, shown = page): Promise<void> {
	await shown.evaluate(AXE);
	const found = await shown.evaluate(async () => {
		const { axe } = globalThis as unknown as {
			axe: { run(): Promise<{ violations: Violation[] }> };
		};
		interface Violation {
			id: string;
			nodes: { html: string; failureSummary?: string }[];
		}
		const { violations } = await axe.run();
		return violations.map(
			({ id, nodes }) =>
				`${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join(" | ")}`,
		);
	});
	assert.deepEqual(found, [], state);
}

test("the tree opens folders and files, and shows their statuses", async () => {
	await freshness(/^Up to date/).waitFor();
	await fileItem("shop").click();
	await fileItem("cart.py").click();
	await page.getByText("class Cart").first().waitFor();
	assert.doesNotMatch(await fileItem("cart.py").innerText(), /index|live/);
	assert.equal(new URL(page.url()).hash, "#/shop/cart.py");
	await shot("tree");
});

test("search answers while one types, and a row opens its line", async () => {
	await search("price_of");
	assert.equal(await rows().count(), 3);
	assert.deepEqual(await page.locator(".row-file .path").allTextContents(), [
		"shop/cart.py",
		"shop/prices.py",
	]);
	assert.equal(await page.locator(".row-file .mark").count(), 0);
	await rows().nth(1).click();
	await shownLine().getByText("return sum(price_of").waitFor();
	await page.getByRole("link", { name: "method total" }).waitFor();
	await shot("search");
	await page.getByLabel("Search mode").selectOption("regex");
	await box().fill("def \\w+\\(art");
	await page.getByText("1 row", { exact: true }).waitFor();
	await page.getByLabel("Search mode").selectOption("ranked");
	await box().fill("PriceOf");
	await page.locator(".row-kind", { hasText: "definition" }).first().waitFor();
});

test("a click on a name sends its place", async () => {
	await openFile("#/shop/cart.py:7");
	await shownLine().getByText("price_of").click();
	await page.getByRole("tab", { name: "Where used", selected: true }).waitFor();
	assert.match(page.url(), /panel=used&of=shop\/cart\.py:7:20$/);
	await page
		.getByLabel("Definitions")
		.getByText("shop.prices.price_of")
		.waitFor();
	await rows().filter({ hasText: "call" }).first().waitFor();
});

test("a symbol has its references and a lineage with a picture", async () => {
	await openFile("#/shop/prices.py:4?panel=used&of=price_of");
	await page
		.getByLabel("Definitions")
		.getByText("shop.prices.price_of")
		.waitFor();
	await rows().filter({ hasText: "call" }).first().waitFor();
	await shot("where-used");
	await page.getByRole("tab", { name: "Lineage" }).click();
	const picture = page.getByRole("group", {
		name: /^Picture of what leads to shop\.prices\.price_of/,
	});
	await picture.locator("text", { hasText: "Cart.total" }).waitFor();
	await picture.locator("text", { hasText: "till.pay" }).waitFor();
	await shot("lineage");
	await page.getByRole("button", { name: "Zoom in" }).click();
	await page.getByRole("button", { name: "Fit" }).click();
	await picture.getByRole("link", { name: "shop.cart.Cart.total" }).focus();
	await page.keyboard.press("Enter");
	await shownLine().getByText("def total").waitFor();
	assert.match(page.url(), /#\/sym:shop\.cart\.Cart\.total\?panel=lineage$/);
	await page.goBack();
	await shownLine().getByText("def price_of").waitFor();
});

test("the outline shows the definitions of the file as a tree", async () => {
	await openFile("#/shop/cart.py");
	await page.getByRole("tab", { name: "Outline" }).click();
	const outline = page.getByRole("navigation", { name: "Outline" });
	await page.getByText("2 rows", { exact: true }).waitFor();
	const inside = outline.getByRole("listitem").filter({ hasText: "Cart" });
	await inside.getByRole("link", { name: "method total" }).click();
	await shownLine().getByText("def total").waitFor();
	await shot("outline");
});

test("the card of a name shows its definition", async () => {
	await openFile("#/shop/till.py:5");
	await shownLine().getByText("total").hover();
	const card = page.locator(".name-card");
	await card.getByText("method shop.cart.Cart.total").waitFor();
	await card.getByRole("link", { name: "shop/cart.py:5" }).click();
	await shownLine().getByText("def total").waitFor();
});

test("a question is answered with passages and their places", async () => {
	await page.getByRole("tab", { name: "Ask" }).click();
	await page
		.getByLabel("Question")
		.fill("how is the price of a cart worked out?");
	await page.getByLabel("Question").press("Enter");
	const passages = page.getByRole("list", { name: "Passages" });
	await passages.getByText("method of Cart").first().waitFor();
	await passages.locator("mark", { hasText: "price" }).first().waitFor();
	await shot("ask");
	await noViolations("ask");
	await passages.getByRole("link", { name: "Cart.total" }).click();
	await shownLine().getByText("def total").waitFor();
	await page.getByLabel("Kind of passages").selectOption("tests");
	await page.getByText("No passage answers it.").waitFor();
	assert.match(page.url(), /only=tests/);
});

test("what one types stays while other parts of the page change", async () => {
	await page.goto(`${served.url}#/?panel=ask`);
	await page.getByLabel("Question").fill("where is the price");
	await fileItem("shop").click();
	await fileItem("cart.py").click();
	await page.getByLabel("Source of shop/cart.py").waitFor();
	assert.equal(
		await page.getByLabel("Question").inputValue(),
		"where is the price",
	);
	await page.getByRole("tab", { name: "Where used" }).click();
	await page.getByRole("combobox", { name: "Symbol" }).fill("pr");
	await fileItem("till.py").click();
	await page.getByLabel("Source of shop/till.py").waitFor();
	assert.equal(
		await page.getByRole("combobox", { name: "Symbol" }).inputValue(),
		"pr",
	);
});

test("deep links open lines and symbols", async () => {
	await page.goto("about:blank");
	await page.goto(`${served.url}#/shop/cart.py:7`);
	await shownLine().getByText("return sum(").waitFor();
	await page.goto("about:blank");
	await page.goto(`${served.url}#/sym:shop.till.pay`);
	await shownLine().getByText("def pay").waitFor();
	await page.goto("about:blank");
	await page.goto(`${served.url}#/no/such.py:3`);
	await page.getByText("There is no such file.").waitFor();
});

test("every control works with the keyboard", async () => {
	const { keyboard } = page;
	await keyboard.press("g");
	await keyboard.press("t");
	await keyboard.press("Home");
	await keyboard.press("ArrowRight");
	await keyboard.press("ArrowRight");
	await keyboard.press("Enter");
	await page.getByLabel("Source of shop/cart.py").waitFor();
	await keyboard.press("ArrowLeft");
	await keyboard.press("ArrowLeft");
	assert.equal(await fileItem("cart.py").count(), 0);
	await keyboard.press("/");
	await keyboard.type("def pay");
	await page.getByText("1 row", { exact: true }).waitFor();
	await keyboard.press("ArrowDown");
	await keyboard.press("Enter");
	await shownLine().getByText("def pay").waitFor();
	await keyboard.press("g");
	await keyboard.press("s");
	for (const key of [
		"ArrowRight",
		"ArrowRight",
		"ArrowRight",
		"ArrowRight",
		"ArrowRight",
	]) {
		await keyboard.press(key);
	}
	await page.getByRole("link", { name: "function pay" }).waitFor();
	await keyboard.press("g");
	await keyboard.press("l");
	await page.getByRole("tab", { name: "Lineage", selected: true }).waitFor();
	assert.match(page.url(), /panel=lineage&of=shop\/till\.py:4:5$/);
	await keyboard.press("?");
	await page.getByRole("dialog", { name: "Keys" }).waitFor();
	await noViolations("help");
	await keyboard.press("Escape");
	await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" });
	await keyboard.press("g");
	await keyboard.press("a");
	await page.locator("#question:focus").waitFor();
	await keyboard.type("g");
	assert.equal(await page.getByLabel("Question").inputValue(), "g");
});

const STATES = [
	"#/",
	"#/shop/cart.py:7?q=price_of",
	"#/shop/cart.py?panel=outline",
	"#/shop/cart.py?panel=used&of=price_of",
	"#/shop/cart.py?panel=lineage&of=price_of&depth=3",
	"#/shop/cart.py?panel=used&of=unknown_name",
];

for (const theme of ["light", "dark"] as const) {
	test(`every part is accessible in the ${theme}, also on a phone`, async () => {
		await page.emulateMedia({ colorScheme: theme });
		for (const hash of STATES) {
			await page.setViewportSize({ width: 1280, height: 800 });
			await page.goto("about:blank");
			await page.goto(`${served.url}${hash}`);
			await page
				.locator(".pane .freshness, .undefined, .outline a")
				.first()
				.waitFor();
			const name = `${theme}-${STATES.indexOf(hash)}`;
			await noViolations(`${theme} wide ${hash}`);
			await shot(name);
			await page.setViewportSize({ width: 390, height: 844 });
			await noViolations(`${theme} narrow ${hash}`);
			await shot(`${name}-narrow`);
			await page
				.getByRole("navigation", { name: "Panes" })
				.getByRole("button", { name: "Results" })
				.click();
			await noViolations(`${theme} narrow results ${hash}`);
			await shot(`${name}-narrow-results`);
		}
	});

	test(`what opens above the page is accessible in the ${theme}`, async () => {
		for (const [device, name] of [
			[WIDE, "wide"],
			[PHONE, "phone"],
		] as const) {
			await page.context().close();
			const url = `${served.url}#/shop/till.py:5`;
			page = await newPage(url, { ...device, colorScheme: theme });
			await shownLine().waitFor();
			const check = async (state: string) => {
				await noViolations(`${theme} ${name} ${state}`);
				await shot(`${theme}-${name}-${state}`);
			};
			await openMenu();
			await menuItem("Build index").waitFor();
			await check("menu");
			await page.keyboard.press("Escape");
			await page.keyboard.press("Control+p");
			await page.locator("[role=combobox]:focus").pressSequentially("py");
			await page.locator(".palette [role=option]").first().waitFor();
			await check("files");
			await page.keyboard.press("Escape");
			await page.keyboard.press("Control+k");
			await page.locator("[role=combobox]:focus").pressSequentially("pr");
			await page.getByRole("option", { name: /price_of/ }).waitFor();
			await check("commands");
			await page.keyboard.press("Escape");
			await page.keyboard.press("Control+p");
			await page.locator("[role=combobox]:focus").pressSequentially("xyzzy");
			await page.getByText("Nothing matches.").waitFor();
			await check("nothing");
			await page.keyboard.press("Escape");
			const total = shownLine().getByText("total");
			await (name === "phone" ? total.tap() : total.hover());
			await page.locator(".name-card").getByText("method shop").waitFor();
			await check("card");
		}
	});
}

test("the page is accessible in light and in dark", async () => {
	await search("price_of");
	await rows().first().click();
	await shownLine().waitFor();
	await noViolations("light");
	await openMenu();
	await menuItem("Theme: system").click();
	await page.keyboard.press("Escape");
	const dark = await page.evaluate(
		() => getComputedStyle(document.body).backgroundColor,
	);
	assert.equal(dark, "rgb(20, 23, 28)");
	await shot("dark");
	await noViolations("dark");
	await page.getByRole("tab", { name: "Lineage" }).click();
	await page.getByLabel("Symbol", { exact: true }).fill("price_of");
	await page.getByLabel("Symbol", { exact: true }).press("Enter");
	await page.locator("svg .node").first().waitFor();
	await shot("dark-lineage");
	await noViolations("dark lineage");
	await page.reload();
	await menuItem("Theme: dark").waitFor({ state: "attached" });
});

test("an edit on disk is visible in the rows, in the file and in the tree", async () => {
	await openFile("#/shop/prices.py?q=price_of");
	await page.getByText(/^\d+ rows$/).waitFor();
	repo.put(
		"shop/prices.py",
		"def price_of(thing):\n    return 7  # price_of\n",
	);
	await freshness(/changed/).waitFor();
	await page.locator(".cm-line", { hasText: "return 7" }).waitFor();
	await rows().filter({ hasText: "return 7" }).waitFor();
	const fileRow = (name: string) =>
		page.locator(".row-file").filter({ hasText: name });
	await fileRow("prices.py").getByText("live").waitFor();
	assert.equal(await fileRow("cart.py").locator(".mark").count(), 0);
	await fileItem("prices.py").getByText("changed").waitFor();
	await shot("edited");
	await noViolations("edited");
});

test("the page builds an index", async () => {
	repo.put("shop/new.py", "def brand_new():\n    pass\n");
	await fileItem("new.py").or(fileItem("shop")).first().waitFor();
	await freshness(/new|changed/).waitFor();
	await openMenu();
	await menuItem("Build index").click();
	await freshness(/^Up to date/).waitFor();
});

test("the changes since a commit, what refers to them, and tests", async () => {
	const own = newRepo();
	own.put(
		"tests/test_till.py",
		"from shop.till import pay\n\n\ndef test_pay():\n    pay(None)\n",
	);
	own.put(
		"shop/prices.py",
		'PRICES = {"tea": 3}\n\n\ndef price_of(article, vat=0):\n    return PRICES[article] + vat\n',
	);
	const viewing = await viewer(own.folder);
	const other = await newPage(`${viewing.url}#/?panel=changes`);
	try {
		const list = other.getByLabel("What the change touches");
		await list.getByText("shop.prices.price_of", { exact: true }).waitFor();
		await list.getByText("signature, body in shop/prices.py").waitFor();
		await list
			.locator("li li", { hasText: "shop/cart.py:7" })
			.getByText("shop.cart.Cart.total calls shop.prices.price_of")
			.waitFor();
		await list.getByText("tests.test_till.test_pay").first().waitFor();
		await other.screenshot({ path: join(SHOTS, "changes.png") });
		await noViolations("changes", other);
		await list.getByRole("link", { name: "shop/cart.py:7" }).click();
		await other.locator(".cm-shown-line").waitFor();
		assert.match(other.url(), /#\/shop\/cart\.py:7\?panel=changes$/);
		own.put("shop/cart.py", "from shop.prices import price_of\n");
		await list.getByText("shop.cart.Cart.total", { exact: true }).waitFor();
		const since = other.getByLabel("Commit to compare with");
		await since.fill("nowhere");
		await since.press("Enter");
		await other.getByRole("alert").getByText("no commit `nowhere`").waitFor();
	} finally {
		await other.context().close();
		await viewing.close();
		own.remove();
	}
});

test("a repository without commits says where they can be read", async () => {
	await openZip("code.zip", { "a.py": new TextEncoder().encode("x = 1\n") });
	await fileItem("a.py").waitFor();
	await page.getByRole("tab", { name: "Changes" }).click();
	await page.getByText("Commits can be read where").waitFor();
});

test("errors are shown", async () => {
	await page.getByLabel("Search mode").selectOption("regex");
	await box().fill("(unclosed");
	const alert = page.getByRole("alert");
	await alert.waitFor();
	assert.match(await alert.innerText(), /unclosed|regex|group/i);
	await freshness(/unclosed|regex|group/i).waitFor();
	await noViolations("error");
	await shot("error");
});

test("markup in names and in sources is text", async () => {
	const isThere = process.platform !== "win32";
	if (isThere) {
		await page.getByRole("treeitem", { name: HOSTILE_NAME }).click();
		await page.getByLabel(`Source of ${HOSTILE_NAME}`).waitFor();
	}
	await search("onerror");
	await rows().first().click();
	await shownLine().getByText(HOSTILE).waitFor();
	await page.getByRole("tab", { name: "Ask" }).click();
	await page.getByLabel("Question").fill("price of a cart worked out");
	await page.getByLabel("Question").press("Enter");
	await page.locator(".passages li").first().waitFor();
	await shot("markup");
	assert.equal(await page.locator("img").count(), 0);
	assert.match(await page.title(), /README\.md · repo|cart\.py · repo/);
});

async function openZip(name: string, files: Zippable): Promise<void> {
	const buffer = Buffer.from(zipSync(files));
	const mimeType = "application/zip";
	await page
		.getByLabel("Zip to open")
		.setInputFiles({ name, mimeType, buffer });
}

test("a zip is opened, and a zip bomb is refused", async () => {
	const bytes = (text: string) => new TextEncoder().encode(text);
	await openZip("code.zip", {
		"top/a.py": bytes("def from_zip():\n    pass\n"),
		"top/b.py": bytes("from a import from_zip\nfrom_zip()\n"),
		"../../escape.py": bytes("outside"),
	});
	await page.getByRole("heading", { name: "code.zip", level: 1 }).waitFor();
	await page.getByText(/1 entries were left out/).waitFor();
	await search("from_zip");
	assert.equal(await rows().count(), 3);
	const bomb = Object.fromEntries(
		Array.from({ length: 40 }, (_, at) => [`${at}.txt`, new Uint8Array(8e6)]),
	);
	await openZip("bomb.zip", bomb);
	await page.getByText(/the zip unpacks to more than/).waitFor();
	await page.getByRole("heading", { name: "code.zip", level: 1 }).waitFor();
	const buffer = Buffer.from("no zip at all");
	await page
		.getByLabel("Zip to open")
		.setInputFiles({ name: "x.zip", mimeType: "application/zip", buffer });
	await page
		.getByRole("alert")
		.filter({ hasText: /invalid zip/ })
		.waitFor();
});

test("a local folder is opened", async () => {
	// As text, because the page lacks the compiler's helpers.
	await page.evaluate(`(async () => {
		const root = await navigator.storage.getDirectory();
		const inner = await root.getDirectoryHandle("inner", { create: true });
		const file = await inner.getFileHandle("own.py", { create: true });
		const writable = await file.createWritable();
		await writable.write("def in_folder():\\n    pass\\n");
		await writable.close();
		globalThis.showDirectoryPicker = async () => root;
	})()`);
	await openMenu();
	await menuItem("Open folder").click();
	await fileItem("inner").waitFor();
	await search("in_folder");
	await rows().first().click();
	await page.getByLabel("Source of inner/own.py").waitFor();
	await page.getByText("def in_folder").first().waitFor();
});

test("the static files work in any folder of a server", async () => {
	const above = mkdtempSync(join(tmpdir(), "ragnav-viewer-static-"));
	mkdirSync(join(above, "deep"));
	const out = join(above, "deep", "code");
	const written = ragnav(["viewer", "--repo", repo.folder, "--out", out]);
	assert.equal(written.status, 0, written.stderr);
	const server = await serve(above);
	const context = page.context();
	try {
		page = await newPage(`${server.url}deep/code/#/shop/cart.py:4`);
		await shownLine().getByText("class Cart").waitFor();
		await search("brand_new");
		assert.equal(await rows().count(), 1);
	} finally {
		server.close();
		await context.close();
		rmSync(above, { recursive: true });
	}
});

test("a deleted repository is reported", async () => {
	const own = newRepo();
	const other = await viewer(own.folder);
	const context = page.context();
	page = await newPage(other.url);
	await context.close();
	renameSync(own.folder, `${own.folder}-moved`);
	await page.getByRole("alert").waitFor();
	complaints = complaints.filter((text) => !/status of 500/.test(text));
	await other.close();
	own.remove();
});

test("a server that fails while the page opens is reported until it answers", async () => {
	const url = page.url();
	// The page before would ask for the version, and so count as the one that opens.
	await page.goto("about:blank");
	let requests = 0;
	let isDown = true;
	await page.context().route("**/ragnav-files.json", (route) => {
		requests += 1;
		return isDown && requests > 1 ? route.abort() : route.continue();
	});
	await page.goto(url);
	const alert = page.getByRole("alert");
	await alert.filter({ hasText: "cannot be reached" }).waitFor();
	isDown = false;
	await fileItem("shop").waitFor();
	await alert.waitFor({ state: "detached" });
	complaints = complaints.filter((text) => !text.includes("net::ERR_FAILED"));
});

const LONG = "deep/a-very-long-folder-name/that-goes-on/and-on-and-on/here";

/** Puts files that need scrolling, and a hit far to the right of its line. */
function putLongFiles(): void {
	const lines = (word: string) =>
		Array.from({ length: 400 }, (_, at) => `${word}_${at} = ${at}\n`).join("");
	repo.put("long/first.py", lines("first"));
	repo.put("long/second.py", lines("second"));
	repo.put(`${LONG}/wide.py`, `x = "${"-".repeat(150)}needle_at_the_right"\n`);
}

const scrollTop = () =>
	page.locator(".cm-scroller").evaluate(({ scrollTop }) => scrollTop);

test("the page loads the grammar of a file that it shows", async () => {
	repo.put("go/main.go", "package main\n\nfunc Greet() {\n}\n");
	await page.reload();
	const loaded = await page.evaluate(() =>
		performance.getEntriesByType("resource").map(({ name }) => name),
	);
	assert.ok(!loaded.some((name) => name.endsWith("tree-sitter-go.wasm.gz")));
	await openFile("#/go/main.go?panel=outline");
	await page.getByRole("link", { name: "function Greet" }).waitFor();
});

test("a file opens at its top, or at the line of its address", async () => {
	putLongFiles();
	await page.reload();
	await openFile("#/long/first.py:300");
	await shownLine().getByText("first_299").waitFor();
	await page.waitForFunction(
		() =>
			(document
				.querySelector(".source")
				?.shadowRoot?.querySelector(".cm-scroller")?.scrollTop ?? 0) > 1000,
	);
	await openFile("#/long/second.py");
	await page.getByLabel("Source of long/second.py").waitFor();
	await page.locator(".cm-line", { hasText: "second_0 " }).waitFor();
	assert.equal(await scrollTop(), 0);
});

test("a hit is visible however far to the right it is", async () => {
	putLongFiles();
	await page.reload();
	await search("needle_at_the_right");
	const hit = await rows().first().locator("mark").boundingBox();
	const list = await page.locator(".rows").boundingBox();
	assert.ok(hit && list);
	assert.ok(hit.x >= list.x && hit.x + hit.width <= list.x + list.width);
	const name = page.locator(".row-file .path-name").first();
	assert.equal(await name.innerText(), "wide.py");
	const cut = await name.evaluate((one) => one.scrollWidth - one.clientWidth);
	assert.ok(cut <= 1, "the name of a file is never cut");
	await rows().first().click();
	await shownLine().waitFor();
	const head = await page.locator(".source-head").boundingBox();
	assert.ok(head && head.height <= 40, "the place takes one line");
});

test("the status is that of the latest answer, also of a failed one", async () => {
	await search("price_of");
	await page.getByLabel("Search mode").selectOption("regex");
	await box().fill("(unclosed");
	await page.locator(".results-pane").getByRole("alert").waitFor();
	await freshness(/^Up to date|^No index/).waitFor({ state: "hidden" });
	await box().fill("price_of");
	await freshness(/^Up to date|changed|new/).waitFor();
	await page.locator(".freshness.error").waitFor({ state: "hidden" });
});

test("codes and ids are not shown", async () => {
	repo.put("lib/jquery.min.js", "function helper() {}\nhelper();\n");
	await page.reload();
	await openFile("#/lib/jquery.min.js:1?panel=used&of=helper");
	await page.getByLabel("Definitions").getByText("jquery.min.helper").waitFor();
	await page.getByLabel("Definitions").getByRole("link").first().click();
	await openFile("#/sym:shop.till.pay");
	const symbol = page.getByLabel("Symbol", { exact: true });
	await page.getByLabel("Definitions").getByText("shop.till.pay").waitFor();
	assert.equal(await symbol.inputValue(), "shop.till.pay");
	const text = await page.locator("body").innerText();
	assert.doesNotMatch(text, /%2E|sym:|FALLBACK|UNKNOWN|NO_STATUS|index · /);
});

test("an unknown symbol is said to be undefined", async () => {
	await openFile("#/shop/cart.py?panel=used&of=price_off");
	await page
		.getByText("No function, class, type or module here is called price_off.")
		.waitFor();
	assert.equal(await page.getByText("Nothing refers to it").count(), 0);
	await page.getByRole("tab", { name: "Lineage" }).click();
	await page
		.getByText("No function, class, type or module here is called price_off.")
		.waitFor();
});

test("a misspelled symbol offers the one that was meant", async () => {
	await openFile("#/shop/cart.py?panel=used&of=prce_of");
	await page.getByRole("link", { name: "price_of", exact: true }).click();
	await rows().nth(1).waitFor();
	assert.match(page.url(), /of=price_of/);
});

test("the address says what shows, and Back and Forward follow it", async () => {
	await search("price_of");
	assert.match(page.url(), /#\/\?q=price_of$/);
	await rows().nth(1).click();
	await shownLine().getByText("return sum(price_of").waitFor();
	assert.match(page.url(), /#\/shop\/cart\.py:7\?q=price_of$/);
	await page.locator(".cm-lineNumbers").getByText("4", { exact: true }).click();
	await shownLine().getByText("class Cart").waitFor();
	await page.getByRole("tab", { name: "Outline" }).click();
	assert.match(page.url(), /cart\.py:4\?q=price_of&panel=outline$/);
	await page.goBack();
	await page.getByRole("tab", { name: "Search", selected: true }).waitFor();
	await page.goBack();
	await shownLine().getByText("return sum(price_of").waitFor();
	await page.goForward();
	await shownLine().getByText("class Cart").waitFor();
	await page.reload();
	await shownLine().getByText("class Cart").waitFor();
	assert.equal(await box().inputValue(), "price_of");
	await rows().first().waitFor();
});

test("the palettes find files, symbols and commands", async () => {
	const typing = page.locator("[role=combobox]:focus");
	await page.keyboard.press("Control+p");
	await typing.waitFor();
	await page.keyboard.type("tillpy:4");
	await page.getByRole("option", { name: "shop/till.py" }).waitFor();
	await noViolations("files");
	await page.keyboard.press("Enter");
	await shownLine().getByText("def pay").waitFor();
	await page.keyboard.press("Control+k");
	await typing.waitFor();
	await page.keyboard.type("price");
	await page.getByRole("option", { name: /shop\.prices\.price_of/ }).waitFor();
	await page.keyboard.press("Enter");
	await shownLine().getByText("def price_of").waitFor();
	await page.keyboard.press("Control+k");
	await typing.waitFor();
	await page.keyboard.type("outline");
	await page.getByRole("option", { name: /outline of the file/ }).waitFor();
	await page.keyboard.press("Enter");
	await page.getByRole("tab", { name: "Outline", selected: true }).waitFor();
});

const symbolBox = () => page.getByRole("combobox", { name: "Symbol" });
const symbols = () => page.getByRole("listbox", { name: "Symbols" });

test("the box for a symbol completes it as one types", async () => {
	await openFile("#/shop/cart.py?panel=used");
	await symbolBox().pressSequentially("pric");
	const option = symbols().getByRole("option", { name: /price_of/ });
	await option.waitFor();
	assert.equal(await symbolBox().getAttribute("aria-expanded"), "true");
	assert.equal(await option.getAttribute("aria-selected"), "false");
	await noViolations("completion");
	await shot("completion");
	await page.keyboard.press("Escape");
	await symbols().waitFor({ state: "hidden" });
	assert.equal(await symbolBox().inputValue(), "pric");
	assert.equal(await symbolBox().getAttribute("aria-expanded"), "false");
	await page.keyboard.press("ArrowDown");
	await page.locator('[role="option"][aria-selected="true"]').waitFor();
	const active = await symbolBox().getAttribute("aria-activedescendant");
	assert.equal(await page.locator(`[id="${active}"]`).count(), 1);
	await page.keyboard.press("Enter");
	await rows().first().waitFor();
	assert.match(page.url(), /of=sym:shop\.prices\.price_of/);
	assert.equal(await symbolBox().inputValue(), "shop.prices.price_of");
	await symbols().waitFor({ state: "hidden" });
});

test("what was typed is a symbol too, and leaving the box closes its list", async () => {
	await openFile("#/shop/cart.py?panel=lineage");
	await symbolBox().pressSequentially("tot");
	await symbols()
		.getByRole("option", { name: /Cart\.total/ })
		.waitFor();
	await page.keyboard.press("Tab");
	await symbols().waitFor({ state: "hidden" });
	await symbolBox().fill("total");
	await symbolBox().press("Enter");
	await page.locator("svg .node").first().waitFor();
	assert.match(page.url(), /of=total/);
});

test("a finger picks a completion on a phone", async () => {
	await asPhone("#/shop/cart.py?panel=lineage&view=results");
	await symbolBox().tap();
	await symbolBox().pressSequentially("pric");
	const option = symbols().getByRole("option", { name: /price_of/ });
	await option.waitFor();
	const place = await option.boundingBox();
	assert.ok(place && place.height >= 44 && place.x >= 0);
	assert.ok(place.x + place.width <= 390);
	await shot("phone-completion");
	await noViolations("phone completion");
	await option.tap();
	await page.locator("svg .node").first().waitFor();
	assert.match(page.url(), /of=sym:shop\.prices\.price_of/);
});

/** Returns the size of the scripts that the page itself has loaded, in bytes. */
async function scriptBytes(): Promise<number> {
	return page.evaluate(() =>
		performance
			.getEntriesByType("resource")
			.filter(({ name }) => name.endsWith(".js"))
			.map((entry) => (entry as PerformanceResourceTiming).decodedBodySize)
			.reduce((sum, bytes) => sum + bytes, 0),
	);
}

test("the editor and the picture are loaded when they are first needed", async () => {
	await page.getByRole("region", { name: "Start" }).waitFor();
	const atStart = await scriptBytes();
	assert.ok(atStart > 0 && atStart < 290_000, `${atStart} bytes at the start`);
	await openFile("#/shop/cart.py");
	await page.locator(".cm-line span[class]").first().waitFor();
	const withEditor = await scriptBytes();
	assert.ok(withEditor > atStart + 250_000);
	await openFile("#/shop/cart.py?panel=lineage&of=price_of");
	await page.locator("svg .node").first().waitFor();
	assert.ok((await scriptBytes()) > withEditor);
});

test("a text is found in the whole file", async () => {
	putLongFiles();
	await page.reload();
	await openFile("#/long/first.py");
	await page.keyboard.press("Control+f");
	const find = page.getByRole("textbox", { name: "Find" });
	await find.pressSequentially("first_390");
	await find.press("Enter");
	await page.locator(".cm-searchMatch-selected").waitFor();
	await noViolations("find");
});

test("the panes have widths that keys change", async () => {
	const bar = page.getByRole("separator", { name: "Width of the answers" });
	const width = async () =>
		(await page.locator(".results-pane").boundingBox())?.width ?? 0;
	const before = await width();
	await bar.focus();
	await page.keyboard.press("ArrowLeft");
	assert.equal(await width(), before + 24);
	await page.reload();
	await bar.waitFor();
	assert.equal(await width(), before + 24);
});

test("the start page has the README and recent files", async () => {
	const start = page.getByRole("region", { name: "Start" });
	await start.getByRole("heading", { name: "Shop" }).waitFor();
	assert.equal(await start.locator("img").count(), 0);
	await openFile("#/shop/cart.py");
	await page.getByLabel("Source of shop/cart.py").waitFor();
	await page.getByRole("heading", { level: 1 }).getByRole("link").click();
	await start.getByRole("link", { name: "shop/cart.py" }).click();
	await page.getByLabel("Source of shop/cart.py").waitFor();
});

/** Opens the page as a phone shows it. */
async function asPhone(hash: string): Promise<void> {
	await page.context().close();
	page = await newPage(served.url + hash, PHONE);
}

test("a phone shows one pane at a time", async () => {
	await asPhone("");
	const pane = (name: string) => page.getByRole("region", { name });
	await page.getByRole("region", { name: "Start" }).waitFor();
	await box().fill("price_of");
	await rows().first().waitFor();
	assert.ok(!(await pane("Source").isVisible()));
	await shot("phone-results");
	await noViolations("phone results");
	const second = await rows().nth(1).boundingBox();
	assert.ok(second && second.y + second.height < 844);
	await rows().nth(1).tap();
	await shownLine().getByText("return sum(price_of").waitFor();
	const line = await shownLine().boundingBox();
	assert.ok(line && line.y > 100 && line.y < 790, "the line is in sight");
	assert.ok(!(await pane("Answers").isVisible()));
	await shot("phone-source");
	await noViolations("phone source");
	await page.goBack();
	await rows().first().waitFor();
	const panes = page.getByRole("navigation", { name: "Panes" });
	await panes.getByRole("button", { name: "Files" }).tap();
	// The folder of the file that shows is open.
	await fileItem("till.py").waitFor();
	await noViolations("phone files");
	await fileItem("till.py").tap();
	await page.getByLabel("Source of shop/till.py").waitFor();
});

test("the rows of a lineage end above the panes of a phone", async () => {
	await asPhone("#/shop/cart.py?panel=lineage&of=price_of&view=results");
	await page.setViewportSize({ width: 390, height: 760 });
	await page.locator("svg .node").first().waitFor();
	const list = await page.locator(".rows").boundingBox();
	const panes = page.getByRole("navigation", { name: "Panes" });
	const below = await panes.boundingBox();
	assert.ok(list && below && list.y + list.height <= below.y + 1);
});

test("the picture fits the pane of a phone, whatever showed before", async () => {
	await asPhone("#/shop/cart.py?panel=lineage&of=price_of&view=source");
	const panes = page.getByRole("navigation", { name: "Panes" });
	await page.locator("svg .node").first().waitFor({ state: "attached" });
	await panes.getByRole("button", { name: "Results" }).tap();
	await page.waitForFunction(() => {
		const start = document.querySelector(".node.start");
		const box = start?.getBoundingClientRect();
		return box !== undefined && box.width > 0 && box.right <= innerWidth;
	});
});

test("what one taps on a phone is 44 pixels high", async () => {
	await asPhone("#/shop/cart.py?q=price_of&view=results");
	await rows().first().waitFor();
	const small = await page.evaluate(() =>
		[...document.querySelectorAll("button, input, select, a, .row")]
			.map((one) => ({ one, box: one.getBoundingClientRect() }))
			.filter(({ box }) => box.height > 0 && box.height < 44)
			.map(({ one }) => one.outerHTML.slice(0, 120)),
	);
	assert.deepEqual(small, []);
	const wide = await page.evaluate(
		() => document.documentElement.scrollWidth <= innerWidth,
	);
	assert.ok(wide, "nothing is wider than the screen");
});

test("the README has a picture of the page", async () => {
	const checkout = fileURLToPath(new URL("../..", import.meta.url));
	const shop = await viewer(join(checkout, "tests", "fixtures", "shop"));
	const fresh = await newPage(
		`${shop.url}#/shop/cart.py:15?panel=used&of=shop/cart.py:15:20`,
		{ viewport: { width: 1280, height: 560 } },
	);
	try {
		await fresh.locator(".rows .row-hit").nth(1).waitFor();
		const picture = join(checkout, "docs", "images", "viewer.png");
		if (process.env.RAGNAV_PICTURES) await fresh.screenshot({ path: picture });
		// The width and the height are at the bytes 16 to 24 of a PNG.
		const head = readFileSync(picture);
		assert.deepEqual(
			[head.readUInt32BE(16), head.readUInt32BE(20)],
			[1280, 560],
		);
		const readme = readFileSync(join(checkout, "README.md"), "utf8");
		assert.ok(readme.includes("docs/images/viewer.png"));
	} finally {
		await fresh.context().close();
		await shop.close();
	}
});
