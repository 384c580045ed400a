/** The package with every language that it knows. */
import { setLoader } from "../core/wasm-module.js";
import { webLoader } from "./load-web.js";

// Bundlers know a file that goes with the program by this very form.
const url = new URL("../../full.wasm", import.meta.url);

setLoader({ ...webLoader(url), isFull: true });

export * from "../core/api.js";
