import { EXIT_OK } from "../exit-codes.js";
import { printLanguages } from "../print/languages.js";
import {
	addCommonOptions,
	newCommand,
	type RepositoryFlags,
	type Terminal,
} from "../terminal.js";

export function addLanguagesCommand(terminal: Terminal): void {
	const about =
		"Lists the known languages, their extensions, and how references are resolved.";
	const command = newCommand(terminal, "languages", about);
	addCommonOptions(command).action((flags: RepositoryFlags) =>
		terminal.answerAlone(flags, {
			ask: async (nav) => ({ items: nav.languages }),
			print: ({ items }, view) => printLanguages(items, view),
			exit: () => EXIT_OK,
			places: () => [],
		}),
	);
}
