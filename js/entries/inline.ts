import { missingGrammar } from "../core/grammars.js";
import { unpacked } from "../core/unpack.js";
import { setLoader } from "../core/wasm-module.js";
import packed from "../generated/core.wasm.gz";
import javascript from "../generated/tree-sitter-javascript.wasm.gz";
import python from "../generated/tree-sitter-python.wasm.gz";
import tsx from "../generated/tree-sitter-tsx.wasm.gz";
import typescript from "../generated/tree-sitter-typescript.wasm.gz";

/** The grammars in this file. `init` takes others. */
const GRAMMARS: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
	"tree-sitter-javascript.wasm.gz": javascript,
	"tree-sitter-python.wasm.gz": python,
	"tree-sitter-tsx.wasm.gz": tsx,
	"tree-sitter-typescript.wasm.gz": typescript,
};

// The compressed core is part of the bundle. A single file cannot start workers.
setLoader({
	async: async () => WebAssembly.compile(await unpacked(packed)),
	grammars: {
		async: (file) => {
			const grammar = GRAMMARS[file];
			if (grammar !== undefined) return grammar;
			const reason =
				"ragnav/inline does not hold it; pass `grammars` to `init`";
			throw missingGrammar(file, reason);
		},
	},
});

export * from "../core/api.js";
