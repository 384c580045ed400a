import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, posix } from "node:path";
import { test } from "node:test";
import ts from "typescript-api";
import { filesUnder } from "../../js/build/cache.mjs";
import { inRoot } from "../../js/build/paths.mjs";

/** A layer of `js/`: files with equal rules for imports. */
interface Layer {
	name: string;
	/** The paths of its files, relative to `js/`. */
	files: RegExp;
	/** `browser`: the layer imports no module of Node, so it runs everywhere. */
	runsIn: "browser" | "node";
	/** The names of the layers that it may import besides itself. The table lists them above it. */
	imports: string[];
}

const LAYERS: Layer[] = [
	{
		name: "generated code",
		files: /^generated(-full)?\//,
		runsIn: "browser",
		imports: [],
	},
	{
		name: "core",
		files: /^core\/(?!workers\/node\/)/,
		runsIn: "browser",
		imports: ["generated code"],
	},
	{
		name: "core's workers in Node",
		files: /^core\/workers\/node\//,
		runsIn: "node",
		imports: ["core"],
	},
	{
		name: "shared parts of hosts",
		files: /^hosts\/shared\//,
		runsIn: "browser",
		imports: ["core"],
	},
	{
		name: "memory host",
		files: /^hosts\/memory\//,
		runsIn: "browser",
		imports: ["core", "shared parts of hosts"],
	},
	{
		name: "fetch host",
		files: /^hosts\/fetch\//,
		runsIn: "browser",
		imports: ["core", "shared parts of hosts"],
	},
	{
		name: "zip host",
		files: /^hosts\/zip\//,
		runsIn: "browser",
		imports: ["core", "shared parts of hosts", "memory host"],
	},
	{
		name: "VS Code host",
		files: /^hosts\/vscode\//,
		runsIn: "browser",
		imports: ["core", "shared parts of hosts"],
	},
	{
		name: "Node host",
		files: /^hosts\/node\//,
		runsIn: "node",
		imports: ["core", "shared parts of hosts"],
	},
	{
		name: "agent",
		files: /^agent\//,
		runsIn: "browser",
		imports: ["core", "generated code"],
	},
	{
		name: "static embeddings",
		files: /^embed-static\//,
		runsIn: "browser",
		imports: ["core"],
	},
	{
		name: "entries for browsers",
		files: /^entries\/(?!.*node\.ts$)/,
		runsIn: "browser",
		imports: ["core", "agent", "generated code"],
	},
	{
		name: "entries for Node",
		files: /^entries\/.*node\.ts$/,
		runsIn: "node",
		imports: ["core", "core's workers in Node", "Node host", "agent"],
	},
	{
		name: "file of languages",
		files: /^apps\/languages\//,
		runsIn: "browser",
		imports: ["core"],
	},
	{
		name: "texts of answers",
		files: /^apps\/text\//,
		runsIn: "browser",
		imports: ["core"],
	},
	{
		name: "MCP server",
		files: /^apps\/mcp\//,
		runsIn: "node",
		imports: [
			...["core", "Node host", "entries for Node", "generated code"],
			"texts of answers",
		],
	},
	{
		name: "writer of SCIP",
		files: /^apps\/scip\//,
		runsIn: "browser",
		imports: ["core"],
	},
	{
		name: "language server",
		files: /^apps\/lsp\/server\//,
		runsIn: "browser",
		imports: ["core", "shared parts of hosts"],
	},
	{
		name: "language server for browsers",
		files: /^apps\/lsp\/web\.ts$/,
		runsIn: "browser",
		imports: ["language server", "entries for browsers"],
	},
	{
		name: "language server for Node",
		files: /^apps\/lsp\/(?:node|stdio)\.ts$/,
		runsIn: "node",
		imports: [...["core", "Node host", "entries for Node", "language server"]],
	},
	{
		name: "viewer's server",
		files: /^apps\/viewer\/server\//,
		runsIn: "node",
		imports: [
			...["core", "shared parts of hosts", "Node host"],
			...["entries for Node", "file of languages"],
		],
	},
	{
		name: "viewer's page",
		files: /^apps\/viewer\/page\//,
		runsIn: "browser",
		imports: [
			...["core", "shared parts of hosts", "fetch host", "zip host"],
			"entries for browsers",
		],
	},
	{
		name: "command line",
		files: /^apps\/cli\//,
		runsIn: "node",
		imports: [
			...["core", "Node host", "entries for Node"],
			...["MCP server", "writer of SCIP", "language server for Node"],
			...["viewer's server", "generated code", "file of languages"],
		],
	},
	{
		name: "editor extension",
		files: /^apps\/vscode\//,
		runsIn: "browser",
		imports: [
			...["VS Code host", "entries for browsers"],
			...["language server", "texts of answers", "file of languages"],
		],
	},
	{
		name: "build scripts",
		files: /^build\//,
		runsIn: "node",
		imports: [],
	},
];

