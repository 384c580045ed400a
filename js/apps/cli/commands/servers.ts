import { type Command, Option } from "commander";
import { namedRepository } from "../../../hosts/node/find-repository.js";
import { isNamedFolder } from "../../../hosts/node/root-names.js";
import { collectValues, parseNames, parsePort } from "../arguments.js";
import { addExamples } from "../examples.js";
import { languagesOf, languagesOption } from "../languages-file.js";
import { type LimitFlags, limitOptions, limitsOf } from "../limit-options.js";
import { oneRepositoryOption } from "../one-repository.js";
import { rootOf } from "../repositories.js";
import { scipFiles, scipOption } from "../scip-files.js";
import type { Terminal } from "../terminal.js";

interface McpFlags extends LimitFlags {
	repo?: string[];
	readOnly?: boolean;
	tools?: string[];
	languages?: string;
	scip?: string[];
}

interface LspFlags extends LimitFlags {
	repo?: string;
	languages?: string;
	scip?: string[];
}

interface ViewerFlags {
	repo?: string;
	port: number;
	out?: string;
	open?: boolean;
	languages?: string;
}

/** Adds the servers of protocols. */
export function addServerCommands(terminal: Terminal): void {
	addMcp(terminal.program);
	addLsp(terminal);
	addViewer(terminal.program);
}

function addMcp(program: Command): void {
	const command = program
		.command("mcp")
		.summary("Serves the Model Context Protocol")
		.description(
			"Serves the Model Context Protocol over standard input and output",
		)
		.option(
			"--repo <dir>",
			"A repository, or name=dir; repeated for several at once (default: the one around the working folder)",
			collectValues,
		)
		.option("--read-only", "Leave out the tool that builds the index")
		.option(
			"--tools <names>",
			"The tools to list, with commas between them (default: all but rag_move_plan)",
			parseNames,
		)
		.exitOverride()
		.action(async (flags: McpFlags) => {
			// The server is larger than all the rest, which need not wait for it.
			const { serve } = await import("../../mcp/serve.js");
			await serve({
				repos: served(flags.repo),
				readOnly: flags.readOnly ?? false,
				tools: flags.tools,
				limits: limitsOf(flags),
				languages: languagesOf(flags),
				scip: scipFiles(flags),
			});
		});
	for (const option of [languagesOption(), scipOption(), ...limitOptions()]) {
		command.addOption(option);
	}
	addExamples(command);
}

function addLsp({ program, run }: Terminal): void {
	const command = program
		.command("lsp")
		.summary("Serves the Language Server Protocol to editors")
		.description(
			"Serves the Language Server Protocol over standard input and output",
		)
		.addOption(
			oneRepositoryOption(
				"The folder to serve if the editor names none (default: the one around the working folder)",
				"open several as the folders of the editor's workspace",
			),
		)
		.option(
			"--stdio",
			"Accepted because editors pass it; there is no other way to connect",
		)
		.exitOverride()
		.action(async (flags: LspFlags) => {
			const { serveStdio } = await import("../../lsp/stdio.js");
			await run({ format: "text" }, () =>
				serveStdio({
					folders: [rootOf(flags)],
					limits: limitsOf(flags),
					languages: languagesOf(flags),
					scip: scipFiles(flags),
				}),
			);
		});
	for (const option of [languagesOption(), scipOption(), ...limitOptions()]) {
		command.addOption(option);
	}
	addExamples(command);
}

/** Returns the folders to serve. Of several, the answers say which does not exist. */
function served(repos: string[] = []): string[] {
	const [only, ...others] = repos;
	if (only === undefined) return [rootOf({})];
	const isGroup = others.length > 0 || isNamedFolder(only);
	return isGroup ? repos : [namedRepository(only)];
}

function addViewer(program: Command): void {
	const command = program
		.command("viewer")
		.summary("Shows the repository in a browser")
		.description("Shows the repository in a browser, on this machine alone")
		.addOption(
			oneRepositoryOption(
				"The repository (default: the one around the working folder)",
				"run a viewer for each",
			),
		)
		.option("--port <n>", "The port; 0 for any free one", parsePort, 0)
		.addOption(
			new Option(
				"--out <dir>",
				"Write static files for any server instead of serving",
			).conflicts("open"),
		)
		.option("--open", "Open the page in the browser")
		.addOption(languagesOption())
		.exitOverride()
		.action(async (flags: ViewerFlags) => {
			const { view } = await import("../../viewer/server/serve.js");
			await view({
				...flags,
				repo: rootOf(flags),
				out: flags.out,
				open: flags.open ?? false,
				languages: languagesOf(flags),
			});
		});
	addExamples(command);
}
