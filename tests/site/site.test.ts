// The site: its links, its pages in a browser, and the demo.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { SITE } from "../../js/build/site.mjs";
import { launch, openPage, serve } from "../browser/browser.js";

/** The pages have their script and their styles inline. */
const POLICY =
	"default-src 'self'; img-src 'self' data:; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; font-src 'self' data:";

const files = readdirSync(SITE, { recursive: true, withFileTypes: true })
	.filter((entry) => entry.isFile())
	.map((entry) => relative(SITE, join(entry.parentPath, entry.name)))
	.map((path) => path.replaceAll(sep, "/"));
const known = new Set(files);

let browser: Browser;
let served: Awaited<ReturnType<typeof serve>>;
let complaints: string[] = [];

before(async () => {
	[browser, served] = await Promise.all([launch(), serve(SITE, POLICY)]);
});
after(async () => {
	await browser?.close();
	served?.close();
});

async function opened(path: string): Promise<Page> {
	complaints = [];
	const page = await openPage(browser);
	page.on("console", (message) => {
		if (message.type() === "error") complaints.push(message.text());
	});
	page.on("pageerror", (error) => complaints.push(String(error)));
	await page.goto(served.url + path);
	return page;
}

function textOf(file: string): string {
	return readFileSync(join(SITE, file), "utf8");
}

/** Returns the files and the anchors that a page of the site refers to. */
function targets(page: string): { file: string; anchor: string | undefined }[] {
	const found = textOf(page).matchAll(/ (?:href|src)="([^"]*)"/g);
	const links = [...found].map(([, link = ""]) => link);
	const own = links.filter((link) => !/^(\w+:|\/\/)/.test(link));
	return own.map((link) => {
		const [path = "", anchor] = link.split("#");
		const file = posix.join("/", posix.dirname(page), path).slice(1);
		const absolute = path.startsWith("/") ? path.slice(1) : file;
		const target = path === "" ? page : absolute || "index.html";
		return { file: decodeURI(target), anchor };
	});
}

test("links lead to pages, files and headings that exist", () => {
	const pages = files.filter((file) =>
		/^[^/]*\.html$|^(site|docs|bench|conformance|examples)\/.*\.html$/.test(
			file,
		),
	);
	assert.ok(pages.length > 20);
	const broken = pages.flatMap((page) =>
		targets(page)
			.filter(({ file, anchor }) => {
				const target = file.endsWith("/") ? `${file}index.html` : file;
				if (!known.has(target)) return true;
				if (!anchor || !target.endsWith(".html")) return false;
				return !textOf(target).includes(`id="${decodeURIComponent(anchor)}"`);
			})
			.map(({ file, anchor }) => `${page}: ${file}#${anchor ?? ""}`),
	);
	assert.deepEqual([...new Set(broken)], []);
});

test("a reader gets from the first page to a guide, and searches", async () => {
	const page = await opened("");
	await page.getByRole("link", { name: "Start", exact: true }).first().click();
	await page.getByRole("heading", { name: "For an agent" }).waitFor();
	await page
		.getByRole("link", { name: "How fresh is an answer?" })
		.first()
		.click();
	await page.getByRole("img", { name: /each file/ }).waitFor();
	await page.getByRole("button", { name: "Search" }).first().click();
	await page.locator(".VPLocalSearchBox input").fill("receipt");
	await page.locator(".VPLocalSearchBox .result").first().click();
	await page.waitForURL(/receipt/i);
	assert.deepEqual(complaints, []);
	await page.close();
});

test("the demo answers over a repository with an index", async () => {
	const page = await opened("demo/index.html");
	await page.getByLabel("Search the repository").fill("fn answer_over");
	await page.getByText(/^\d+ rows?$/).waitFor();
	await page.getByText("answer.rs").first().waitFor();
	assert.deepEqual(complaints, []);
	await page.close();
});

test("the editors of a page ask a language server in a worker", async () => {
	const page = await opened("editors/index.html");
	await page.locator('main[aria-busy="false"]').waitFor();
	const use = page
		.getByLabel("cart.py")
		.locator(".cm-line", { hasText: "sum(price_of" });
	await use.click({ position: { x: 190, y: 8 } });
	await page.keyboard.press("F12");
	await page.waitForFunction(
		() => document.activeElement?.getAttribute("aria-label") === "prices.py",
	);
	assert.deepEqual(complaints, []);
	await page.close();
});
