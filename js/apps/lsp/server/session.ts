import type {
	ClientCapabilities,
	Position,
	Range,
	TextDocumentPositionParams,
} from "vscode-languageserver";
import type { CallOptions } from "../../../core/driver.js";
import type { Documents } from "./documents.js";
import { invalidParams } from "./failures.js";
import { FilesOfRequest, placeText } from "./files-of-request.js";
import type { Settings } from "./settings.js";
import type { TextLines } from "./text-lines.js";
import type { RepositoryFile, Workspace } from "./workspace.js";

/** What every feature answers from. */
export interface Session {
	documents: Documents;
	workspace: Workspace;
	settings: Settings;
	client: ClientCapabilities;
}

/** A position of a request, in its file. */
export interface AskedPosition extends RepositoryFile {
	files: FilesOfRequest;
	lines: TextLines;
}

/** The name at a position of a request. */
export interface AskedName extends AskedPosition {
	range: Range;
	/** The place of the name, as queries take it. */
	place: string;
}

/**
 * Opens the file of a request about a document.
 *
 * @throws ResponseError if it is in no folder, or cannot be read
 */
export async function askedFile(
	{ workspace }: Session,
	uri: string,
	call: CallOptions,
): Promise<AskedPosition> {
	const { repository, path } = await workspace.file(uri);
	const lines = await repository.lines(path);
	const files = new FilesOfRequest(repository, call);
	return { repository, path, files, lines };
}

/**
 * Returns the name at the position of a request; `undefined` if there is none.
 *
 * @throws ResponseError if the position lies outside of the document
 */
export async function askedName(
	session: Session,
	{ textDocument, position }: TextDocumentPositionParams,
	call: CallOptions,
): Promise<AskedName | undefined> {
	const asked = await askedFile(session, textDocument.uri, call);
	checkPosition(asked, position);
	const range = asked.lines.nameAt(position);
	if (range === undefined) return undefined;
	return { ...asked, range, place: placeText(asked.path, range) };
}

/** Checks a position. A column after the end of its line means its end, as the protocol says. */
export function checkPosition(
	{ path, lines }: AskedPosition,
	{ line, character }: Position,
): void {
	const isCounted = [line, character].every(
		(value) => Number.isInteger(value) && value >= 0,
	);
	if (isCounted && line < lines.count) return;
	throw invalidParams(
		`${path} has ${lines.count} lines, so ${line}:${character} is no position in it`,
	);
}
