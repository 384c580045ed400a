import type { Browser, Page } from "playwright-core";
import { launch, openPage } from "../../browser/browser.js";
import { type Viewer, viewer } from "../../viewer/repository.js";
import {
	type Answer,
	type Client,
	type Question,
	wordPattern,
} from "./client.js";

/** A browser: a page of `ragnav viewer`, which shows the rows of a search. */
export class Visitor implements Client {
	readonly name = "viewer";
	readonly questions = ["search"] as const;
	readonly #server: Viewer;
	readonly #browser: Browser;
	readonly #page: Page;

	private constructor(server: Viewer, browser: Browser, page: Page) {
		this.#server = server;
		this.#browser = browser;
		this.#page = page;
	}

	static async start(folder: string): Promise<Visitor> {
		const [server, browser] = await Promise.all([viewer(folder), launch()]);
		// The page has as many rows as are in sight.
		const page = await openPage(browser, {
			viewport: { width: 1280, height: 8000 },
		});
		await page.goto(server.url);
		await page.locator(".tree").waitFor({ state: "attached" });
		return new Visitor(server, browser, page);
	}

	async ask(_: Question, name: string): Promise<Answer> {
		const hash = `/?mode=regex&q=${encodeURIComponent(wordPattern(name))}`;
		await this.#page.evaluate((to) => {
			location.hash = to;
		}, "/");
		await this.#page.getByText(/^Type to search/).waitFor();
		await this.#page.evaluate((to) => {
			location.hash = to;
		}, hash);
		const summary = this.#page.locator("p.summary").first();
		await summary.waitFor();
		const titles = await this.#page
			.locator(".row-hit")
			.evaluateAll((rows) => rows.map((row) => row.getAttribute("title")));
		const all = new Set(titles.map((title) => title?.split(" ")[0] ?? ""));
		const says = await summary.innerText();
		const isError = (await summary.getAttribute("role")) === "alert";
		return { all, current: all, says, isError };
	}

	processes(): number[] {
		return [this.#server.pid];
	}

	async close(): Promise<void> {
		await this.#browser.close();
		await this.#server.close();
	}
}
