import { join, relative } from "node:path";
import { inRoot, pkg, root } from "./paths.mjs";
import { Problem } from "./run.mjs";

/** @type {Record<string, string>} the package's files and the sources they are made of */
const ENTRIES = {
	node: "entries/node.ts",
	web: "entries/web.ts",
	slim: "entries/slim.ts",
	inline: "entries/inline.ts",
	"agent-node": "entries/agent-node.ts",
	"agent-web": "entries/agent-web.ts",
	"embed-static": "embed-static/index.ts",
	"lsp-node": "apps/lsp/node.ts",
	"lsp-web": "apps/lsp/web.ts",
	"hosts/node": "hosts/node/host.ts",
	"hosts/memory": "hosts/memory/host.ts",
	"hosts/vscode": "hosts/vscode/host.ts",
	"hosts/conformance": "hosts/shared/conformance.ts",
	"hosts/fetch": "hosts/fetch/host.ts",
	"hosts/zip": "hosts/zip/host.ts",
	"extract-node-worker": "core/workers/node/worker.ts",
	"extract-web-worker": "core/workers/web/worker.ts",
};

/** The entries that run without Node. */
const FOR_BROWSERS = [
	"web",
	"slim",
	"inline",
	"agent-web",
	"embed-static",
	"lsp-web",
	"hosts/memory",
	"hosts/vscode",
	"hosts/conformance",
	"hosts/fetch",
	"hosts/zip",
	"extract-web-worker",
];

const TARGET = ["node20", "es2022"];

/** Defines `require` for the CommonJS packages in the servers: an ES module has none. */
const SERVER_HEAD = `import { createRequire as __createRequire } from "node:module";
const require = __createRequire(import.meta.url);`;

/** Replaces `import.meta.url` for Node, because CommonJS has none. */
const CJS_URL_HEAD =
	'"use strict"; const __moduleUrl = require("node:url").pathToFileURL(__filename).href;';

/** jsonc-parser's CommonJS form requires its files through a parameter, so esbuild omits them. */
const ALIAS = { "jsonc-parser": "jsonc-parser/lib/esm/main.js" };

/** The folder of the command line's sources. */
const CLI = inRoot("js", "apps", "cli");

/**
 * What the command line imports only when a command needs it, and the file that it is bundled to.
 *
 * @type {[source: RegExp, output: string][]}
 */
const ON_DEMAND = [
	[/\/program\.js$/, "./cli-program.js"],
	[/\/mcp\/serve\.js$/, "../esm/mcp.js"],
	[/\/lsp\/stdio\.js$/, "../esm/lsp.js"],
	[/\/viewer\/server\/serve\.js$/, "../esm/viewer.js"],
];

/**
 * Leaves the imports of `ON_DEMAND` out of the command line's files. Packages may have files of the
 * same names, which are bundled.
 *
 * @type {import("esbuild").Plugin}
 */
const LOADED_ON_DEMAND = {
	name: "loaded-on-demand",
	setup({ onResolve }) {
		for (const [filter, path] of ON_DEMAND)
			onResolve({ filter }, ({ importer }) =>
				importer.startsWith(CLI) ? { path, external: true } : undefined,
			);
	},
};

/** The script with the files of `ragnav/inline`, from the folder of the ES modules. */
const INLINE_FILES = "../cjs/inline-files.js";

/**
 * Leaves the script with the files of `ragnav/inline` out of both forms of that entry.
 *
 * @param {string} path the path of the script from the folder of the form
 * @returns {import("esbuild").Plugin}
 */
const inlineFilesAt = (path) => ({
	name: "inline-files",
	setup({ onResolve }) {
		onResolve({ filter: /\/inline-files\.js$/ }, () => ({
			path,
			external: true,
			sideEffects: true,
		}));
	},
});

/**
 * Finds the form of `vscode-jsonrpc` for browsers, also in a bundle for Node: it runs in both. The
 * package exports it to bundles for browsers alone.
 *
 * @type {import("esbuild").Plugin}
 */
const JSONRPC_EVERYWHERE = {
	name: "jsonrpc-everywhere",
	setup({ onResolve }) {
		const path = inRoot("node_modules/vscode-jsonrpc/lib/browser/main.js");
		onResolve({ filter: /^vscode-jsonrpc\/browser$/ }, () => ({ path }));
	},
};

/**
 * Bundles the sources into `pkg/dist`:
 *
 * - the entries as ES modules, which share their code, and as CommonJS;
 * - the command line as CommonJS, which Node loads faster;
 * - the MCP server, the language server and the viewer, which the command line loads on demand.
 *
 * @param {string} version
 * @returns {Promise<string[]>} the files that all of it was bundled from, relative to the checkout
 */
