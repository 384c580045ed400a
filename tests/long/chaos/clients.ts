// The four clients, which ask the same: an agent, a terminal, an editor and a browser.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Client as McpClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Browser, Page } from "playwright-core";
import { type Navigator, open, type RagToolMeta } from "#ragnav";
import { nodeHost } from "#ragnav/hosts/node";
import { launch } from "../../browser/browser.js";
import { CLI } from "../../js/mcp-client.js";
import { type Viewer, viewer } from "../../viewer/repository.js";

export type Question = "locate" | "where-used" | "search";

export interface Answer {
	/** `file:line` of each row that is said to be current. */
	current: Set<string>;
	/** `file:line` of all rows. */
	all: Set<string>;
	/** The state of the index, or why there is no answer. */
	says: string;
	isError: boolean;
}

export interface Client {
	readonly name: string;
	readonly questions: readonly Question[];
	ask(question: Question, name: string): Promise<Answer>;
	/** The processes that live on between questions. */
	processes(): number[];
	close(): Promise<void>;
}

/** More rows than a name of the tree has. */
const LIMIT = 1000;
const TIMEOUT_MS = 120_000;
const MAX_OUTPUT = 64 << 20;

interface Envelope {
	meta: RagToolMeta & { rows?: { proof?: string } };
	items: { file: string; line?: number; start_line?: number; proof?: string }[];
}

function answerOf({ meta, items }: Envelope): Answer {
	const all = new Set<string>();
	const current = new Set<string>();
	for (const { file, line, start_line, proof } of items) {
		const place = `${file}:${line ?? start_line}`;
		all.add(place);
		if ((proof ?? meta.rows?.proof) !== "none") current.add(place);
	}
	const isError = meta.status === "ERROR";
	const says = isError
		? `${meta.error_code}: ${meta.message}`
		: `${meta.status} ${meta.freshness_state}`;
	return { all, current, says, isError };
}

const ALL: readonly Question[] = ["locate", "where-used", "search"];

/** A pattern that finds the name as a word. */
const wordPattern = (name: string) => `\\b${name}\\b`;

/** An agent: `ragnav mcp`, until it is killed. */
export class Agent implements Client {
	readonly name = "mcp";
	readonly questions = ALL;
	readonly #folder: string;
	#session: Promise<McpClient> | undefined;
	#pid: number | undefined;

	constructor(folder: string) {
		this.#folder = folder;
	}

	async ask(question: Question, name: string): Promise<Answer> {
		const arguments_ =
			question === "search"
				? { query: wordPattern(name), mode: "regex", limit: LIMIT }
				: { symbol: name, limit: LIMIT };
		return answerOf(
			await this.#call(`rag_${question.replace("-", "_")}`, arguments_),
		);
	}

	async build(): Promise<string> {
		const { meta } = await this.#call("rag_build_graph", {});
		return meta.error_code ?? meta.status;
	}

	/** Ends the process without a warning; the next question starts another. */
	kill(): void {
		this.#session = undefined;
		if (this.#pid !== undefined) process.kill(this.#pid, "SIGKILL");
		this.#pid = undefined;
	}

	processes(): number[] {
		return this.#pid === undefined ? [] : [this.#pid];
	}

	async close(): Promise<void> {
		const client = await this.#session;
		await client?.close();
	}

	async #call(name: string, given: Record<string, unknown>): Promise<Envelope> {
		this.#session ??= this.#start();
		const client = await this.#session;
		const { structuredContent } = await client.callTool(
			{ name, arguments: given },
			undefined,
			{ timeout: TIMEOUT_MS },
		);
		return structuredContent as unknown as Envelope;
	}

	async #start() {
		const client = new McpClient({ name: "chaos", version: "1" });
		const transport = new StdioClientTransport({
			command: process.execPath,
			args: [CLI, "mcp", "--repo", this.#folder],
			stderr: "ignore",
		});
		await client.connect(transport);
		this.#pid = transport.pid ?? undefined;
		return client;
	}
}

/** A terminal: a process for each question. */
export class Terminal implements Client {
	readonly name = "cli";
	readonly questions = ALL;
	readonly #folder: string;

	constructor(folder: string) {
		this.#folder = folder;
	}

	async ask(question: Question, name: string): Promise<Answer> {
		const args =
			question === "search"
				? ["search", wordPattern(name), "--regex"]
				: [question, name];
		if (question !== "locate") args.push("--limit", String(LIMIT));
		const { stdout, stderr } = await this.#run([...args, "--json"]);
		if (stdout.startsWith("{")) return answerOf(JSON.parse(stdout));
		const none = new Set<string>();
		return { all: none, current: none, says: stderr, isError: true };
	}

	/** Builds the index; returns the process. */
	startBuild(): ChildProcess {
		return spawn(process.execPath, [CLI, "build-graph"], {
			cwd: this.#folder,
			stdio: ["ignore", "ignore", "pipe"],
		});
	}

	processes(): number[] {
		return [];
	}

	async close(): Promise<void> {}

	#run(args: string[]): Promise<{ stdout: string; stderr: string }> {
		return new Promise((resolve) => {
			const options = {
				cwd: this.#folder,
				maxBuffer: MAX_OUTPUT,
				timeout: TIMEOUT_MS,
			};
			execFile(
				process.execPath,
				[CLI, ...args],
				options,
				(_, stdout, stderr) => {
					resolve({ stdout, stderr });
				},
			);
		});
	}
}

/** An editor: a navigator that watches the folder and builds after changes. */
export class Editor implements Client {
	readonly name = "watcher";
	readonly questions = ALL;
	readonly #nav: Navigator;
	/** The number of builds by their result. */
	readonly builds = new Map<string, number>();

	private constructor(nav: Navigator) {
		this.#nav = nav;
	}

	static async start(folder: string): Promise<Editor> {
		const nav = await open(nodeHost(folder));
		const editor = new Editor(nav);
		await nav.watch({
			onBuild: ({ meta }) => {
				const result = meta.error_code
					? `${meta.error_code}: ${meta.message}`
					: meta.status;
				editor.builds.set(result, (editor.builds.get(result) ?? 0) + 1);
			},
		});
		return editor;
	}

	async ask(question: Question, name: string): Promise<Answer> {
		return answerOf((await this.#answer(question, name)) as Envelope);
	}

	#answer(question: Question, name: string) {
		switch (question) {
			case "locate":
				return this.#nav.locate(name);
			case "where-used":
				return this.#nav.whereUsed(name, { limit: LIMIT });
			case "search":
				return this.#nav.search(wordPattern(name), {
					mode: "regex",
					limit: LIMIT,
				});
		}
	}

	async build(): Promise<string> {
		const { meta } = await this.#nav.buildGraph();
		return meta.error_code ?? meta.status;
	}

	processes(): number[] {
		return [process.pid];
	}

	async close(): Promise<void> {
		this.#nav.close();
	}
}

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
		const page = await browser.newPage({
			viewport: { width: 1280, height: 8000 },
		});
		page.setDefaultTimeout(TIMEOUT_MS);
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

/** Returns the resident memory of a process in MiB; 0 if it has ended. */
export function memoryOf(pid: number): number {
	try {
		const status = readFileSync(`/proc/${pid}/status`, "utf8");
		return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
	} catch {
		return 0;
	}
}
