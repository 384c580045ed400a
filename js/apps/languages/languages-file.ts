import { messageOf, RagnavError } from "../../core/errors.js";
import type { LanguagePlugin } from "../../core/language-plugins.js";

/** The keys of a language in the file. */
const KEYS = ["name", "extensions", "wasm", "tags", "locals"] as const;

type Entry = Partial<Record<(typeof KEYS)[number], unknown>>;

/** A language of the file, with the paths of its files as they are written there. */
export interface LanguageEntry
	extends Pick<LanguagePlugin, "name" | "extensions"> {
	wasm: string;
	tags: string;
	locals: string | null;
}

/** A language whose files have been read. */
export interface ReadLanguage extends LanguagePlugin {
	wasm: Uint8Array<ArrayBuffer>;
}

/**
 * Returns the languages that a file of languages names.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for a text that is no such file; `file` names it.
 */
export function parseLanguagesFile(
	text: string,
	file: string,
): LanguageEntry[] {
	let parsed: { languages?: unknown } | null;
	try {
		parsed = JSON.parse(text);
	} catch (thrown) {
		throw unusable(file, `it is no JSON (${messageOf(thrown)})`);
	}
	if (!Array.isArray(parsed?.languages)) {
		throw unusable(file, 'it must be {"languages": […]}');
	}
	return parsed.languages.map((entry, at) => entryOf(entry, at, file));
}

function entryOf(entry: unknown, at: number, file: string): LanguageEntry {
	if (typeof entry !== "object" || entry === null) {
		throw unusable(file, `languages[${at}] must be an object`);
	}
	const unknown = Object.keys(entry).find((key) => !isKey(key));
	if (unknown !== undefined) {
		const known = KEYS.join(", ");
		throw unusable(
			file,
			`languages[${at}] has no ${unknown}, but only ${known}`,
		);
	}
	const { name, extensions, wasm, tags, locals } = entry as Entry;
	const path = (key: string, value: unknown) => {
		if (typeof value === "string" && value !== "") return value;
		throw unusable(file, `languages[${at}].${key} must be the path of a file`);
	};
	const isAbsent = locals === undefined || locals === null;
	return {
		// `open` checks these.
		name: name as string,
		extensions: extensions as string[],
		wasm: path("wasm", wasm),
		tags: path("tags", tags),
		locals: isAbsent ? null : path("locals", locals),
	};
}

function isKey(key: string): boolean {
	return KEYS.some((known) => known === key);
}

/** Returns the error for a file of languages that cannot be used. */
export function unusable(file: string, reason: string): RagnavError {
	const message = `the languages of ${file} cannot be used: ${reason}; correct the file or name another one`;
	return new RagnavError("INVALID_ARGUMENT", message);
}
