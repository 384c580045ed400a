// The bundle in a desktop editor: in Node, as CommonJS, with a `vscode` module.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
	copyFileSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { extension } from "../../js/build/paths.mjs";
import {
	fakeGitExtension,
	fakeVscode,
	uriOf,
} from "../js/hosts/fake-vscode.js";
import { git, put } from "../js/hosts/helpers.js";
import { GRAMMAR, TAGS } from "../js/ruby-plugin.js";
import { SHOP, FILES as SHOP_FILES } from "../js/scip-shop.js";

type Listener = () => void;
const folder = mkdtempSync(join(tmpdir(), "ragnav-desktop-"));
after(() => rmSync(folder, { recursive: true, force: true }));
put(
	join(folder, "a.py"),
	"from b import second\n\n\ndef first():\n    return second()\n",
);
put(join(folder, "b.py"), "def second():\n    return 2\n");
commitAll(folder);

/** Commits the files of a folder, in a new repository. */
function commitAll(root: string): void {
	git(root, "init", "-q");
	git(root, "add", "-A");
	git(root, "commit", "-qm", "first");
}

class Range {
	constructor(
		readonly startLine: number,
		readonly startCharacter: number,
		readonly endLine: number,
		readonly endCharacter: number,
	) {}
}

/** Leaves the editor's own features to others: the test in the workbench has them. */
const FEATURES_OFF = { languages: new Proxy({}, { get: () => "off" }) };

/** Returns an editor's module in which every other name is a class. */
function withOtherClasses(module: object): object {
	return new Proxy(module, {
		get: (own, name) => Reflect.get(own, name) ?? class {},
	});
}

/** The part of an extension host that the extension uses. */
function extensionHost(settings: Record<string, unknown> = {}, root = folder) {
	const setting = (name: string) => ({ ...FEATURES_OFF, ...settings })[name];
	const { vscode, textDocuments } = fakeVscode(fakeGitExtension(root));
	const commands = new Map<string, () => Promise<unknown>>();
	const messages: string[] = [];
	const views = new Map<string, View>();
	const picks: object[] = [];
	const inputs: string[] = [];
	const edits: string[] = [];
	const status = { text: "", tooltip: "", show() {}, hide() {}, dispose() {} };
	const nothing = { dispose() {} };
	const on = (_: Listener) => nothing;
	const module = {
		...vscode,
		Uri: { ...vscode.Uri, file: uriOf },
		workspace: {
			...vscode.workspace,
			fs: { ...vscode.workspace.fs, isWritableFileSystem: () => true },
			workspaceFolders: [{ uri: uriOf(root), name: "trial", index: 0 }],
			getWorkspaceFolder: () => module.workspace.workspaceFolders[0],
			getConfiguration: () => ({ get: setting }),
			onDidChangeWorkspaceFolders: on,
			onDidChangeConfiguration: on,
			onDidChangeTextDocument: on,
			onDidSaveTextDocument: on,
			onDidCreateFiles: on,
			onDidDeleteFiles: on,
			onDidRenameFiles: on,
			openTextDocument: async ({ path }: { path: string }) => {
				const lines = readFileSync(path, "utf8").split("\n");
				const getText = ({ startLine, startCharacter, endCharacter }: Range) =>
					lines[startLine]?.slice(startCharacter, endCharacter);
				return { getText };
			},
			applyEdit: async () => true,
		},
		window: {
			createTreeView: (id: string, { treeDataProvider }: View) => {
				const view = { message: "", treeDataProvider, dispose() {} };
				views.set(id, view);
				return view;
			},
			showQuickPick: async (given: Promise<object[]>) => {
				picks.push(...(await given));
				return picks[1];
			},
			createStatusBarItem: () => status,
			showInformationMessage: async (text: string) => messages.push(text),
			showErrorMessage: async (text: string) => messages.push(text),
			activeTextEditor: undefined as object | undefined,
			showInputBox: async () => inputs.shift(),
			withProgress: (
				_: unknown,
				work: (progress: object, token: object) => Promise<unknown>,
			) => work({ report() {} }, token),
		},
		commands: {
			registerCommand: (name: string, run: () => Promise<unknown>) => {
				commands.set(name, run);
				return nothing;
			},
			executeCommand: async () => undefined,
		},
		extensions: { ...vscode.extensions, onDidChange: on },
		env: { uiKind: 1 },
		l10n: {
			t: (text: string, ...values: unknown[]) =>
				text.replace(/\{(\d)\}/g, (_, at) => String(values[Number(at)])),
		},
		UIKind: { Desktop: 1, Web: 2 },
		WorkspaceEdit: class {
			replace({ path }: { path: string }, range: Range, text: string) {
				const { startLine, startCharacter, endCharacter } = range;
				const name = path.split("/").at(-1);
				const columns = `${startCharacter}-${endCharacter}`;
				edits.push(`${name}:${startLine}:${columns} ${text}`);
			}
			renameFile() {}
		},
		EventEmitter: class {
			event = on;
			fire() {}
			dispose() {}
		},
		Range,
		Position: class {
			constructor(
				readonly line: number,
				readonly character: number,
			) {}
		},
		Location: class {
			constructor(
				readonly uri: object,
				readonly range: object,
			) {}
		},
		TreeItem: class {
			constructor(
				readonly label: string,
				readonly collapsibleState = 0,
			) {}
		},
		ThemeIcon: { File: {}, Folder: {} },
		TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
		StatusBarAlignment: { Left: 1 },
		ProgressLocation: { Notification: 15 },
	};
	return {
		module,
		commands,
		messages,
		views,
		picks,
		inputs,
		edits,
		textDocuments,
		status,
	};
}

