// A grammar that ragnav does not ship, as its authors publish it, in Node, on the command line and in
// a browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { npmPackages } from "../../js/build/npm-packages.mjs";
import { launch, openPage, serve } from "../browser/browser.js";
import { installed, type Project } from "./project.js";

const PACKAGE = "tree-sitter-ocaml@0.24.2";
/** The SHA-256 of the grammar in that release, which has the licence MIT. */
const HASH = "761a78a804931cfac1fa0c6238989b4b0e86cc70db461b1315d743de923f8246";

const SHAPE = `(* The area of a shape. *)
module Shape = struct
  let area width height = width * height

  let square side = area side side
end
`;
const MAIN = `open Shape

let show side = print_int (square side)

class cart = object
  method total = Shape.area 2 3
end
`;
const FILES = { "shape.ml": SHAPE, "main.ml": MAIN };

/** What a program prints about them. */
const WORK = `
	const outline = await nav.outline("shape.ml");
	const [shape] = outline.items;
	const used = await nav.whereUsed("square");
	const built = await nav.buildGraph();
	const callers = await nav.lineage("area", "callers");
	const ranked = await nav.search("show square", { mode: "ranked", limit: 1 });
	const lines = [
		[shape.kind, shape.name, ...shape.children.map(({ name }) => name)].join(" "),
		used.items.map(({ file, line, symbol }) => [file, line, symbol].join(":")).join(" "),
		built.counts.added + " " + callers.meta.status,
		callers.items.map(({ symbol }) => symbol).join(" "),
		ranked.items[0].symbol,
	];
	nav.close();`;
const ANSWER = [
	"namespace Shape area square",
	"main.ml:3:sym:main.show",
	"2 OK",
	"sym:main.cart.total sym:shape.Shape.square",
	"sym:main.show",
];

let project: Project;
let grammar: string;
before(async () => {
	const [modules, made] = await Promise.all([
		npmPackages("tree-sitter-ocaml-0.24.2", [PACKAGE]),
		installed(),
	]);
	project = made;
	grammar = join(modules, "tree-sitter-ocaml");
	const wasm = readFileSync(join(grammar, "tree-sitter-ocaml.wasm"));
	assert.equal(createHash("sha256").update(wasm).digest("hex"), HASH);
	for (const [name, text] of Object.entries(FILES)) {
		project.put(join("repo", name), text);
	}
	for (const folder of ["ocaml", "node_modules/tree-sitter-ocaml"]) {
		for (const file of ["tree-sitter-ocaml.wasm", "queries"]) {
			cpSync(join(grammar, file), join(project.folder, folder, file), {
				recursive: true,
			});
		}
	}
});
after(() => project?.remove());

test("an official grammar in Node", () => {
	const program = project.put(
		"program.mjs",
		`import { readFile } from "node:fs/promises";
		import { open } from "ragnav";
		import { memoryHost } from "ragnav/hosts/memory";
		const host = memoryHost(${JSON.stringify(FILES)}, { head: "a".repeat(40) });
		const ocaml = {
			name: "ocaml",
			extensions: ["ml"],
			wasm: await readFile("ocaml/tree-sitter-ocaml.wasm"),
			tags: await readFile("ocaml/queries/tags.scm", "utf8"),
			locals: await readFile("ocaml/queries/locals.scm", "utf8"),
		};
		const nav = await open(host, { languages: [ocaml] });
		${WORK}
		console.log(lines.join("\\n"));`,
	);
	const printed = project.run(process.execPath, program);
	assert.deepEqual(printed.split("\n"), ANSWER);
});

/** Returns the first code block in a language of the page about plug-ins. */
function blockOf(language: string): string {
	const page = readFileSync(
		new URL("../../docs/plugins.md", import.meta.url),
		"utf8",
	);
	const [, block = ""] =
		new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "m").exec(page) ?? [];
	assert.notEqual(block, "");
	return block;
}

test("the program of docs/plugins.md", () => {
	const program = project.put("documented.mjs", blockOf("js"));
	assert.deepEqual(project.run(process.execPath, program).split("\n"), [
		"sym:shape.Shape.area shape.ml:2",
		"sym:main.show main.ml:1 candidate",
	]);
});

test("an official grammar on the command line", () => {
	const file = project.put("ocaml/languages.json", blockOf("json"));
	const cli = join(project.folder, "node_modules", "ragnav", "dist/cjs/cli.js");
	const run = (...args: string[]) =>
		execFileSync(process.execPath, [cli, ...args, "--repo", "repo"], {
			cwd: project.folder,
			env: { ...process.env, RAGNAV_LANGUAGES: file },
			encoding: "utf8",
			stdio: ["ignore", "pipe", "ignore"],
		});
	run("build-graph");
	assert.match(run("where-used", "square"), /repo\/main\.ml:3:28: /);
	assert.match(run("ask", "what is the area?"), /Shape\.area/);
});

test("an official grammar in a browser", async () => {
	cpSync(
		join(project.folder, "node_modules", "ragnav"),
		join(project.folder, "page", "ragnav"),
		{ recursive: true },
	);
	cpSync(join(project.folder, "ocaml"), join(project.folder, "page", "ocaml"), {
		recursive: true,
	});
	project.put(
		"page/main.js",
		`import { open } from "/ragnav/dist/esm/web.js";
		import { memoryHost } from "/ragnav/dist/esm/hosts/memory.js";
		async function work() {
			const host = memoryHost(${JSON.stringify(FILES)}, { head: "a".repeat(40) });
			const text = async (file) => (await fetch("/ocaml/queries/" + file)).text();
			const ocaml = {
				name: "ocaml",
				extensions: ["ml"],
				wasm: new URL("/ocaml/tree-sitter-ocaml.wasm", location.href),
				tags: await text("tags.scm"),
				locals: await text("locals.scm"),
			};
			const nav = await open(host, { languages: [ocaml], workers: 1 });
			${WORK}
			return lines.join("|");
		}
		work().then((text) => { document.title = text; }, (error) => { document.title = String(error); });`,
	);
	project.put(
		"page/index.html",
		`<!doctype html><meta charset="utf-8"><title>waiting</title><link rel="icon" href="data:,">
		<script type="module" src="main.js"></script>`,
	);
	const server = await serve(join(project.folder, "page"));
	let browser: Browser | undefined;
	try {
		browser = await launch();
		const page = await openPage(browser);
		await page.goto(server.url);
		await page.waitForFunction(() => document.title !== "waiting");
		assert.deepEqual((await page.title()).split("|"), ANSWER);
	} finally {
		await browser?.close();
		server.close();
	}
});
