import { Command, Option } from "commander";
import type { Navigator } from "../../core/navigator.js";
import {
	errorResult,
	type RagnavError,
	type RagResult,
	type StalePolicy,
} from "../../entries/node.js";
import { collectValues, parseNumber } from "./arguments.js";
import { addExamples } from "./examples.js";
import { EXIT_ERROR } from "./exit-codes.js";
import { languagesOf, languagesOption } from "./languages-file.js";
import { type LimitFlags, limitOptions, limitsOf } from "./limit-options.js";
import { note } from "./note.js";
import type { Printed } from "./print/queries.js";
import { failedRoots } from "./print/roots.js";
import {
	absolutePath,
	type Repositories,
	repositoriesOf,
	requirePath,
} from "./repositories.js";
import { scipFiles, scipOption } from "./scip-files.js";
import type { Closable, Questions } from "./serve/questions.js";
import type { ServedOptions } from "./serve/socket.js";
import {
	type ColorChoice,
	type Layout,
	newView,
	printableLines,
	type View,
} from "./view.js";

export type Format = "text" | "json" | "jsonl";

/** The options of every command about one repository. */
export interface RepositoryFlags extends LimitFlags {
	repo?: string[];
	format: Format;
	json?: boolean;
	color: ColorChoice;
	stalePolicy?: StalePolicy;
	workers?: number;
	languages?: string;
	/** `export` has one file of its own. */
	scip?: string[] | string;
}

/** The options that say how a failure is printed. */
type FormatFlags = Pick<RepositoryFlags, "format" | "json">;

/** The options of a command whose answer has rows with places. */
export interface RowFlags extends RepositoryFlags {
	vimgrep?: boolean;
	heading?: boolean;
	open?: true | number;
}

/** One answer of a command: where it comes from, and how it is shown. */
export interface Answering<T, Nav = Questions> {
	ask: (nav: Nav, repositories: Repositories) => Promise<T>;
	print: (answer: T, view: View) => Printed;
	exit: (answer: T) => number;
	/** The places of the rows in the order in which they are printed. Default: those of the items. */
	places?: (answer: T) => RowPlace[];
}

/** A place that `--open` opens. */
export interface RowPlace {
	file?: string | undefined;
	line: number;
	column?: number;
}

/** The program, and what its commands share. */
export interface Terminal {
	program: Command;
	/** Answers a command and prints the answer, which may come from `ragnav serve`. */
	answer<T extends object>(
		flags: RowFlags,
		answering: Answering<T>,
	): Promise<void>;
	/** The same for a command that needs a navigator in this process. */
	answerAlone<T extends object>(
		flags: RowFlags,
		answering: Answering<T, Navigator>,
	): Promise<void>;
	/** Does other work for a command, which returns the exit code. */
	run(flags: FormatFlags, work: () => Promise<number>): Promise<void>;
}

/** Returns a new command about one repository. */
export function newCommand(
	{ program }: Terminal,
	name: string,
	description: string,
): Command {
	const command = new Command(name)
		.description(description)
		.summary(summaryOf(description))
		.copyInheritedSettings(program)
		.exitOverride();
	addExamples(command);
	program.addCommand(command);
	return command;
}

/** Adds the options of every command about one repository, below those of its own. */
export function addCommonOptions(command: Command): Command {
	command
		.option(
			"--repo <dir>",
			"A repository, or name=dir; repeated for several at once (default: the one around the working folder)",
			collectValues,
		)
		.addOption(
			new Option("--format <format>", "How the answer is printed")
				.choices(["text", "json", "jsonl"])
				.default("text"),
		)
		.addOption(
			new Option("--json", "The same as --format json").conflicts("format"),
		)
		.addOption(
			new Option("--color <when>", "Whether text is coloured")
				.choices(["auto", "always", "never"])
				.default("auto"),
		);
	for (const option of [languagesOption(), ...limitOptions()]) {
		command.addOption(option);
	}
	// `export --scip` names the index that it writes.
	const hasOwn = command.options.some(({ long }) => long === "--scip");
	return hasOwn ? command : command.addOption(scipOption());
}

/** Adds the options of a command whose rows show lines of text. */
export function addLineOptions(command: Command): Command {
	return command
		.option("--vimgrep", "Print each row as path:line:column:text")
		.option("--heading", "Print rows below the name of their file")
		.option(
			"--no-heading",
			"Print the file with each row, as without a terminal",
		);
}

/** Adds the option of a command whose rows have places. */
export function addOpenOption(command: Command): Command {
	return command.option(
		"--open [row]",
		"Open a row, by default the first, in the editor",
		parseNumber,
	);
}

