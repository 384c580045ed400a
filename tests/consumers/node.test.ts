// The packed package in the oldest and the newest Node: each kind of module, each entry, and
// TypeScript.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { packageScript } from "../../js/build/run.mjs";
import { newestNode } from "./newest-node.js";
import { installed, lend, type Project } from "./project.js";

let project: Project;
before(async () => {
	project = await installed();
});
after(() => project?.remove());

const ASK = `
	const nav = await open(memoryHost({ "a.py": "def f(): pass" }));
	const { items } = await nav.locate("f");
	const { meta } = await nav.ask("what is f?");
	nav.close();
	console.log(items[0].symbol, meta.status, identifySymbolAtLine("def g(): pass", 1));`;
const ANSWER = "sym:a.f FALLBACK sym:module.g";

const PROGRAMS = {
	"esm.mjs": `import { identifySymbolAtLine, open } from "ragnav";
		import { memoryHost } from "ragnav/hosts/memory"; ${ASK}`,
	"cjs.cjs": `const { identifySymbolAtLine, open } = require("ragnav");
		const { memoryHost } = require("ragnav/hosts/memory");
		(async () => { ${ASK} })();`,
	"inline.mjs": `import { identifySymbolAtLine, open } from "ragnav/inline";
		import { memoryHost } from "ragnav/hosts/memory"; ${ASK}`,
	"inline.cjs": `const { identifySymbolAtLine, open } = require("ragnav/inline");
		const { memoryHost } = require("ragnav/hosts/memory");
		(async () => { ${ASK} })();`,
	"slim.mjs": `import { readFile } from "node:fs/promises";
		import { createRequire } from "node:module";
		import { identifySymbolAtLine, init, open } from "ragnav/slim";
		import { memoryHost } from "ragnav/hosts/memory";
		const { resolve } = createRequire(import.meta.url);
		const grammars = (file) => readFile(resolve("ragnav/languages/" + file));
		await init(await readFile(resolve("ragnav/core.wasm")), { grammars, languages: ["python"] });
		${ASK}`,
	"agent.mjs": `import { identifySymbolAtLine, open } from "ragnav";
		import { planDeterministic } from "ragnav/agent";
		import { memoryHost } from "ragnav/hosts/memory";
		if (planDeterministic("notes #a").filters.length !== 1) throw new Error("no plan");
		${ASK}`,
};

for (const [file, source] of Object.entries(PROGRAMS)) {
	test(`${file} in this Node and the newest`, async (t) => {
		project.put(file, source);
		assert.equal(project.run(process.execPath, file), ANSWER);
		const newest = await newestNode();
		if (newest === undefined) {
			t.diagnostic("there is no newest Node for this system");
			return;
		}
		assert.equal(project.run(newest, file), ANSWER);
	});
}

test("the package bundled by esbuild to one CommonJS file", async () => {
	const entry = project.put(
		"bundled/entry.ts",
		PROGRAMS["inline.mjs"].replace(ASK, `(async () => { ${ASK} })();`),
	);
	await build({
		entryPoints: [entry],
		outfile: join(project.folder, "bundled", "out.cjs"),
		bundle: true,
		platform: "node",
		format: "cjs",
		logLevel: "error",
	});
	assert.equal(project.run(process.execPath, "bundled/out.cjs"), ANSWER);
});

test("a bundle for browsers without its core says which entries help", async () => {
	const entry = project.put(
		"coreless/entry.js",
		`import { open } from "ragnav";
		import { memoryHost } from "ragnav/hosts/memory";
		open(memoryHost({})).catch(({ code, message }) => console.log(code, message));`,
	);
	for (const [format, file] of [
		["esm", "out.mjs"],
		["iife", "out.cjs"],
	] as const) {
		await build({
			entryPoints: [entry],
			outfile: join(project.folder, "coreless", file),
			bundle: true,
			format,
			logLevel: "error",
		});
		assert.match(
			project.run(process.execPath, `coreless/${file}`),
			/^NOT_INITIALISED core\.wasm cannot be loaded: .*; if your bundler does not copy it, import `ragnav\/inline`, .* or `ragnav\/slim` and pass its bytes to `init`$/,
			format,
		);
	}
});

const TYPED = `import { type Navigator, type NavItem, open } from "ragnav";
import { type AgentResult, planDeterministic } from "ragnav/agent";
import { memoryHost } from "ragnav/hosts/memory";
import { nodeHost } from "ragnav/hosts/node";
import { init } from "ragnav/slim";
import { open as openInline } from "ragnav/inline";

export async function rows(): Promise<NavItem[]> {
	const nav: Navigator = await open(nodeHost("."));
	const answer: AgentResult = await nav.ask("why?");
	await init(new Uint8Array());
	await openInline(memoryHost({}));
	// @ts-expect-error a plan has no such field
	planDeterministic("x").nothing;
	return (await nav.search(answer.query, { mode: "ranked" })).items;
}
`;

for (const [module, moduleResolution] of [
	["node16", "node16"],
	["esnext", "bundler"],
] as const) {
	for (const compiler of ["typescript", "typescript-api"]) {
		test(`${compiler} with moduleResolution ${moduleResolution}`, () => {
			lend(project, "@types/node");
			const folder = `types-${moduleResolution}-${compiler}`;
			for (const name of ["esm.mts", "cjs.cts"]) {
				project.put(`${folder}/${name}`, TYPED);
			}
			project.put(
				`${folder}/tsconfig.json`,
				JSON.stringify({
					compilerOptions: {
						module,
						moduleResolution,
						strict: true,
						noEmit: true,
						target: "es2022",
						exactOptionalPropertyTypes: true,
						types: ["node"],
					},
				}),
			);
			execFileSync(
				process.execPath,
				[packageScript(compiler, "tsc"), "--project", folder],
				{ cwd: project.folder, stdio: ["ignore", 2, 2] },
			);
		});
	}
}
