import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setLoader } from "../wasm-module.js";
import { nodeHelpers } from "../workers/node-helper.js";

const file = new URL("../../core.wasm", import.meta.url);

setLoader({
	sync: () => new WebAssembly.Module(readFileSync(file)),
	async: async () => WebAssembly.compile(await readFile(file)),
	helpers: nodeHelpers,
});

export * from "../api.js";
