import { setLoader } from "../core/wasm-module.js";
import { nodeLoader } from "./load-node.js";

const core = new URL("../../core.wasm", import.meta.url);

setLoader(nodeLoader(core, new URL("languages/", core)));
