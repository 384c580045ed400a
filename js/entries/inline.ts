import { missingGrammar } from "../core/grammars.js";
import { setLoader } from "../core/wasm-module.js";
import packed from "../generated/core.wasm.gz";
import javascript from "../generated/tree-sitter-javascript.wasm.gz";
import python from "../generated/tree-sitter-python.wasm.gz";
import tsx from "../generated/tree-sitter-tsx.wasm.gz";
import typescript from "../generated/tree-sitter-typescript.wasm.gz";

/** The grammars in this file. `init` takes others. */
const GRAMMARS: Readonly<Record<string, Uint8Array>> = {
	"tree-sitter-javascript.wasm": javascript,
	"tree-sitter-python.wasm": python,
	"tree-sitter-tsx.wasm": tsx,
	"tree-sitter-typescript.wasm": typescript,
};

// The compressed core is part of the bundle. A single file cannot start workers.
setLoader({
	async: async () => WebAssembly.compile(await unpack(packed)),
	grammars: {
		async: (file) => {
			const grammar = GRAMMARS[file];
			if (grammar !== undefined) return unpack(grammar);
			const reason =
				"ragnav/inline does not hold it; pass `grammars` to `init`";
			throw missingGrammar(file, reason);
		},
	},
});

function unpack(bytes: Uint8Array): Promise<ArrayBuffer> {
	const unpacked = new Blob([bytes as BlobPart])
		.stream()
		.pipeThrough(new DecompressionStream("gzip"));
	return new Response(unpacked).arrayBuffer();
}

export * from "../core/api.js";
