// Every entry of the built package, as an ES module and as CommonJS, in a new process.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const consumer = mkdtempSync(join(tmpdir(), "ragnav-consumer-"));
after(() => rmSync(consumer, { recursive: true }));

const installed = join(consumer, "node_modules", "ragnav");
mkdirSync(join(consumer, "node_modules"));
cpSync(fileURLToPath(new URL("../../pkg", import.meta.url)), installed, {
	recursive: true,
});

function run(file: string, source: string): string {
	writeFileSync(join(consumer, file), source);
	return execFileSync(process.execPath, [file], {
		cwd: consumer,
		encoding: "utf8",
	}).trim();
}

const ASK = `
	const nav = await open(memoryHost({ "a.py": "def f(): pass" }));
	const { items } = await nav.locate("f");
	nav.close();
	console.log(items[0].symbol, identifySymbolAtLine("def g(): pass", 1));
`;

test("ES modules", () => {
	const source = `
		import { identifySymbolAtLine, open } from "ragnav";
		import { memoryHost } from "ragnav/hosts/memory";
		${ASK}`;
	assert.equal(run("esm.mjs", source), "sym:a.f sym:module.g");
});

test("CommonJS", () => {
	const source = `
		const { identifySymbolAtLine, open } = require("ragnav");
		const { memoryHost } = require("ragnav/hosts/memory");
		(async () => { ${ASK} })();`;
	assert.equal(run("cjs.cjs", source), "sym:a.f sym:module.g");
});

test("in Node, a pure function works without init", () => {
	const source = `
		const { okResult } = require("ragnav");
		console.log(okResult([1]).meta.status);`;
	assert.equal(run("pure.cjs", source), "OK");
});

test("slim needs the bytes, and an error without them says so", () => {
	for (const [file, imports] of [
		[
			"slim.mjs",
			`import { createRequire } from "node:module"; import { identifySymbolAtLine, init, open } from "ragnav/slim"; import { memoryHost } from "ragnav/hosts/memory"; const require = createRequire(import.meta.url);`,
		],
		[
			"slim.cjs",
			`const { identifySymbolAtLine, init, open } = require("ragnav/slim"); const { memoryHost } = require("ragnav/hosts/memory");`,
		],
	] as const) {
		const source = `${imports}
			(async () => {
				try { identifySymbolAtLine("", 1); } catch (error) { console.log(error.code); }
				await open(memoryHost({})).catch((error) => console.log(error.code));
				const read = (file) => require("node:fs").readFileSync(require.resolve("ragnav/" + file));
				const grammars = (file) => read("languages/" + file);
				await init(read("core.wasm"), { grammars, languages: ["python"] });
				${ASK}
			})();`;
		assert.equal(
			run(file, source),
			"NOT_INITIALISED\nNOT_INITIALISED\nsym:a.f sym:module.g",
		);
	}
});

const ASK_RUST = `
	const nav = await open(memoryHost({ "a.rs": "fn f() {}" }));
	const { items } = await nav.locate("f");
	nav.close();
	console.log(items[0].symbol, identifySymbolAtLine("fn g() {}", 1, { lang: "rust" }));
`;

test("ragnav/full is another name of ragnav", () => {
	const host = `import { memoryHost } from "ragnav/hosts/memory";`;
	const full = `import { identifySymbolAtLine, open } from "ragnav/full";`;
	const same = `import * as core from "ragnav"; console.log(core.open === open);`;
	const answers = "sym:a.f sym:module.g";
	assert.equal(
		run("full.mjs", `${host}${full}${same}${ASK_RUST}`),
		`true\n${answers}`,
	);
	const cjs = `
		const { identifySymbolAtLine, open } = require("ragnav/full");
		const { memoryHost } = require("ragnav/hosts/memory");
		(async () => { ${ASK_RUST} })();`;
	assert.equal(run("full.cjs", cjs), answers);
});

test("RagnavError is one class for ES modules and CommonJS", () => {
	const source = `
		import { createRequire } from "node:module";
		import { RagnavError } from "ragnav";
		const other = createRequire(import.meta.url)("ragnav");
		const thrown = await other.open({}).catch((error) => error);
		console.log(other.RagnavError === RagnavError, thrown instanceof RagnavError);
		console.log(new Error("a") instanceof RagnavError, null instanceof RagnavError);`;
	assert.equal(run("errors.mjs", source), "false true\nfalse false");
});

test("the Node host and the command line", () => {
	const source = `
		import { open } from "ragnav";
		import { nodeHost } from "ragnav/hosts/node";
		const nav = await open(nodeHost("."));
		const { total } = await nav.search("nodeHost", { include: ["host.mjs"] });
		console.log(total);`;
	assert.equal(run("host.mjs", source), "3");
	const cli = join(installed, "dist", "cjs", "cli.js");
	const output = execFileSync(
		process.execPath,
		[cli, "search", "nodeHost", "--include", "host.mjs", "--json"],
		{
			cwd: consumer,
			encoding: "utf8",
		},
	);
	assert.equal(JSON.parse(output).total, 3);
});

test("the bill of materials has every package whose code is inside", () => {
	const read = (name: string) => readFileSync(join(installed, name), "utf8");
	const bom = JSON.parse(read("sbom.cdx.json"));
	assert.equal(bom.bomFormat, "CycloneDX");
	const { name, version } = JSON.parse(read("package.json"));
	assert.equal(bom.metadata.component.purl, `pkg:npm/${name}@${version}`);
	const components: { name: string; version: string; purl: string }[] =
		bom.components;
	const listed = components.map(({ name, version }) => `${name} ${version}`);
	const notices = read("THIRD_PARTY_NOTICES.md").matchAll(/^- (\S+ \S+): /gm);
	assert.deepEqual(
		new Set(listed),
		new Set([...notices].map(([, part]) => part)),
	);
	for (const { purl } of components) {
		assert.match(purl, /^pkg:(cargo|npm)\/[^@]+@\d+\.\d+\.\d+/);
	}
});
