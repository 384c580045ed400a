// The viewer in Chromium, by what a person sees, clicks and types.
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
import { type Zippable, zipSync } from "fflate";
import type { Browser, Page } from "playwright-core";
import { launch, serve } from "../browser/browser.js";
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
	const built = ragnav(["build-graph", "--documents", "--repo", repo.folder]);
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

async function newPage(url: string): Promise<Page> {
	const context = await browser.newContext({
		viewport: { width: 1400, height: 860 },
		colorScheme: "light",
	});
	const fresh = await context.newPage();
	fresh.setDefaultTimeout(15_000);
	fresh.on("console", (message) => {
		if (message.type() === "error") complaints.push(message.text());
	});
	fresh.on("pageerror", (error) => complaints.push(String(error)));
	fresh.on("dialog", (dialog) => {
		complaints.push(dialog.message());
		void dialog.dismiss();
	});
	await fresh.goto(url);
	await fresh.getByRole("treeitem").first().waitFor();
	return fresh;
}

const shot = (name: string) =>
	page.screenshot({ path: join(SHOTS, `${name}.png`) });
const rows = () => page.locator(".rows .row");
const box = () => page.getByLabel("Search the repository");
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

async function noViolations(state: string): Promise<void> {
	await page.evaluate(AXE);
	const found = await page.evaluate(async () => {
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

test("the tree opens folders and files, and says how each stands", async () => {
	await page.getByText("OK · FRESH").waitFor();
	await fileItem("shop").click();
	await fileItem("cart.py").click();
	await page.getByText("class Cart").first().waitFor();
	assert.match(await fileItem("cart.py").innerText(), /index/);
	assert.equal(new URL(page.url()).hash, "#/shop/cart.py");
	await shot("tree");
});

test("search answers while it is typed, and a row leads to its line", async () => {
	await search("price_of");
	assert.equal(await rows().count(), 3);
	assert.match(await rows().first().innerText(), /shop\/cart\.py:1.*index/s);
	await rows().nth(1).click();
	await shownLine().getByText("return sum(price_of").waitFor();
	await page.getByRole("link", { name: "method total" }).waitFor();
	await shot("search");
	await page.getByLabel("How the query is read").selectOption("regex");
	await box().fill("def \\w+\\(art");
	await page.getByText("1 row", { exact: true }).waitFor();
	await page.getByLabel("How the query is read").selectOption("ranked");
	await box().fill("PriceOf");
	await page.locator(".row-kind", { hasText: "definition" }).first().waitFor();
});

test("a name that is clicked is looked up, and its lineage is drawn", async () => {
	await openFile("#/shop/prices.py:4");
	await shownLine().getByText("price_of").click();
	await page.getByRole("tab", { name: "Where used", selected: true }).waitFor();
	await page
		.getByLabel("Definitions")
		.getByText("shop.prices.price_of")
		.waitFor();
	await rows().filter({ hasText: "call" }).first().waitFor();
	await shot("where-used");
	await page.getByRole("tab", { name: "Lineage" }).click();
	const picture = page.getByRole("group", {
		name: /^Picture of what leads to/,
	});
	await picture.locator("text", { hasText: "Cart.total" }).waitFor();
	await picture.locator("text", { hasText: "till.pay" }).waitFor();
	await shot("lineage");
	await picture.getByRole("link", { name: "shop.cart.Cart.total" }).focus();
	await page.keyboard.press("Enter");
	await shownLine().getByText("def total").waitFor();
	assert.match(
		decodeURIComponent(page.url()),
		/#\/sym:shop\.cart\.Cart\.total$/,
	);
	await page.goBack();
	await shownLine().getByText("def price_of").waitFor();
});

test("the outline shows the definitions of the file as a tree", async () => {
	await openFile("#/shop/cart.py");
	await page.getByRole("tab", { name: "Outline" }).click();
	const outline = page.getByRole("navigation", { name: "Outline" });
	const inside = outline.getByRole("listitem").filter({ hasText: "Cart" });
	await inside.getByRole("link", { name: "method total" }).click();
	await shownLine().getByText("def total").waitFor();
	await shot("outline");
});

test("a name that is pointed at tells where it is defined", async () => {
	await openFile("#/shop/till.py:5");
	await shownLine().getByText("total").hover();
	await page
		.getByText(/method shop\.cart\.Cart\.total · shop\/cart\.py:5/)
		.waitFor();
});

test("a question is answered with passages and where they stand", async () => {
	await page.getByRole("tab", { name: "Ask" }).click();
	await page
		.getByLabel("Question")
		.fill("how is the price of a cart worked out?");
	await page.getByLabel("Question").press("Enter");
	await page
		.getByRole("link", { name: /^shop\/\w+\.py:\d+/ })
		.first()
		.waitFor();
	await shot("ask");
	await noViolations("ask");
});

test("deep links lead to lines and to symbols", async () => {
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

test("all of it is reached by keys alone", async () => {
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
	assert.equal(
		await page.getByLabel("Symbol", { exact: true }).inputValue(),
		"sym:shop.till.pay",
	);
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

test("it reads well in light and in dark, also for those who do not see it", async () => {
	await search("price_of");
	await rows().first().click();
	await shownLine().waitFor();
	await noViolations("light");
	await page.getByRole("button", { name: "Theme: system" }).click();
	await page.getByRole("button", { name: "Theme: dark" }).waitFor();
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
	await page.getByRole("button", { name: "Theme: dark" }).waitFor();
	await page.setViewportSize({ width: 600, height: 900 });
	await page.getByRole("treeitem").first().waitFor();
	await shot("narrow");
});

test("an edit on disk shows in the rows, in the file and in the tree", async () => {
	await search("price_of");
	await openFile("#/shop/prices.py");
	repo.put(
		"shop/prices.py",
		"def price_of(thing):\n    return 7  # price_of\n",
	);
	await page.getByText("FALLBACK · STALE").waitFor();
	await page.locator(".cm-line", { hasText: "return 7" }).waitFor();
	await rows().filter({ hasText: "return 7" }).getByText("live").waitFor();
	await rows().filter({ hasText: "cart.py:1" }).getByText("index").waitFor();
	await fileItem("prices.py").getByText("stale").waitFor();
	await shot("edited");
	await noViolations("edited");
});

test("an index is made in the page", async () => {
	repo.put("shop/new.py", "def brand_new():\n    pass\n");
	await page.getByText("FALLBACK · STALE").waitFor();
	await page.getByRole("button", { name: "Build index" }).click();
	await page.getByText("OK · FRESH").waitFor();
});

test("what goes wrong is said", async () => {
	await page.getByLabel("How the query is read").selectOption("regex");
	await box().fill("(unclosed");
	const alert = page.getByRole("alert");
	await alert.waitFor();
	assert.match(await alert.innerText(), /unclosed|regex|group/i);
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
	assert.equal(await page.title(), "repo · ragnav");
});

async function openZip(name: string, files: Zippable): Promise<void> {
	const buffer = Buffer.from(zipSync(files));
	const mimeType = "application/zip";
	await page
		.getByLabel("Zip to open")
		.setInputFiles({ name, mimeType, buffer });
}

test("a zip is opened, and one that would fill the memory is not", async () => {
	const bytes = (text: string) => new TextEncoder().encode(text);
	await openZip("code.zip", {
		"top/a.py": bytes("def from_zip():\n    pass\n"),
		"top/b.py": bytes("from a import from_zip\nfrom_zip()\n"),
		"../../escape.py": bytes("outside"),
	});
	await page.getByRole("heading", { name: "code.zip" }).waitFor();
	await page.getByText(/1 entries were left out/).waitFor();
	await search("from_zip");
	assert.equal(await rows().count(), 3);
	const bomb = Object.fromEntries(
		Array.from({ length: 40 }, (_, at) => [`${at}.txt`, new Uint8Array(8e6)]),
	);
	await openZip("bomb.zip", bomb);
	await page.getByText(/the zip unpacks to more than/).waitFor();
	await page.getByRole("heading", { name: "code.zip" }).waitFor();
	const buffer = Buffer.from("no zip at all");
	await page
		.getByLabel("Zip to open")
		.setInputFiles({ name: "x.zip", mimeType: "application/zip", buffer });
	await page
		.getByRole("alert")
		.filter({ hasText: /invalid zip/ })
		.waitFor();
});

test("a folder of this machine is opened", async () => {
	// As text: what runs in the page knows no helpers of the compiler's.
	await page.evaluate(`(async () => {
		const root = await navigator.storage.getDirectory();
		const inner = await root.getDirectoryHandle("inner", { create: true });
		const file = await inner.getFileHandle("own.py", { create: true });
		const writable = await file.createWritable();
		await writable.write("def in_folder():\\n    pass\\n");
		await writable.close();
		globalThis.showDirectoryPicker = async () => root;
	})()`);
	await page.getByRole("button", { name: "Open folder" }).click();
	await fileItem("inner").waitFor();
	await search("in_folder");
	await rows().first().click();
	await page.getByLabel("Source of inner/own.py").waitFor();
	await page.getByText("def in_folder").first().waitFor();
});

test("static files work from a folder of any server", async () => {
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

test("a repository that is gone is said to be", async () => {
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