interface Row {
	label: string;
	description?: string;
	command?: { arguments: [{ path: string }, { selection: Range }] };
}

interface View {
	message?: string;
	title?: string;
	treeDataProvider: {
		getChildren(node?: object): object[];
		getTreeItem(node: object): Row;
	};
}

/** Returns the rows of a view as a person sees them, indented by their depth. */
function rowsOf({ treeDataProvider }: View, node?: object): string[] {
	return treeDataProvider.getChildren(node).flatMap((child) => {
		const { label, description = "" } = treeDataProvider.getTreeItem(child);
		const below = rowsOf({ treeDataProvider }, child);
		const own = [label, description].filter(Boolean).join(" | ");
		return [own, ...below.map((row) => `  ${row}`)];
	});
}

const token = {
	isCancellationRequested: false,
	onCancellationRequested: () => ({ dispose() {} }),
};

/** Loads the extension with a `vscode` module. */
function load(module: object) {
	const file = join(extension, "dist", "extension.js");
	const source = readFileSync(file, "utf8");
	const own = { exports: {} as Record<string, unknown> };
	const require = createRequire(file);
	const fromHost = (name: string) =>
		name === "vscode" ? withOtherClasses(module) : require(name);
	new Function("require", "module", "exports", source)(
		fromHost,
		own,
		own.exports,
	);
	return own.exports as {
		activate(context: object): {
			search(query: string): Promise<void>;
			ask(question: string): Promise<void>;
			impact(from?: string): Promise<void>;
		};
	};
}

test("the desktop entry answers in Node", async () => {
	const host = extensionHost();
	const subscriptions: { dispose(): void }[] = [];
	const api = load(host.module).activate({
		extensionUri: uriOf(extension),
		subscriptions,
	});
	await host.commands.get("ragnav.buildIndex")?.();
	assert.deepEqual(host.messages, ["ragnav: trial is indexed, 2 files."]);
	assert.match(host.status.text, /ragnav: up to date/);
	await api.search("second");
	assert.match(
		host.views.get("ragnav.results")?.message ?? "",
		/3 rows · Up to date/,
	);
	await api.ask("what does second return?");
	assert.match(
		host.views.get("ragnav.answer")?.message ?? "",
		/passage.* · Up to date/,
	);
	for (const subscription of subscriptions) subscription.dispose();
});

