import { setLoader } from "../core/wasm-module.js";
import { webLoader } from "./load-web.js";

// Bundlers know a file that goes with the program by this very form.
setLoader(webLoader(new URL("../../core.wasm", import.meta.url)));

export * from "../core/api.js";
