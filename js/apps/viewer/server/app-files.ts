import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { ReadLanguage } from "../../languages/languages-file.js";

/** The folder of the page, and the core and the grammars that it loads; relative to `dist/esm`. */
const APP = fileURLToPath(new URL("../viewer/", import.meta.url));
const CORE = fileURLToPath(new URL("../../core.wasm", import.meta.url));
const LANGUAGES = fileURLToPath(new URL("../../languages/", import.meta.url));

const TYPES: Record<string, string> = {
	".css": "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".json": "application/json",
	".svg": "image/svg+xml",
	".wasm": "application/wasm",
};

/** The names that esbuild gives to shared chunks, with a hash of the content. */
const HASHED_NAME = /-[A-Z0-9]{8}\.js$/;

export interface AppFile {
	type: string;
	bytes: Buffer;
	/** The hash of the content, in quotes. */
	etag: string;
	/** Whether the content never changes, because the name has its hash. */
	isImmutable: boolean;
}

/** Returns the page's own files by name, with those of the further languages. */
export function appFiles(
	languages: readonly ReadLanguage[],
): Map<string, AppFile> {
	const files = new Map([["core.wasm", fileAt(CORE)]]);
	for (const name of readdirSync(LANGUAGES)) {
		files.set(`languages/${name}`, fileAt(LANGUAGES + name));
	}
	for (const name of readdirSync(APP)) files.set(name, fileAt(APP + name));
	addPlugins(files, languages);
	return files;
}

/** Adds the list of further languages, and their grammars beside it. */
function addPlugins(
	files: Map<string, AppFile>,
	languages: readonly ReadLanguage[],
): void {
	const listed = languages.map((language, at) => {
		const wasm = `${at}.wasm`;
		const grammar = appFile(wasm, Buffer.from(language.wasm));
		files.set(`plugins/${wasm}`, grammar);
		return { ...language, wasm };
	});
	const name = "plugins/plugins.json";
	files.set(name, appFile(name, Buffer.from(JSON.stringify(listed))));
}

const fileAt = (path: string) => appFile(path, readFileSync(path));

function appFile(name: string, bytes: Buffer): AppFile {
	const hash = createHash("sha256").update(bytes).digest("base64url");
	return {
		type: TYPES[extname(name)] ?? "application/octet-stream",
		bytes,
		etag: `"${hash}"`,
		isImmutable: HASHED_NAME.test(name),
	};
}
