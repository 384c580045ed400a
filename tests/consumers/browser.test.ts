// The packed package in a browser: bundled by Vite, webpack and esbuild, unbundled, and in a web
// worker, under a strict content security policy.
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build as esbuild } from "esbuild";
import type { Browser } from "playwright-core";
import { build as vite } from "vite";
import webpack from "webpack";
import { launch, openPage, serve } from "../browser/browser.js";
import { installed, type Project } from "./project.js";

let project: Project;
let browser: Browser;
before(async () => {
	[project, browser] = await Promise.all([installed(), launch()]);
});
after(async () => {
	await browser?.close();
	project?.remove();
});

/** The number of files from which a build starts workers. */
const COUNT = 300;

const WORK = `
	const files = {};
	for (let at = 0; at < ${COUNT}; at += 1) files["m" + at + ".py"] = "def f" + at + "():\\n    return g()\\n";
	const nav = await open(memoryHost(files, { head: "a".repeat(40) }), { workers: 2 });
	const built = await nav.buildGraph();
	const { items } = await nav.locate("f7");
	const { meta } = await nav.whereUsed("f7");
	const plan = planDeterministic("notes tagged #a");
	nav.close();
	return [built.counts.added, items[0].symbol, meta.status, plan.filters.length].join(" ");`;
const ANSWER = `${COUNT} sym:m7.f7 OK 1`;

const IMPORTS = `
	import { init, open } from "ragnav";
	import { planDeterministic } from "ragnav/agent";
	import { memoryHost } from "ragnav/hosts/memory";`;
const PAGE = `<!doctype html><meta charset="utf-8"><title>waiting</title><link rel="icon" href="data:,">`;
const SHOW = `work().then((text) => { document.title = text; }, (error) => { document.title = String(error); });`;

/** The names of the WebAssembly files that the last page has loaded. */
const loaded = new Set<string>();

/** Waits for the title of a page. */
async function titleOf(url: string): Promise<string> {
	const page = await openPage(browser);
	const complaints: string[] = [];
	loaded.clear();
	page.on("request", (request) => {
		const [name] = /[\w-]+\.wasm(\.gz)?$/.exec(request.url()) ?? [];
		if (name !== undefined) loaded.add(name);
	});
	page.on("console", (message) => {
		if (message.type() === "error") complaints.push(message.text());
	});
	page.on("pageerror", (error) => complaints.push(String(error)));
	try {
		await page.goto(url);
		await page.waitForFunction(() => document.title !== "waiting");
		assert.deepEqual(complaints, []);
		return await page.title();
	} finally {
		await page.close();
	}
}

async function titleOfFolder(folder: string): Promise<string> {
	const server = await serve(folder);
	try {
		return await titleOf(server.url);
	} finally {
		server.close();
	}
}

const MAIN = `${IMPORTS}
	async function work() { ${WORK} }
	${SHOW}`;

/** The page starts a worker, which sends its result. */
const ASKING = `
	const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
	worker.onmessage = ({ data }) => { document.title = data; };
	worker.onerror = (event) => { document.title = event.message; };`;
const WORKER = `${IMPORTS}
	async function work() { ${WORK} }
	work().then((text) => postMessage(text), (error) => postMessage(String(error)));`;

for (const [name, main] of [
	["page", MAIN],
	["worker", ASKING],
] as const) {
	test(`Vite, in a ${name}`, async () => {
		const root = join(project.folder, `vite-${name}`);
		project.put(
			`vite-${name}/index.html`,
			`${PAGE}<script type="module" src="./main.js"></script>`,
		);
		project.put(`vite-${name}/main.js`, main);
		project.put(`vite-${name}/worker.js`, WORKER);
		await vite({
			root,
			configFile: false,
			logLevel: "error",
			worker: { format: "es" },
			build: { target: "es2022", modulePreload: false },
		});
		assert.equal(await titleOfFolder(join(root, "dist")), ANSWER);
	});

	test(`webpack, in a ${name}`, async () => {
		const folder = `webpack-${name}`;
		project.put(`${folder}/main.js`, main);
		project.put(`${folder}/worker.js`, WORKER);
		const dist = join(project.folder, folder, "dist");
		const stats = await new Promise<webpack.Stats>((resolve, reject) => {
			const options: webpack.Configuration = {
				context: join(project.folder, folder),
				entry: "./main.js",
				mode: "production",
				performance: false,
				output: { path: dist, publicPath: "/" },
			};
			webpack(options, (error, done) =>
				error || done === undefined ? reject(error) : resolve(done),
			);
		});
		assert.ok(!stats.hasErrors(), stats.toString("errors-warnings"));
		project.put(
			`${folder}/dist/index.html`,
			`${PAGE}<script src="main.js"></script>`,
		);
		assert.equal(await titleOfFolder(dist), ANSWER);
	});
}