test("a file of languages is read from the disk, or the reason is shown", async () => {
	const above = mkdtempSync(join(tmpdir(), "ragnav-languages-"));
	after(() => rmSync(above, { recursive: true, force: true }));
	put(join(above, "queries/tags.scm"), TAGS);
	copyFileSync(GRAMMAR, join(above, "ruby.wasm"));
	const rbx = { name: "rbx", extensions: ["rbx"], wasm: "ruby.wasm" };
	const answers = async (entry: object) => {
		const file = join(above, "languages.json");
		put(file, JSON.stringify({ languages: [entry] }));
		const host = extensionHost({ languagesFile: file });
		host.textDocuments.push({
			uri: uriOf(join(folder, "scale.rbx")),
			isDirty: true,
			version: 1,
			getText: () => "def weigh(list)\n  12\nend\n",
		});
		const subscriptions: { dispose(): void }[] = [];
		const extensionUri = uriOf(extension);
		const api = load(host.module).activate({ extensionUri, subscriptions });
		await api.search("12");
		const view = host.views.get("ragnav.results") as View;
		for (const subscription of subscriptions) subscription.dispose();
		return { rows: rowsOf(view), messages: host.messages };
	};
	const good = { ...rbx, tags: join(above, "queries/tags.scm") };
	const read = await answers(good);
	assert.match(read.rows.join("\n"), /line 2 · unsaved · scale\.weigh$/);
	assert.deepEqual(read.messages, []);
	const absent = await answers({ ...rbx, tags: "absent.scm" });
	assert.match(absent.rows.join("\n"), /line 2 · unsaved$/);
	assert.match(absent.messages[0] ?? "", /languages\.json cannot be used/);
	const taken = await answers({ ...good, name: "python" });
	assert.match(taken.rows.join("\n"), /line 2 · unsaved$/);
	assert.match(taken.messages[0] ?? "", /python/);
});

test("a SCIP index that the settings name is used, and the status says so", async () => {
	const shop = mkdtempSync(join(tmpdir(), "ragnav-scip-"));
	after(() => rmSync(shop, { recursive: true, force: true }));
	for (const [file, text] of Object.entries(SHOP_FILES)) {
		put(join(shop, file), text);
	}
	put(join(shop, "index.scip"), SHOP);
	commitAll(shop);
	const host = extensionHost({ scip: ["index.scip"] }, shop);
	const subscriptions: { dispose(): void }[] = [];
	const extensionUri = uriOf(extension);
	load(host.module).activate({ extensionUri, subscriptions });
	await host.commands.get("ragnav.buildIndex")?.();
	assert.match(host.status.tooltip, /index\.scip: 2 documents used/);
	for (const subscription of subscriptions) subscription.dispose();
});

test("a symbol is renamed in all files, or the reason is shown", async () => {
	const host = extensionHost();
	const subscriptions: { dispose(): void }[] = [];
	const extensionUri = uriOf(extension);
	load(host.module).activate({ extensionUri, subscriptions });
	const rename = host.commands.get("ragnav.rename");
	await rename?.();
	host.module.window.activeTextEditor = {
		document: {
			uri: uriOf(join(folder, "b.py")),
			getWordRangeAtPosition: () => new Range(0, 4, 0, 10),
			getText: () => "second",
		},
		selection: { active: { line: 0, character: 5 } },
	};
	host.inputs.push("class", "third");
	await rename?.();
	await rename?.();
	assert.match(host.messages.join("\n"), /Put the cursor on a name/);
	assert.match(host.messages[1] ?? "", /With the name `class`/);
	assert.deepEqual(host.edits, [
		"a.py:0:14-20 third",
		"a.py:4:11-17 third",
		"b.py:0:4-10 third",
	]);
	for (const subscription of subscriptions) subscription.dispose();
});

