import { css } from "@codemirror/lang-css";
import { html } from "@codemirror/lang-html";
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import { python } from "@codemirror/lang-python";
import { rust } from "@codemirror/lang-rust";
import type { Extension } from "@codemirror/state";

const BY_ENDING: Record<string, () => Extension> = {
	py: python,
	pyi: python,
	js: () => javascript({ jsx: true }),
	jsx: () => javascript({ jsx: true }),
	mjs: () => javascript({ jsx: true }),
	cjs: () => javascript({ jsx: true }),
	ts: () => javascript({ typescript: true }),
	mts: () => javascript({ typescript: true }),
	cts: () => javascript({ typescript: true }),
	tsx: () => javascript({ typescript: true, jsx: true }),
	md: markdown,
	json,
	html,
	css,
	rs: rust,
};

/** What colours a file's syntax; none for files of other languages. */
export function languageOf(file: string): Extension {
	const ending = file.slice(file.lastIndexOf(".") + 1).toLowerCase();
	return Object.hasOwn(BY_ENDING, ending) ? (BY_ENDING[ending]?.() ?? []) : [];
}
