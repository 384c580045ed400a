// Every public function, class, method and host has an `@example`, which prints what it says.
import assert from "node:assert/strict";
import {
	cpSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { before, mock, test } from "node:test";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import * as main from "#ragnav";
import * as agent from "#ragnav/agent";
import * as embedStatic from "#ragnav/embed-static";
import * as conformance from "#ragnav/hosts/conformance";
import * as fetched from "#ragnav/hosts/fetch";
import * as memory from "#ragnav/hosts/memory";
import * as node from "#ragnav/hosts/node";
import * as vscode from "#ragnav/hosts/vscode";
import * as zip from "#ragnav/hosts/zip";
import * as lsp from "#ragnav/lsp";
import {
	CHECKOUT,
	commitAll,
	createFolder,
	installPackage,
	SHOP,
} from "./consumer.js";

const MODULES = [
	...[main, agent, embedStatic, lsp],
	...[conformance, fetched, memory, node, vscode, zip],
];

/** The interfaces with methods. No module has them at run time. */
const INTERFACES = [
	"DocumentStore",
	"FetchHost",
	"Host",
	"MemoryHost",
	"NodeHost",
	"Watcher",
	"Watching",
];

/** The examples of the sources by the name of their item, methods as `Class.method`. */
const examples = new Map<string, string>();
/** The names of methods that are not part of the API. */
const internal = new Set<string>();
for (const folder of ["core", "agent", "embed-static", "hosts", "apps/lsp"]) {
	const root = join(CHECKOUT, "js", folder);
	for (const file of readdirSync(root, { recursive: true })) {
		if (!String(file).endsWith(".ts")) continue;
		readExamples(readFileSync(join(root, String(file)), "utf8"));
	}
}

/** Collects the examples of a source. */
function readExamples(source: string): void {
	const comments = source.matchAll(
		/^\t?\/\*\*\n((?:\s+\*.*\n)+?)\s+\*\/\n(.+)$/gm,
	);
	for (const { index, 1: comment = "", 2: declaration = "" } of comments) {
		const lines = comment.replace(/^\s+\* ?/gm, "");
		if (lines.includes("@internal")) {
			internal.add(nameOf(declaration, source.slice(0, index)) ?? "");
		}
		const code = /^@example\n```[jt]s\n([\s\S]*?)^```$/m.exec(lines)?.[1];
		if (code === undefined) continue;
		const name = nameOf(declaration, source.slice(0, index));
		assert.ok(name, `an example precedes ${declaration}`);
		examples.set(name, code);
	}
}

/** Returns the name that a line declares, after the source before it. */
function nameOf(declaration: string, before: string): string | undefined {
	const item = /^export (?:async )?(?:function|class|interface) (\w+)/;
	const name = item.exec(declaration)?.[1];
	if (name !== undefined) return name;
	const method = /^\t(?:async |get )?(\w+)[(<]/.exec(declaration)?.[1];
	const type = [...before.matchAll(/^export class (\w+)/gm)].at(-1)?.[1];
	return method && type && `${type}.${method}`;
}

/** Returns the names of the functions, classes and methods that the modules export. */
function exportedNames(): string[] {
	const names = new Map<unknown, string[]>();
	for (const [name, value] of MODULES.flatMap((one) => Object.entries(one))) {
		if (typeof value !== "function") continue;
		// A class may have two names, of which the last one counts.
		names.set(value, [name, ...methodsOf(name, value)]);
	}
	// `open` makes navigators, whose class the package does not export.
	const navigator = Object.getPrototypeOf(opened).constructor;
	return [...names.values()]
		.flat()
		.concat("Navigator", methodsOf("Navigator", navigator));
}

function methodsOf(name: string, type: { prototype?: object }): string[] {
	return Object.getOwnPropertyNames(type.prototype ?? {})
		.filter((method) => method !== "constructor")
		.map((method) => `${name}.${method}`);
}

const opened = await main.open(memory.memoryHost({}));
opened.close();

test("every public function, class, method and host has an example", () => {
	const names = [...exportedNames(), ...INTERFACES];
	assert.ok(names.includes("Navigator.search") && names.includes("nodeHost"));
	const lacking = names.filter(
		(name) => !examples.has(name) && !internal.has(name),
	);
	assert.deepEqual(lacking, []);
});

const consumer = createFolder();
const shop = join(consumer, "shop");

before(() => {
	installPackage(consumer);
	lendPackage("fflate");
	provideEditor();
	cpSync(join(CHECKOUT, SHOP), shop, { recursive: true });
	commitAll(shop);
	process.chdir(shop);
});

for (const [name, code] of examples) {
	test(`the example of ${name}`, async () => {
		assert.deepEqual(await printedBy(name, code), expectedLines(code));
		rmSync(join(shop, ".llmc"), { recursive: true, force: true });
	});
}

/** Links a package of the checkout into the consumer. */
function lendPackage(name: string): void {
	const source = join(CHECKOUT, "node_modules", name);
	symlinkSync(source, join(consumer, "node_modules", name), "dir");
}

/** Provides the module `vscode` of an editor that has opened the repository. */
function provideEditor(): void {
	const folder = join(consumer, "node_modules", "vscode");
	const fake = join(CHECKOUT, "tests", "js", "hosts", "fake-vscode.ts");
	mkdirSync(folder);
	writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
	writeFileSync(
		join(folder, "index.js"),
		`import { fakeVscode, uriOf } from ${JSON.stringify(pathToFileURL(fake).href)};
const { vscode } = fakeVscode();
export const { extensions, Uri, RelativePattern } = vscode;
export const workspace = {
	...vscode.workspace,
	workspaceFolders: [{ uri: uriOf(${JSON.stringify(shop)}) }],
};
export const lm = { selectChatModels: async () => [{ id: "a model" }] };
`,
	);
}

/** Returns the comments behind calls of `console.log` and those on indented lines, in order. */
function expectedLines(code: string): string[] {
	const comments = code.matchAll(/(?:console\.log\(.*|^ +)\/\/ (.*)$/gm);
	return Array.from(comments, ([, line = ""]) => line);
}

/** Runs an example in this process, and returns the lines that it prints. */
async function printedBy(name: string, code: string): Promise<string[]> {
	const lines: string[] = [];
	const log = mock.method(console, "log", (...values: unknown[]) => {
		lines.push(...format(...values).split("\n"));
	});
	const file = join(consumer, `${name}.mts`);
	writeFileSync(file, code);
	try {
		await import(pathToFileURL(file).href);
	} finally {
		log.mock.restore();
	}
	return lines;
}
