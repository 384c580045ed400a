import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the package keeps the page, and the core that it loads; relative to `dist/esm`. */
const APP = fileURLToPath(new URL("../viewer/", import.meta.url));
const CORE = fileURLToPath(new URL("../../core.wasm", import.meta.url));

const TYPES: Record<string, string> = {
	".css": "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
	".wasm": "application/wasm",
};

export interface AppFile {
	type: string;
	bytes: Buffer;
}

/** The page's own files by their names. */
export function appFiles(): Map<string, AppFile> {
	const files = new Map([["core.wasm", fileAt(CORE)]]);
	for (const name of readdirSync(APP)) files.set(name, fileAt(APP + name));
	return files;
}

function fileAt(path: string): AppFile {
	const type = TYPES[extname(path)] ?? "application/octet-stream";
	return { type, bytes: readFileSync(path) };
}
