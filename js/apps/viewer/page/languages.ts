import type { Extension } from "@codemirror/state";
import { Lazy } from "./lazy.js";

/** Returns a language that loads with its first file; if that fails, the source has no colours. */
function lazyLanguage(load: () => Promise<Extension>): Lazy<Extension> {
	return new Lazy(() => load().catch(() => []));
}

const javascript = (config: { jsx?: boolean; typescript?: boolean }) =>
	lazyLanguage(async () =>
		(await import("@codemirror/lang-javascript")).javascript(config),
	);

const PYTHON = lazyLanguage(async () =>
	(await import("@codemirror/lang-python")).python(),
);
const JAVASCRIPT = javascript({ jsx: true });
const TYPESCRIPT = javascript({ typescript: true });

const BY_ENDING: Record<string, Lazy<Extension>> = {
	py: PYTHON,
	pyi: PYTHON,
	js: JAVASCRIPT,
	jsx: JAVASCRIPT,
	mjs: JAVASCRIPT,
	cjs: JAVASCRIPT,
	ts: TYPESCRIPT,
	mts: TYPESCRIPT,
	cts: TYPESCRIPT,
	tsx: javascript({ typescript: true, jsx: true }),
	md: lazyLanguage(async () =>
		(await import("@codemirror/lang-markdown")).markdown(),
	),
	json: lazyLanguage(async () =>
		(await import("@codemirror/lang-json")).json(),
	),
	html: lazyLanguage(async () =>
		(await import("@codemirror/lang-html")).html(),
	),
	css: lazyLanguage(async () => (await import("@codemirror/lang-css")).css()),
	rs: lazyLanguage(async () => (await import("@codemirror/lang-rust")).rust()),
};

const NONE: Extension = [];

/** Returns the syntax colours of a file, none for an unknown language; `null` while they load. */
export function languageOf(file: string): Extension | null {
	const ending = file.slice(file.lastIndexOf(".") + 1).toLowerCase();
	if (!Object.hasOwn(BY_ENDING, ending)) return NONE;
	return BY_ENDING[ending]?.value ?? null;
}
