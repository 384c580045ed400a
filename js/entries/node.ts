import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setLoader } from "../wasm-module.js";

const file = new URL("../../core.wasm", import.meta.url);

setLoader({
	sync: () => new WebAssembly.Module(readFileSync(file)),
	async: async () => WebAssembly.compile(await readFile(file)),
});

export * from "../api.js";
