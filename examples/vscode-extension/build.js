// Bundles the extension into one CommonJS file, and lays the core beside it.
import { copyFileSync } from "node:fs";
import { createRequire } from "node:module";
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
copyFileSync(resolve("ragnav/core.wasm"), "dist/core.wasm");
