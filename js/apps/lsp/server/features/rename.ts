import {
	LSPErrorCodes,
	type PrepareRenameParams,
	type Range,
	type RenameFile,
	type RenameParams,
	ResponseError,
	type TextDocumentEdit,
	type TextEdit,
	type WorkspaceEdit,
} from "vscode-languageserver";
import type { PlannedEdit, RenamePlanResult } from "../../../../core/api.js";
import type { CallOptions } from "../../../../core/driver.js";
import {
	aboutName,
	failure,
	invalidParams,
	succeeded,
	textChanged,
} from "../failures.js";
import type { Feature } from "../feature.js";
import { grouped } from "../grouped.js";
import type { Repository } from "../repository.js";
import { requestedName, type Session } from "../session.js";
import { rangeInLine } from "../text-lines.js";

/** Renames a symbol in all files, or says why it must not be. */
export const RENAME: Feature = {
	capabilities: ({ client }) => ({
		renameProvider: {
			workDoneProgress: true,
			// Other clients expect only `true`.
			...(client.textDocument?.rename?.prepareSupport && {
				prepareProvider: true,
			}),
		},
	}),
	register: ({ connection, handler }) => {
		connection.onPrepareRename(handler("Finding the symbol", prepare));
		connection.onRenameRequest(handler("Planning the rename", planRename));
	},
};

async function prepare(
	session: Session,
	params: PrepareRenameParams,
	call: CallOptions,
): Promise<{ range: Range; placeholder: string } | null> {
	const asked = await requestedName(session, params, call);
	if (asked === undefined) return null;
	const { repository, lines, place, range } = asked;
	const answer = aboutName(await repository.nav.definition(place, call));
	if (answer === undefined) return null;
	const { items, meta } = answer;
	if (items.length > 0) return { range, placeholder: lines.textIn(range) };
	throw failure("INVALID_ARGUMENT", meta.message ?? "nothing defines the name");
}

async function planRename(
	session: Session,
	{ newName, ...params }: RenameParams,
	call: CallOptions,
): Promise<WorkspaceEdit> {
	if (typeof newName !== "string")
		throw invalidParams("newName must be a text");
	const { documents, settings, client } = session;
	const asked = await requestedName(session, params, call);
	if (asked === undefined) throw invalidParams("no name stands there");
	const { edition } = documents;
	const { repository, place } = asked;
	const plan = succeeded(
		await repository.nav.renamePlan(place, newName, {
			candidates: settings.renameCandidates,
			...call,
		}),
	);
	const [refusal] = plan.refusals;
	if (refusal !== undefined) throw refused(refusal.message);
	// The versions of the documents must be those of the text that was planned for.
	if (documents.edition !== edition) throw textChanged();
	const { workspaceEdit } = client.workspace ?? {};
	return workspaceEdit?.documentChanges
		? versionedEdit(repository, plan, workspaceEdit.resourceOperations ?? [])
		: plainEdit(repository, plan);
}

/** Returns edits that an editor refuses if a document has another version by then. */
function versionedEdit(
	repository: Repository,
	plan: RenamePlanResult,
	operations: readonly string[],
): WorkspaceEdit {
	const moves = plan.files.flatMap(({ file, moves_to }): RenameFile[] =>
		moves_to === null
			? []
			: [
					{
						kind: "rename",
						oldUri: repository.uriOf(file),
						newUri: repository.uriOf(moves_to),
					},
				],
	);
	if (moves.length > 0 && !operations.includes("rename")) {
		throw refused(MOVES_FILE);
	}
	const edits = editsByFile(plan).map(
		([file, edits]): TextDocumentEdit => ({
			textDocument: {
				uri: repository.uriOf(file),
				version: repository.versionOf(file),
			},
			edits,
		}),
	);
	return { documentChanges: [...edits, ...moves] };
}

/** Returns edits for a client that knows no versions. */
function plainEdit(
	repository: Repository,
	plan: RenamePlanResult,
): WorkspaceEdit {
	const isMoved = plan.files.some(({ moves_to }) => moves_to !== null);
	if (isMoved) throw refused(MOVES_FILE);
	const edits = editsByFile(plan).map(
		([file, edits]) => [repository.uriOf(file), edits] as const,
	);
	return { changes: Object.fromEntries(edits) };
}

const MOVES_FILE =
	"The rename has to move a file, which this editor does not support; use `ragnav rename`.";

function editsByFile({ items }: RenamePlanResult): [string, TextEdit[]][] {
	const byFile = grouped(items, ({ file }) => file);
	return [...byFile].map(([file, edits]) => [file, edits.map(textEdit)]);
}

function textEdit(item: PlannedEdit): TextEdit {
	const { line, start_utf16, old_text, new_text } = item;
	const end = start_utf16 + old_text.length;
	return { range: rangeInLine(line - 1, start_utf16, end), newText: new_text };
}

function refused(message: string): ResponseError {
	return new ResponseError(LSPErrorCodes.RequestFailed, message);
}
