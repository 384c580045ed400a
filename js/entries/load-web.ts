import { fetchGrammar, missingGrammar } from "../core/grammars.js";
import type { Loader } from "../core/wasm-module.js";
import { webHelpers } from "../core/workers/web/helper.js";

/**
 * Returns a loader of a core over HTTP.
 *
 * @param grammarUrl returns the URL of a grammar's file
 */
export function webLoader(
	url: URL,
	grammarUrl: (file: string) => URL | undefined,
): Loader {
	return {
		async: async () => {
			const response = await fetch(url);
			if (!response.ok) {
				const name = url.pathname.split("/").at(-1);
				throw new Error(
					`${name} cannot be loaded: ${response.status} ${response.statusText}`,
				);
			}
			// Streaming needs this media type, which some static servers do not send.
			return response.headers.get("content-type") === "application/wasm"
				? WebAssembly.compileStreaming(response)
				: WebAssembly.compile(await response.arrayBuffer());
		},
		helpers: webHelpers,
		grammars: {
			async: (file) => {
				const found = grammarUrl(file);
				if (found !== undefined) return fetchGrammar(found, file);
				throw missingGrammar(file, "ragnav has no such grammar");
			},
		},
	};
}
