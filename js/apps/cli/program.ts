import completions from "@bomb.sh/tab/commander";
import { Command, CommanderError } from "commander";
import { messageOf } from "../../core/errors.js";
import { startCompiling } from "../../core/wasm-module.js";
import { RagnavError } from "../../entries/node.js";
import { addAskCommand } from "./commands/ask.js";
import { addBuildCommand } from "./commands/build-graph.js";
import { addExportCommand } from "./commands/export.js";
import { addInitCommand } from "./commands/init.js";
import { addLanguagesCommand } from "./commands/languages.js";
import { addQueryCommands } from "./commands/query.js";
import { addRouteCommand } from "./commands/route.js";
import { addServeCommand } from "./commands/serve.js";
import { addServerCommands } from "./commands/servers.js";
import { addStatusCommand } from "./commands/status.js";
import { EXIT_ERROR, EXIT_OK } from "./exit-codes.js";
import { HELP_LIMITS } from "./limit-options.js";
import { openRepositories } from "./repositories.js";
import { openQuestions } from "./serve/open.js";
import { answerOnce, printFailure, type Terminal } from "./terminal.js";
import { printableLines } from "./view.js";

export interface ProgramOptions {
	/** The version of the package. */
	version: string;
	/** The core, if the command needs it. */
	core: Promise<WebAssembly.Module> | undefined;
}

/** Runs the command line and returns its exit code. */
export async function runProgram(
	argv: string[],
	{ version, core }: ProgramOptions,
): Promise<number> {
	if (core) startCompiling(core);
	try {
		return await runCommand(argv, version);
	} catch (thrown) {
		return printError(thrown);
	}
}

async function runCommand(argv: string[], version: string): Promise<number> {
	let exitCode = EXIT_OK;
	const run: Terminal["run"] = async (flags, work) => {
		try {
			exitCode = await work();
		} catch (thrown) {
			if (!(thrown instanceof RagnavError)) throw thrown;
			exitCode = printFailure(flags, thrown);
		}
	};
	const terminal: Terminal = {
		program: newProgram(version),
		answer: (flags, answering) =>
			run(flags, () => answerOnce(flags, answering, openQuestions)),
		answerAlone: (flags, answering) =>
			run(flags, () => answerOnce(flags, answering, openRepositories)),
		run,
	};
	addQueryCommands(terminal);
	addAskCommand(terminal);
	addStatusCommand(terminal);
	addRouteCommand(terminal);
	addLanguagesCommand(terminal);
	addBuildCommand(terminal);
	addExportCommand(terminal, version);
	addServeCommand(terminal);
	addServerCommands(terminal);
	addInitCommand(terminal);
	addCompletions(terminal.program);
	try {
		const typed = argv.map((word) => (word === HELP_LIMITS ? "--help" : word));
		await terminal.program.parseAsync(typed, { from: "user" });
	} catch (thrown) {
		if (thrown instanceof CommanderError) {
			return thrown.exitCode === 0 ? EXIT_OK : EXIT_ERROR;
		}
		throw thrown;
	}
	return exitCode;
}

/** Adds `ragnav completions SHELL`. Completions show the summaries of commands. */
function addCompletions(program: Command): void {
	const described = program.commands.map((command) => ({
		command,
		description: command.description(),
	}));
	for (const { command } of described) command.description(command.summary());
	completions(program, { completionCommandName: "completions" });
	for (const { command, description } of described) {
		command.description(description);
	}
}

function newProgram(version: string): Command {
	return new Command("ragnav")
		.description("Code navigation that says how fresh every answer is")
		.version(version)
		.helpOption("-h, --help", "Show help")
		.showHelpAfterError("(ragnav --help lists the commands)")
		.showSuggestionAfterError(true)
		.addHelpText(
			"after",
			"\n`ragnav help COMMAND` says more; --help-limits also shows the limits on files, memory and time.",
		)
		.exitOverride();
}

/** Prints why the command line failed, and returns the exit code. */
function printError(thrown: unknown): number {
	const message = messageOf(thrown);
	const code = thrown instanceof RagnavError ? `${thrown.code}: ` : "";
	process.stderr.write(`ragnav: ${code}${printableLines(message)}\n`);
	return EXIT_ERROR;
}
