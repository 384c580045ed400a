import type { Hover, HoverParams, MarkupContent } from "vscode-languageserver";
import type { Definition } from "../../../../core/api.js";
import { countWords } from "../../../../core/counts.js";
import type { CallOptions } from "../../../../core/driver.js";
import { describeCondition } from "../../../../core/plain-words.js";
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
	const text: HoverText = {
		definitions: await Promise.all(shown.map((item) => describe(files, item))),
		more: more > 0 ? `and ${countWords(more, "more definition")}` : "",
		freshness: freshnessLine(answer.meta),
	};
	const formats = session.client.textDocument?.hover?.contentFormat;
	const isPlain = formats !== undefined && !formats.includes("markdown");
	const contents: MarkupContent = isPlain
		? { kind: "plaintext", value: joined(plainParts(text)) }
		: { kind: "markdown", value: joined(markdownParts(text)) };
	return { contents, range };
}

/** What a hover says. */
interface HoverText {
	definitions: DefinitionText[];
	more: string;
	freshness: string;
}

interface DefinitionText {
	code: string;
	/** The extension of the file, which editors know as the name of its language. */
	language: string;
	documentation: string;
	/** What must hold for it to be compiled; "" if it always is. */
	condition: string;
}

async function describe(
	files: FilesOfRequest,
	definition: Definition,
): Promise<DefinitionText> {
	const lines = await files.lines(definition.file);
	const { name } = await files.place(definition);
	return {
		code: signatureOf(lines, definition, name.start.line + 1),
		language: /\.(\w+)$/.exec(definition.file)?.[1] ?? "",
		documentation: docstringOf(lines, definition),
		condition: describeCondition(definition),
	};
}

function joined(parts: readonly string[]): string {
	return parts.filter((part) => part !== "").join("\n\n");
}

function plainParts({ definitions, more, freshness }: HoverText): string[] {
	const described = definitions.flatMap(
		({ code, condition, documentation }) => [code, condition, documentation],
	);
	return [...described, more, freshness];
}

function markdownParts({ definitions, more, freshness }: HoverText): string[] {
	const described = definitions.flatMap((definition) => {
		const { code, language, condition, documentation } = definition;
		const fence = fenceAround(code);
		const block = `${fence}${language}\n${code}\n${fence}`;
		return [block, escaped(condition), documentation];
	});
	return [...described, more, `_${escaped(freshness)}_`];
}

/** Code may have fences of its own, in comments and texts. */
function fenceAround(code: string): string {
	const longest = [...code.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length);
	return "`".repeat(Math.max(2, ...longest) + 1);
}

/** A name in the message, such as `__init__`, is no emphasis. */
function escaped(text: string): string {
	return text.replace(/[\\*_<>[\]]/g, "\\$&");
}
