import { setLoader } from "../../../core/wasm-module.js";
import { webHelpers } from "../../../core/workers/web/helper.js";

// The page has the core beside it, and not where the package has it.
setLoader({
	async: async () => {
		const response = await fetch(new URL("./core.wasm", import.meta.url));
		if (!response.ok) {
			throw new Error(`core.wasm cannot be loaded: ${response.status}`);
		}
		// Streaming needs the right media type, which not every static server gives.
		return response.headers.get("content-type") === "application/wasm"
			? WebAssembly.compileStreaming(response)
			: WebAssembly.compile(await response.arrayBuffer());
	},
	helpers: webHelpers,
});
