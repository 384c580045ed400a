/** The package with every language that it knows. */
import { setLoader } from "../core/wasm-module.js";
import { nodeLoader } from "./load-node.js";

const file = new URL("../../full.wasm", import.meta.url);

setLoader({ ...nodeLoader(file), isFull: true });

export * from "../core/api.js";
