import type { Loader } from "../core/wasm-module.js";
import { webHelpers } from "../core/workers/web/helper.js";

/** Loads a core over the network. */
export function webLoader(url: URL): Loader {
	return {
		async: async () => {
			const response = await fetch(url);
			if (!response.ok) {
				const name = url.pathname.split("/").at(-1);
				throw new Error(
					`${name} cannot be loaded: ${response.status} ${response.statusText}`,
				);
			}
			// Streaming needs the right media type, which not every static server gives.
			return response.headers.get("content-type") === "application/wasm"
				? WebAssembly.compileStreaming(response)
				: WebAssembly.compile(await response.arrayBuffer());
		},
		helpers: webHelpers,
	};
}
