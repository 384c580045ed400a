import { setLoader } from "../core/wasm-module.js";
import { coreFile } from "./core-file-node.js";
import { nodeLoader } from "./load-node.js";

setLoader(nodeLoader(coreFile, new URL("languages/", coreFile)));