export async function bundle(version) {
	/** @type {import("esbuild").BuildOptions} */
	const common = {
		bundle: true,
		platform: "node",
		target: TARGET,
		charset: "utf8",
		legalComments: "none",
		logLevel: "warning",
		define: { __RAGNAV_VERSION__: JSON.stringify(version) },
	};
	/** @type {import("esbuild").BuildOptions} */
	const cjs = { ...common, format: "cjs", outdir: join(pkg, "dist", "cjs") };
	const urlOf = (/** @type {string} */ url) => ({
		...common.define,
		"import.meta.url": url,
	});
	/** @type {import("esbuild").BuildOptions} */
	const cjsForNode = {
		...cjs,
		banner: { js: CJS_URL_HEAD },
		define: urlOf("__moduleUrl"),
	};

	const [modules, , , , cli, servers, page] = await Promise.all([
		build({
			...common,
			entryPoints: sources(Object.keys(ENTRIES)),
			outdir: join(pkg, "dist", "esm"),
			format: "esm",
			splitting: true,
			plugins: [JSONRPC_EVERYWHERE, inlineFilesAt(INLINE_FILES)],
			metafile: true,
			absWorkingDir: root,
		}),
		build({
			...cjsForNode,
			entryPoints: sources(["node", "agent-node", "extract-node-worker"]),
		}),
		build({
			...cjsForNode,
			entryPoints: sources(["lsp-node"]),
			plugins: [JSONRPC_EVERYWHERE],
			// The packages of the protocol are larger than all of the server.
			minify: true,
		}),
		build({
			...cjs,
			entryPoints: sources([
				"slim",
				"inline",
				"embed-static",
				"hosts/node",
				"hosts/memory",
				"hosts/vscode",
				"hosts/conformance",
				"hosts/fetch",
				"hosts/zip",
			]),
			define: urlOf("undefined"),
			plugins: [inlineFilesAt("./inline-files.js")],
		}),
		build({
			...cjsForNode,
			entryPoints: [
				{ out: "cli", in: join(CLI, "main.ts") },
				{ out: "cli-program", in: join(CLI, "program.ts") },
			],
			alias: ALIAS,
			plugins: [LOADED_ON_DEMAND],
			minify: true,
			metafile: true,
			absWorkingDir: root,
		}),
		build({
			...common,
			entryPoints: [
				{ out: "mcp", in: inRoot("js", "apps", "mcp", "serve.ts") },
				{ out: "lsp", in: inRoot("js", "apps", "lsp", "stdio.ts") },
				{
					out: "viewer",
					in: inRoot("js", "apps", "viewer", "server", "serve.ts"),
				},
			],
			outdir: join(pkg, "dist", "esm"),
			chunkNames: "server-[hash]",
			alias: ALIAS,
			format: "esm",
			splitting: true,
			minify: true,
			banner: { js: SERVER_HEAD },
			metafile: true,
			absWorkingDir: root,
		}),
		bundleViewer(common),
	]);
	for (const name of FOR_BROWSERS)
		checkForBrowsers(name, modules.metafile?.outputs ?? {});
	return [modules, cli, servers, page].flatMap(({ metafile }) =>
		Object.keys(metafile?.inputs ?? {}),
	);
}

/**
 * Bundles the page of `ragnav viewer`. It loads nothing from other servers, and no module of Node.
 *
 * @param {import("esbuild").BuildOptions} common
 */
function bundleViewer(common) {
	const viewer = (/** @type {string} */ name) =>
		inRoot("js", "apps", "viewer", "page", name);
	return build({
		...common,
		platform: "browser",
		target: "es2022",
		entryPoints: [
			{ out: "app", in: viewer("main.tsx") },
			{ out: "worker", in: viewer("worker.ts") },
			{
				out: "extract-web-worker",
				in: inRoot("js", ENTRIES["extract-web-worker"] ?? ""),
			},
			{ out: "style", in: viewer("style.css") },
			{ out: "index", in: viewer("index.html") },
		],
		loader: { ".html": "copy" },
		outdir: join(pkg, "dist", "viewer"),
		chunkNames: "shared-[hash]",
		format: "esm",
		splitting: true,
		minify: true,
		jsx: "automatic",
		jsxImportSource: "preact",
		metafile: true,
		absWorkingDir: root,
	});
}

/**
 * Runs esbuild, which prints errors itself.
 *
 * @param {import("esbuild").BuildOptions} options
 */
async function build(options) {
	const esbuild = await import("esbuild");
	try {
		return await esbuild.build(options);
	} catch {
		throw new Problem("The JavaScript sources do not bundle: see above.");
	}
}

/** @param {string[]} names */
function sources(names) {
	return names.map((out) => ({ out, in: inRoot("js", ENTRIES[out] ?? out) }));
}

/**
 * Checks that no output file for browsers imports a module of Node, directly or through others.
 *
 * @param {string} name
 * @param {import("esbuild").Metafile["outputs"]} outputs
 */
function checkForBrowsers(name, outputs) {
	const seen = new Set([
		relative(root, join(pkg, "dist", "esm", `${name}.js`)).replaceAll(
			"\\",
			"/",
		),
	]);
	for (const file of seen) {
		const output = outputs[file];
		if (!output)
			throw new Problem(`${file} is missing from what esbuild wrote.`);
		for (const { path, external } of output.imports) {
			if (path === INLINE_FILES) continue;
			if (external)
				throw new Problem(
					`${name}.js must run in a browser, but ${file} imports ${path}.`,
				);
			seen.add(path);
		}
	}
}
