import type {
	ExecuteCommandParams,
	Location,
	TextDocumentPositionParams,
} from "vscode-languageserver";
import type { CallOptions } from "../../../../core/driver.js";
import { describeCompilerIndex } from "../../../../core/scip/describe-index.js";
import { aboutName, invalidParams, succeeded } from "../failures.js";
import type { Feature } from "../feature.js";
import { freshnessLine } from "../freshness.js";
import { allReferences } from "../pages.js";
import { fromEach, requestedName, type Session } from "../session.js";

type Command = (
	session: Session,
	given: unknown,
	call: CallOptions,
) => Promise<unknown>;

/** What the commands do, by their names. */
const COMMANDS: Readonly<Record<string, Command>> = {
	"ragnav.candidates": findCandidates,
	"ragnav.status": describeStatus,
	"ragnav.buildIndex": buildIndexes,
};

/** Runs commands that the protocol has no request for. */
export const EXECUTE_COMMAND: Feature = {
	capabilities: () => ({
		executeCommandProvider: {
			commands: Object.keys(COMMANDS),
			workDoneProgress: true,
		},
	}),
	register: ({ connection, handler }) => {
		connection.onExecuteCommand(handler("ragnav", runCommand));
	},
};

async function runCommand(
	session: Session,
	{ command, arguments: given }: ExecuteCommandParams,
	call: CallOptions,
): Promise<unknown> {
	const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
	if (run !== undefined) return run(session, given?.[0], call);
	const known = Object.keys(COMMANDS).join(", ");
	throw invalidParams(`there is no command ${command}; there are ${known}`);
}

/** Lists the references that only share the name, which the list of references leaves out. */
async function findCandidates(
	session: Session,
	given: unknown,
	call: CallOptions,
): Promise<Location[]> {
	if (!isPosition(given)) {
		throw invalidParams(
			"ragnav.candidates takes { textDocument: { uri }, position }",
		);
	}
	const asked = await requestedName(session, given, call);
	if (asked === undefined) return [];
	const { repository, files, place } = asked;
	const { answer, rows } = await allReferences(repository, place, "all", call);
	if (aboutName(answer) === undefined) return [];
	return rows
		.filter(({ resolution }) => resolution === "candidate")
		.map((row) => files.rowLocation(row));
}

function isPosition(given: unknown): given is TextDocumentPositionParams {
	const { textDocument, position } = (given ??
		{}) as Partial<TextDocumentPositionParams>;
	return (
		typeof textDocument?.uri === "string" &&
		typeof position?.line === "number" &&
		typeof position.character === "number"
	);
}

/** Says of each folder how fresh its answers are, and which indexes of compilers they rest on. */
function describeStatus(
	session: Session,
	_: unknown,
	call: CallOptions,
): Promise<string[]> {
	return fromEach(session, async ({ nav }) => {
		const { meta, compiler_indexes } = succeeded(await nav.status(call));
		const indexes = compiler_indexes.map(describeCompilerIndex);
		return [freshnessLine(meta), ...indexes].join("\n");
	});
}

/** Builds the index of each folder, so that answers about large repositories come sooner. */
function buildIndexes(
	session: Session,
	_: unknown,
	call: CallOptions,
): Promise<string[]> {
	return fromEach(session, async ({ nav }) =>
		freshnessLine(succeeded(await nav.buildGraph(call)).meta),
	);
}
