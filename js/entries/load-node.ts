import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { messageOf } from "../core/errors.js";
import { fetchBytes, missingGrammar } from "../core/grammars.js";
import type { Loader } from "../core/wasm-module.js";
import { nodeHelpers } from "../core/workers/node/helper.js";

/**
 * Returns a loader of a core from a file.
 *
 * @param grammars the folder of the grammars
 */
export function nodeLoader(file: URL, grammars: URL): Loader {
	return {
		sync: () => new WebAssembly.Module(readFileSync(file)),
		async: async () => WebAssembly.compile(await readFile(file)),
		helpers: nodeHelpers,
		grammars: {
			sync: (name) => readGrammar(name, grammars),
			async: async (name) => readGrammar(name, grammars),
			url: (url) =>
				url.protocol === "file:" ? readFile(url) : fetchBytes(url),
		},
	};
}

function readGrammar(file: string, folder: URL): Buffer<ArrayBuffer> {
	try {
		return gunzipSync(readFileSync(new URL(file, folder)));
	} catch (thrown) {
		throw missingGrammar(file, messageOf(thrown));
	}
}
