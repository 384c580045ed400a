import { setLoader } from "../wasm-module.js";
import { webHelpers } from "../workers/web-helper.js";

setLoader({
	async: async () => {
		const response = await fetch(new URL("../../core.wasm", import.meta.url));
		if (!response.ok) {
			throw new Error(
				`core.wasm cannot be loaded: ${response.status} ${response.statusText}`,
			);
		}
		// Streaming needs the right media type, which not every static server gives.
		return response.headers.get("content-type") === "application/wasm"
			? WebAssembly.compileStreaming(response)
			: WebAssembly.compile(await response.arrayBuffer());
	},
	helpers: webHelpers,
});

export * from "../api.js";
