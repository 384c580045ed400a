import type { Hover, HoverParams } from "vscode-languageserver";
import type { Definition } from "../../../../core/api.js";
import type { CallOptions } from "../../../../core/driver.js";
import { countWords } from "../../../../core/plain-words.js";
import { docstringOf } from "../docstring.js";
import { aboutName } from "../failures.js";
import type { Feature } from "../feature.js";
import type { FilesOfRequest } from "../files-of-request.js";
import { freshnessLine } from "../freshness.js";
import { askedName, type Session } from "../session.js";
import { signatureOf } from "../signature.js";

/** The definitions that are shown; more are counted. */
const MAX_SHOWN = 3;

/** Shows the signature and the documentation of a name, and how fresh they are. */
export const HOVER: Feature = {
	capabilities: () => ({ hoverProvider: { workDoneProgress: true } }),
	register: ({ connection, handler }) => {
		connection.onHover(handler("Finding the definition", describeName));
	},
};

async function describeName(
	session: Session,
	params: HoverParams,
	call: CallOptions,
): Promise<Hover | null> {
	const asked = await askedName(session, params, call);
	if (asked === undefined) return null;
	const { repository, files, place, range } = asked;
	const answer = aboutName(await repository.nav.definition(place, call));
	if (answer === undefined || answer.items.length === 0) return null;
	const shown = answer.items.slice(0, MAX_SHOWN);
	const more = answer.items.length - shown.length;
	const parts = [
		...(await Promise.all(shown.map((item) => describe(files, item)))),
		...(more > 0 ? [`and ${countWords(more, "more definition")}`] : []),
		`_${escaped(freshnessLine(answer.meta))}_`,
	];
	const value = parts.join("\n\n");
	return { contents: { kind: "markdown", value }, range };
}

async function describe(
	files: FilesOfRequest,
	definition: Definition,
): Promise<string> {
	const lines = await files.lines(definition.file);
	const code = signatureOf(lines, definition);
	const documentation = docstringOf(lines, definition);
	const fence = fenceAround(code);
	const block = `${fence}${languageOf(definition.file)}\n${code}\n${fence}`;
	return documentation === "" ? block : `${block}\n\n${documentation}`;
}

/** Code may have fences of its own, in comments and texts. */
function fenceAround(code: string): string {
	const longest = [...code.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length);
	return "`".repeat(Math.max(2, ...longest) + 1);
}

/** Editors know the extensions of files as names of languages. */
function languageOf(file: string): string {
	return /\.(\w+)$/.exec(file)?.[1] ?? "";
}

/** A name in the message, such as `__init__`, is no emphasis. */
function escaped(text: string): string {
	return text.replace(/[\\*_<>[\]]/g, "\\$&");
}
