import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** @param {string[]} parts */
export const inRoot = (...parts) => join(root, ...parts);

/** The generated sources in `js/`: the glue and the wasm file. */
export const generated = inRoot("js", "generated");

/** The grammars, each a WebAssembly file. */
export const grammars = inRoot("js", "generated-grammars");

/** The npm package, ready to pack. */
export const pkg = inRoot("pkg");

/** The editor extension, ready to pack. */
export const extension = inRoot("vscode");

/** The WebAssembly component. */
export const component = inRoot("component");

/**
 * The cache of tools, compiled dependencies and finished builds, shared by all checkouts.
 */
export const cache = process.env.RAGNAV_CACHE || join(userCache(), "ragnav");

/** @param {string[]} parts */
export const inCache = (...parts) => join(cache, ...parts);

function userCache() {
	if (process.platform === "win32") {
		return process.env.LOCALAPPDATA || join(homedir(), "AppData", "Local");
	}
	if (process.platform === "darwin")
		return join(homedir(), "Library", "Caches");
	return process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
}
