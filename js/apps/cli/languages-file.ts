import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Option } from "commander";
import { messageOf } from "../../core/errors.js";
import type { LanguagePlugin } from "../../core/language-plugins.js";
import { RagnavError } from "../../entries/node.js";

/** The keys of a language in the file. */
const KEYS = ["name", "extensions", "wasm", "tags", "locals"] as const;

type Entry = Partial<Record<(typeof KEYS)[number], unknown>>;

/** Returns the option that names a file of further languages. */
export function languagesOption(): Option {
	return new Option(
		"--languages <file>",
		"A JSON file of further languages (default: RAGNAV_LANGUAGES)",
	);
}

/**
 * Reads the further languages of a command: of the option, or else of the environment. Nothing in a
 * repository names them.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` if the file, or one that it names, cannot be read.
 */
export function languagesOf(flags: { languages?: string }): LanguagePlugin[] {
	const file = flags.languages ?? process.env.RAGNAV_LANGUAGES;
	if (file === undefined || file === "") return [];
	return entriesOf(file).map((entry, at) => languageOf(entry, at, file));
}

function entriesOf(file: string): unknown[] {
	const text = read(file, resolve(file)).toString("utf8");
	let parsed: { languages?: unknown } | null;
	try {
		parsed = JSON.parse(text);
	} catch (thrown) {
		throw invalid(file, `it is no JSON (${messageOf(thrown)})`);
	}
	if (!Array.isArray(parsed?.languages)) {
		throw invalid(file, 'it must be {"languages": […]}');
	}
	return parsed.languages;
}

function languageOf(entry: unknown, at: number, file: string): LanguagePlugin {
	if (typeof entry !== "object" || entry === null) {
		throw invalid(file, `languages[${at}] must be an object`);
	}
	const unknown = Object.keys(entry).find((key) => !isKey(key));
	if (unknown !== undefined) {
		const known = KEYS.join(", ");
		throw invalid(
			file,
			`languages[${at}] has no ${unknown}, but only ${known}`,
		);
	}
	const { name, extensions, wasm, tags, locals } = entry as Entry;
	const readEntry = (key: string, value: unknown) => {
		if (typeof value !== "string" || value === "") {
			throw invalid(file, `languages[${at}].${key} must be the path of a file`);
		}
		return read(file, resolve(dirname(file), value));
	};
	const isAbsent = locals === undefined || locals === null;
	return {
		name: name as string,
		extensions: extensions as string[],
		wasm: readEntry("wasm", wasm),
		tags: readEntry("tags", tags).toString("utf8"),
		locals: isAbsent ? null : readEntry("locals", locals).toString("utf8"),
	};
}

function isKey(key: string): boolean {
	return KEYS.some((known) => known === key);
}

function read(file: string, path: string): Buffer<ArrayBuffer> {
	try {
		return readFileSync(path);
	} catch (thrown) {
		throw invalid(file, messageOf(thrown));
	}
}

function invalid(file: string, reason: string): RagnavError {
	const message = `the languages of ${file} cannot be used: ${reason}; correct the file or name another one`;
	return new RagnavError("INVALID_ARGUMENT", message);
}
