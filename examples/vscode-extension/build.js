// Bundles the extension into one CommonJS file, and lays the core and the grammars beside it.
import { copyFileSync, cpSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";

await build({
	entryPoints: ["src/extension.js"],
	outfile: "dist/extension.cjs",
	bundle: true,
	// One bundle for desktop and web: it uses nothing that is only in Node.
	platform: "browser",
	format: "cjs",
	external: ["vscode"],
	define: { "import.meta.url": "undefined" },
	logLevel: "warning",
});
const { resolve } = createRequire(import.meta.url);
const core = resolve("ragnav/core.wasm");
copyFileSync(core, "dist/core.wasm");
cpSync(join(dirname(core), "languages"), "dist/languages", { recursive: true });
