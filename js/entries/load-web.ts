import { fetchGrammar, missingGrammar } from "../core/grammars.js";
import type { Loader } from "../core/wasm-module.js";
import { webHelpers } from "../core/workers/web/helper.js";

/**
 * Returns a loader of a core over HTTP.
 *
 * @param coreUrl returns the URL of the core
 * @param grammarUrl returns the URL of a grammar's file
 */
export function webLoader(
	coreUrl: () => URL,
	grammarUrl: (file: string) => URL | undefined,
): Loader {
	return {
		async: async () => {
			const url = coreUrl();
			const response = await fetch(url);
			if (!response.ok) {
				const { status, statusText } = response;
				throw new Error(`${url.href} answers ${status} ${statusText}`.trim());
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
