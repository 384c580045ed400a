import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Option } from "commander";
import { messageOf } from "../../core/errors.js";
import {
	parseLanguagesFile,
	type ReadLanguage,
	unusable,
} from "../languages/languages-file.js";

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
export function languagesOf(flags: { languages?: string }): ReadLanguage[] {
	const file = flags.languages ?? process.env.RAGNAV_LANGUAGES;
	if (file === undefined || file === "") return [];
	const readBeside = (path: string) => read(file, resolve(dirname(file), path));
	const text = read(file, resolve(file)).toString("utf8");
	return parseLanguagesFile(text, file).map((entry) => ({
		...entry,
		wasm: readBeside(entry.wasm),
		tags: readBeside(entry.tags).toString("utf8"),
		locals: entry.locals && readBeside(entry.locals).toString("utf8"),
	}));
}

function read(file: string, path: string): Buffer<ArrayBuffer> {
	try {
		return readFileSync(path);
	} catch (thrown) {
		throw unusable(file, messageOf(thrown));
	}
}