const SOURCE = /\.(?:ts|tsx|mts|mjs|js)$/;

interface Import {
	/** The importing file, relative to `js/`. */
	from: string;
	/** The specifier of the import. */
	specifier: string;
	/** The imported file, relative to `js/`; `undefined` for packages and Node's modules. */
	to: string | undefined;
}

const files = filesUnder(inRoot("js"))
	.map((file) => file.slice(inRoot("js").length + 1).replaceAll("\\", "/"))
	.filter((file) => SOURCE.test(file));
const imports = files
	.filter((file) => layerOf(file).name !== "generated code")
	.flatMap(importsOf);

test("the table of layers lists lower layers first", () => {
	const known = new Set<string>();
	for (const { name, imports: allowed } of LAYERS) {
		const missing = allowed.filter((other) => !known.has(other));
		assert.deepEqual(missing, [], `${name} imports what stands below it`);
		known.add(name);
	}
});

test("a file imports only what its layer may import", () => {
	const wrong = imports.flatMap(({ from, to }) => {
		if (to === undefined) return [];
		const own = layerOf(from);
		const other = layerOf(to);
		const isAllowed = own === other || own.imports.includes(other.name);
		return isAllowed
			? []
			: [`${from} (${own.name}) imports ${to} (${other.name})`];
	});
	assert.deepEqual(wrong, []);
});

test("code for browsers imports no module of Node", () => {
	const wrong = imports
		.filter(({ from }) => layerOf(from).runsIn === "browser")
		.filter(({ specifier }) => isOfNode(specifier))
		.map(({ from, specifier }) => `${from} imports ${specifier}`);
	assert.deepEqual(wrong, []);
});

test("no two files import each other, directly or through others", () => {
	const targets = new Map<string, string[]>();
	for (const { from, to } of imports) {
		if (to === undefined) continue;
		targets.set(from, [...(targets.get(from) ?? []), to]);
	}
	const finished = new Set<string>();
	const cycles: string[] = [];
	const visit = (file: string, path: string[]) => {
		const start = path.indexOf(file);
		if (start >= 0) {
			cycles.push([...path.slice(start), file].join(" → "));
			return;
		}
		if (finished.has(file)) return;
		for (const target of targets.get(file) ?? []) {
			visit(target, [...path, file]);
		}
		finished.add(file);
	};
	for (const file of files) visit(file, []);
	assert.deepEqual(cycles, []);
});

test("the parser finds imports of every form", () => {
	const text = `
		import "./a.js";
		import type { B } from "./b.js";
		export { c } from "./c.js";
		const d: typeof import("./d.js") = await import("./e.js");
		/** @param {import("./f.js").F} f */
	`;
	const names = ["a", "b", "c", "d", "e", "f"];
	assert.deepEqual(
		specifiersIn(text),
		names.map((name) => `./${name}.js`),
	);
});

function layerOf(file: string): Layer {
	const own = LAYERS.filter(({ files }) => files.test(file));
	const [layer] = own;
	assert.ok(
		layer !== undefined && own.length === 1,
		`js/${file} must be in one layer of the table, not ${own.length}`,
	);
	return layer;
}

function importsOf(from: string): Import[] {
	const text = readFileSync(inRoot("js", from), "utf8");
	return specifiersIn(text).map((specifier) => ({
		from,
		specifier,
		to: specifier.startsWith(".") ? resolved(from, specifier) : undefined,
	}));
}

/** Returns every specifier once. Type-only imports count, and those in comments of JavaScript. */
function specifiersIn(text: string): string[] {
	const { importedFiles } = ts.preProcessFile(text, true, true);
	const inCode = importedFiles.map(({ fileName }) => fileName);
	const inComments = [...text.matchAll(/\{.*\bimport\("([^"]+)"\)/g)];
	return [...new Set([...inCode, ...inComments.map(([, name]) => name ?? "")])];
}

/** Returns the source behind an import, which names the file that it is compiled to. */
function resolved(from: string, specifier: string): string {
	const path = posix.join(posix.dirname(from), specifier);
	const stem = path.replace(/\.js$/, "");
	const candidates = [path, `${stem}.ts`, `${stem}.tsx`, `${stem}.d.ts`];
	const found = candidates.find((file) => existsSync(join(inRoot("js"), file)));
	// The build writes some generated code only when it packs the package.
	if (found === undefined && path.startsWith("generated/")) return path;
	assert.ok(found, `${from} imports ${specifier}, which is no file`);
	return found;
}

function isOfNode(specifier: string): boolean {
	const [name = ""] = specifier.split("/");
	return specifier.startsWith("node:") || builtinModules.includes(name);
}