/** Adds the option that says what an answer may come from. */
export function addPolicyOption(command: Command): Command {
	return command.addOption(
		new Option(
			"--stale-policy <policy>",
			"What to answer from where the index is not proven",
		).choices(["merge", "live", "error", "allow"]),
	);
}

/** Answers one command, and returns the exit code. */
export async function answerOnce<T extends object, Nav extends Closable>(
	flags: RowFlags,
	{ ask, print, exit, places = itemPlaces }: Answering<T, Nav>,
	open: (repositories: Repositories, options: ServedOptions) => Promise<Nav>,
): Promise<number> {
	const repositories = repositoriesOf(flags);
	const nav = await open(repositories, {
		...limitsOf(flags),
		languages: languagesOf(flags),
		scip: scipOf(flags, repositories),
		stale_policy: flags.stalePolicy,
		workers: flags.workers,
	});
	const answer = await ask(nav, repositories).finally(() => nav.close());
	const format = formatOf(flags);
	if (format === "text") {
		const look = { color: flags.color, layout: layoutOf(flags) };
		const view = newView(repositories, look);
		const { rows, summary } = print(answer, view);
		printText({ rows, summary: [...summary, ...failedRoots(answer, view)] });
	} else {
		const isLines = format === "jsonl";
		write(isLines ? jsonLines(answer) : JSON.stringify(answer, null, 2));
	}
	if (flags.open !== undefined) {
		const row = flags.open === true ? 1 : flags.open;
		const isOpened = await openRow(repositories, places(answer), row);
		if (!isOpened) return EXIT_ERROR;
	}
	return exit(answer);
}

/** Returns the SCIP indexes of a command, by their paths from the root. */
export function scipOf({ scip }: RepositoryFlags, repositories: Repositories) {
	const named = typeof scip === "string" ? undefined : scip;
	return scipFiles({ scip: named }).map((file) =>
		requirePath(file, repositories),
	);
}

/** Returns the format that a command prints. */
export function formatOf({
	format,
	json,
}: Pick<RepositoryFlags, "format" | "json">): Format {
	return json === true ? "json" : format;
}

function layoutOf({ vimgrep, heading }: RowFlags): Layout {
	if (vimgrep === true) return "vimgrep";
	return (heading ?? process.stdout.isTTY) ? "grouped" : "lines";
}

/** Prints a failure outside of a query in the format of the command, and returns the exit code. */
export function printFailure(
	flags: FormatFlags,
	{ code, message }: RagnavError,
): number {
	const format = formatOf(flags);
	if (format === "text") {
		note(`${code}: ${printableLines(message)}`);
	} else {
		const failure = errorResult({ error_code: code, message });
		write(JSON.stringify(failure, null, format === "jsonl" ? 0 : 2));
	}
	return EXIT_ERROR;
}

/** Prints rows on standard output. Without a terminal, the summary goes to standard error. */
function printText({ rows, summary }: Printed): void {
	if (rows.length > 0) write(rows.join("\n"));
	if (summary.length === 0) return;
	const output = process.stdout.isTTY ? process.stdout : process.stderr;
	output.write(`${summary.join("\n")}\n`);
}

/** Returns each row on a line of its own, then a line with the rest of the answer. */
function jsonLines(answer: object): string {
	const { items = [], ...rest } = answer as Partial<RagResult<unknown>>;
	return [...items, rest].map((line) => JSON.stringify(line)).join("\n");
}

/** Returns the places of the items of a query's answer. */
function itemPlaces(answer: object): RowPlace[] {
	const { items = [] } = answer as { items?: Partial<Place>[] };
	return items.map(({ file, line, start_line, start_utf16 = 0 }) => ({
		file,
		line: line ?? start_line ?? 1,
		column: start_utf16 + 1,
	}));
}

interface Place {
	file: string;
	line: number;
	start_line: number;
	start_utf16: number;
}

/** Opens a row in the editor, and reports whether there is one. The answer is printed already. */
async function openRow(
	repositories: Repositories,
	places: RowPlace[],
	row: number,
): Promise<boolean> {
	const { file, line, column = 1 } = places[row - 1] ?? { line: 1 };
	if (file === undefined) {
		note(`INVALID_ARGUMENT: there is no row ${row} to open`);
		return false;
	}
	const { default: launchEditor } = await import("launch-editor");
	const path = absolutePath(repositories, file);
	launchEditor(`${path}:${line}:${column}`, (_, message) =>
		note(message ?? "the editor could not be opened; set $EDITOR"),
	);
	return true;
}

function write(text: string): void {
	process.stdout.write(`${text}\n`);
}

/** Returns the first sentence, for the list of commands. */
function summaryOf(description: string): string {
	return description.split(/[.,:;](?= |$)/)[0] ?? description;
}
