import "./inline-files.js";
import { missingGrammar } from "../core/grammars.js";
import { unpacked } from "../core/unpack.js";
import { setLoader } from "../core/wasm-module.js";

declare const __RAGNAV_VERSION__: string;

/** The compressed core and grammars in base64, by the name of the file. `init` takes others. */
const FILES: ReadonlyMap<string, string> = Reflect.get(
	globalThis,
	Symbol.for(`ragnav/inline ${__RAGNAV_VERSION__}`),
);

// The compressed core is part of the bundle. A single file cannot start workers.
setLoader({
	async: async () => {
		const core = bytesOf("core.wasm.gz");
		if (core === undefined) throw new Error("inline-files.js lacks the core");
		return WebAssembly.compile(await unpacked(core));
	},
	grammars: {
		async: async (file) => {
			const grammar = bytesOf(file);
			if (grammar !== undefined) return grammar;
			const reason =
				"ragnav/inline does not hold it; pass `grammars` to `init`";
			throw missingGrammar(file, reason);
		},
	},
});

function bytesOf(file: string): Uint8Array<ArrayBuffer> | undefined {
	const text = FILES.get(file);
	if (text === undefined) return undefined;
	const binary = atob(text);
	const bytes = new Uint8Array(binary.length);
	for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
	return bytes;
}

export * from "../core/api.js";
