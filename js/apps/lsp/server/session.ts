import type {
	ClientCapabilities,
	Position,
	Range,
	TextDocumentIdentifier,
	TextDocumentPositionParams,
} from "vscode-languageserver";
import type { CallOptions } from "../../../core/driver.js";
import type { Documents } from "./documents.js";
import { failureOf, invalidParams } from "./failures.js";
import { FilesOfRequest, placeText } from "./files-of-request.js";
import type { Repository } from "./repository.js";
import type { Settings } from "./settings.js";
import type { TextLines } from "./text-lines.js";
import type { RepositoryFile, Workspace } from "./workspace.js";

/** What every feature answers from. */
export interface Session {
	documents: Documents;
	workspace: Workspace;
	settings: Settings;
	client: ClientCapabilities;
	/** Shows a warning to the person. */
	warn(message: string): void;
}

/** The file of a request about a document. */
export interface AskedFile extends RepositoryFile {
	files: FilesOfRequest;
	lines: TextLines;
}

/** The name at a position of a request. */
export interface AskedName extends AskedFile {
	range: Range;
	/** The place of the name, as queries take it. */
	place: string;
}

/**
 * Returns what a function returns for each folder. If it fails for some of them, a warning names
 * these, and the others are not affected.
 *
 * @throws ResponseError if it fails for all of them
 */
export async function fromEach<Result>(
	{ workspace, warn }: Session,
	work: (repository: Repository) => Promise<Result>,
): Promise<Result[]> {
	const folders = workspace.all();
	const results: Result[] = [];
	const failures: { uri: string; thrown: unknown }[] = [];
	const working = folders.map(async (folder) => {
		try {
			return { result: await work(await folder.repository()) };
		} catch (thrown) {
			failures.push({ uri: folder.uri, thrown });
			return undefined;
		}
	});
	for (const done of await Promise.all(working)) {
		if (done !== undefined) results.push(done.result);
	}
	const [first] = failures;
	if (first !== undefined && failures.length === folders.length) {
		throw first.thrown;
	}
	for (const { uri, thrown } of failures) {
		warn(`The answer lacks the folder ${uri}: ${failureOf(thrown).message}`);
	}
	return results;
}

/**
 * Opens the file of a request about a document; gives `undefined` if it is in no folder, because
 * editors ask about such documents by themselves.
 *
 * @throws ResponseError if it cannot be read
 */
export async function askedFile(
	{ workspace }: Session,
	document: TextDocumentIdentifier,
	call: CallOptions,
): Promise<AskedFile | undefined> {
	const file = await workspace.file(uriOf(document));
	if (file === undefined) return undefined;
	const { repository, path } = file;
	const lines = await repository.lines(path);
	const files = new FilesOfRequest(repository, call);
	return { repository, path, files, lines };
}

/**
 * Returns the name at the position of a request; `undefined` if there is none that ragnav knows, or
 * the document is in no folder.
 *
 * @throws ResponseError if the position lies outside of the document
 */
export async function askedName(
	session: Session,
	{ textDocument, position }: TextDocumentPositionParams,
	call: CallOptions,
): Promise<AskedName | undefined> {
	const asked = await askedFile(session, textDocument, call);
	if (asked === undefined) return undefined;
	const range = asked.lines.nameAt(checkedPosition(asked, position));
	const { repository, path } = asked;
	if (range === undefined || !repository.knowsLanguageOf(path))
		return undefined;
	return { ...asked, range, place: placeText(asked.path, range) };
}

/**
 * The same for what a person asks for, and not an editor by itself.
 *
 * @throws ResponseError also if the document is in no folder
 */
export async function requestedName(
	session: Session,
	params: TextDocumentPositionParams,
	call: CallOptions,
): Promise<AskedName | undefined> {
	await session.workspace.requireFile(uriOf(params.textDocument));
	return askedName(session, params, call);
}

function uriOf(document: TextDocumentIdentifier): string {
	if (typeof document?.uri === "string") return document.uri;
	throw invalidParams("the request names no document");
}

/**
 * Returns a position within its line: a column after the end means the end, as the protocol says.
 *
 * @throws ResponseError for a position outside of the document
 */
export function checkedPosition(
	{ path, lines }: AskedFile,
	position: Position,
): Position {
	const { line, character } = position ?? {};
	const isCounted = [line, character].every(
		(value) => Number.isInteger(value) && value >= 0,
	);
	if (isCounted && line < lines.count) {
		return { line, character: Math.min(character, lines.line(line).length) };
	}
	throw invalidParams(
		`${path} has ${lines.count} lines, so ${line}:${character} is no position in it`,
	);
}
