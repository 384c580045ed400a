import type { LanguagePlugin } from "../../../core/language-plugins.js";

/** The URL of the list of languages that the user of the server named. */
const LIST = new URL("./plugins/plugins.json", import.meta.url);

/**
 * Returns the further languages of the server, whose grammars are read when they are opened.
 *
 * @throws Error if the server does not send them
 */
export async function furtherLanguages(): Promise<LanguagePlugin[]> {
	const response = await fetch(LIST);
	if (!response.ok) {
		throw new Error(`${LIST.href} cannot be fetched: ${response.status}`);
	}
	const listed: (LanguagePlugin & { wasm: string })[] = await response.json();
	return listed.map((language) => ({
		...language,
		wasm: new URL(language.wasm, LIST),
	}));
}
