import { setLoader } from "../core/wasm-module.js";
import packed from "../generated/core.wasm.gz";

/** For one file that holds everything: the core is in it, packed, and builds have no workers. */
setLoader({
	async async() {
		const unpacked = new Blob([packed as BlobPart])
			.stream()
			.pipeThrough(new DecompressionStream("gzip"));
		return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
	},
});

export * from "../core/api.js";