test("a view says what a change touches, unsaved text included", async () => {
	put(
		join(folder, "tests/test_a.py"),
		"from a import first\n\n\ndef test_first():\n    first()\n",
	);
	put(join(folder, "c.py"), "def other(it):\n    return it.second()\n");
	git(folder, "add", "-A");
	git(folder, "commit", "-qm", "second");
	const host = extensionHost();
	const subscriptions: { dispose(): void }[] = [];
	const extensionUri = uriOf(extension);
	const api = load(host.module).activate({ extensionUri, subscriptions });
	const view = () => host.views.get("ragnav.impact") as View;
	await api.impact();
	assert.deepEqual(rowsOf(view()), []);
	assert.match(
		String(view().message),
		/^0 changed symbols, 0 references, 0 tests/,
	);
	host.textDocuments.push({
		uri: uriOf(join(folder, "b.py")),
		isDirty: true,
		version: 2,
		getText: () => "def second(x=0):\n    return 2\n",
	});
	await host.commands.get("ragnav.showImpact")?.();
	assert.deepEqual(rowsOf(view()), [
		"b.second | signature · b.py:1",
		"  module level imports b.second | a.py:1 · read now",
		"  a.first calls b.second | a.py:5 · read now",
		"  module level imports a.first | tests/test_a.py:1 · in 2 steps · read now",
		"  tests.test_a.test_first calls a.first | tests/test_a.py:5 · in 2 steps · read now",
		"  1 reference by name alone",
		"    c.other calls b.second | c.py:2 · read now",
		"Tests that reach them",
		"  tests.test_a.test_first | tests/test_a.py:5 · reaches 1 symbol · in 2 steps",
	]);
	await host.commands.get("ragnav.showImpactSince")?.();
	assert.ok(host.picks.length > 3);
	for (const subscription of subscriptions) subscription.dispose();
});

test("every text that people read has a German translation", () => {
	const read = (file: string) =>
		JSON.parse(readFileSync(join(extension, file), "utf8"));
	const bundle = read("l10n/bundle.l10n.de.json");
	const texts = Object.values<string>(read("package.nls.json"));
	assert.ok(texts.length > 40);
	const folder = fileURLToPath(
		new URL("../../js/apps/vscode/src", import.meta.url),
	);
	const sources = readdirSync(folder).map((file) =>
		readFileSync(join(folder, file), "utf8"),
	);
	const said = sources.flatMap((source) =>
		[...source.matchAll(/l10n\.t\(\s*"([^"]+)"/g)].map(([, text = ""]) => text),
	);
	assert.ok(said.length > 8);
	assert.deepEqual(
		[...texts, ...said].filter((text) => bundle[text] === undefined),
		[],
	);
	const german = read("package.nls.de.json");
	assert.equal(german["commands.0.title"], "Suchen");
	assert.equal(
		read("package.json").contributes.commands[0].title,
		"%commands.0.title%",
	);
});

test("the packed extension has one bundle, the core, the grammars and their notices", () => {
	const packed = join(extension, "ragnav.vsix");
	assert.ok(statSync(packed).size > 1_000_000);
	const list =
		"import sys, zipfile; print('\\n'.join(sorted(zipfile.ZipFile(sys.argv[1]).namelist())))";
	const names = execFileSync("python3", ["-c", list, packed], {
		encoding: "utf8",
	})
		.trim()
		.split("\n");
	assert.deepEqual(
		names.filter((name) => /^extension\/dist\/[^/]+$/.test(name)),
		["extension/dist/core.wasm", "extension/dist/extension.js"],
	);
	const grammar = "extension/dist/languages/tree-sitter-python.wasm.gz";
	assert.ok(names.includes(grammar));
	assert.ok(names.includes("extension/package.json"));
});