/** The code of a page that gives the bytes of the core and the place of the grammars. */
const WITH_BYTES = `
	const grammars = new URL("/ragnav/languages", location.href);
	await init(new Uint8Array(await (await fetch("/ragnav/core.wasm")).arrayBuffer()), { grammars });`;

for (const format of ["esm", "iife"] as const) {
	test(`esbuild, which copies no file, as ${format}`, async () => {
		const folder = `esbuild-${format}`;
		cpSync(
			join(project.folder, "node_modules", "ragnav"),
			join(project.folder, folder, "ragnav"),
			{ recursive: true },
		);
		const script = format === "esm" ? '<script type="module"' : "<script";
		for (const [entry, before] of [
			["/inline", ""],
			["/slim", WITH_BYTES],
			["", WITH_BYTES],
		] as const) {
			const imports = IMPORTS.replace('from "ragnav"', `from "ragnav${entry}"`);
			const main = project.put(
				`${folder}.js`,
				`${imports}
				async function work() { ${before} ${WORK.replace("workers: 2", "workers: 0")} }
				${SHOW}`,
			);
			await esbuild({
				entryPoints: [main],
				outfile: join(project.folder, folder, "out.js"),
				bundle: true,
				format,
				logLevel: "error",
			});
			project.put(
				`${folder}/index.html`,
				`${PAGE}${script} src="out.js"></script>`,
			);
			const title = await titleOfFolder(join(project.folder, folder));
			assert.equal(title, ANSWER, entry);
		}
	});
}

test("unbundled modules of a page: the default entry, slim and inline", async () => {
	cpSync(
		join(project.folder, "node_modules", "ragnav"),
		join(project.folder, "plain", "ragnav"),
		{ recursive: true },
	);
	const plain = (source: string) =>
		source.replaceAll(/from "ragnav([^"]*)"/g, (_, entry: string) => {
			const files: Record<string, string> = {
				"": "web",
				"/agent": "agent-web",
				"/slim": "slim",
				"/inline": "inline",
			};
			return `from "/ragnav/dist/esm/${files[entry] ?? entry.slice(1)}.js"`;
		});
	// The core, and only the grammar of the language that the files are in.
	const files = ["core.wasm", "tree-sitter-python.wasm.gz"];
	for (const [entry, before, expected] of [
		["", "", files],
		["/slim", WITH_BYTES, files],
		["/inline", "await init();", []],
	] as const) {
		const imports = IMPORTS.replace('from "ragnav"', `from "ragnav${entry}"`);
		project.put(
			"plain/main.js",
			plain(`${imports}
				async function work() { ${before} ${WORK} }
				${SHOW}`),
		);
		project.put(
			"plain/index.html",
			`${PAGE}<script type="module" src="main.js"></script>`,
		);
		assert.equal(
			await titleOfFolder(join(project.folder, "plain")),
			ANSWER,
			entry,
		);
		assert.deepEqual([...loaded].toSorted(), expected, entry);
	}
});

test("ragnav/inline loads no file besides itself", async () => {
	const files = { "a.py": "def f(): ...\n", "b.ts": "function f() {}\n" };
	project.put(
		"plain/main.js",
		`import { open } from "/ragnav/dist/esm/inline.js";
		import { memoryHost } from "/ragnav/dist/esm/hosts/memory.js";
		async function work() {
			const nav = await open(memoryHost(${JSON.stringify(files)}));
			return (await nav.locate("f")).items.map(({ file }) => file).join(" ");
		}
		${SHOW}`,
	);
	const title = await titleOfFolder(join(project.folder, "plain"));
	assert.deepEqual([title, [...loaded]], ["a.py b.ts", []]);
});
