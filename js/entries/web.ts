import { setLoader } from "../core/wasm-module.js";
import { GRAMMAR_URLS } from "./grammar-urls.js";
import { webLoader } from "./load-web.js";

// Bundlers recognise an asset by exactly this expression.
const core = new URL("../../core.wasm", import.meta.url);

setLoader(webLoader(core, (file) => GRAMMAR_URLS[file]));

export * from "../core/api.js";
