import { messageOf, RagnavError } from "../core/errors.js";
import { setDefaultLoader } from "../core/wasm-module.js";
import { GRAMMAR_URLS } from "./grammar-urls.js";
import { webLoader } from "./load-web.js";

// Bundlers recognise an asset by exactly this expression. A script that is no module has no URL, so
// nothing asks for one before it is needed.
const core = () => new URL("../../core.wasm", import.meta.url);

const loader = webLoader(core, (file) => GRAMMAR_URLS[file]?.());

setDefaultLoader({ ...loader, async: () => loader.async().catch(explain) });

/** Bundlers that copy no assets, such as esbuild, leave a script without its core. */
function explain(thrown: unknown): never {
	throw new RagnavError(
		"NOT_INITIALISED",
		`core.wasm cannot be loaded: ${messageOf(thrown)}; if your bundler does not copy it, ` +
			"import `ragnav/inline`, which contains it, or `ragnav/slim` and pass its bytes to `init`",
	);
}

export * from "../core/api.js";
