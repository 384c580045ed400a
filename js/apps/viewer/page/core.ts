import { setLoader } from "../../../core/wasm-module.js";
import { webLoader } from "../../../entries/load-web.js";

// The server has the core and the grammars beside the page.
const url = new URL("./core.wasm", import.meta.url);

setLoader(
	webLoader(
		() => url,
		(file) => new URL(`languages/${file}`, url),
	),
);
