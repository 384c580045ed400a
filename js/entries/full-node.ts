/** The package with every language that it knows. */
import { setLoader } from "../wasm-module.js";
import { nodeLoader } from "./load-node.js";

const file = new URL("../../full.wasm", import.meta.url);

setLoader({ ...nodeLoader(file), isFull: true });

export * from "../api.js";
