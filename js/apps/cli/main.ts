import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { Command, CommanderError, Option } from "commander";
import type { Navigator } from "../../core/navigator.js";
import {
	type Confidence,
	open,
	RagnavError,
	type RagResult,
	type RouteDecision,
	type SearchMode,
	type SearchOptions,
	type StalePolicy,
} from "../../entries/node.js";
import { nodeHost } from "../../hosts/node/host.js";
import {
	collected,
	count,
	type Place,
	place,
	port,
	wholeNumber,
} from "./arguments.js";
import {
	EXIT_ERROR,
	EXIT_OK,
	EXIT_USAGE,
	EXIT_WOULD_CHANGE,
} from "./exit-codes.js";
import { type LimitFlags, limitOptions, limitsOf } from "./limit-options.js";
import {
	printAnswer,
	printable,
	printBuild,
	printDefinitions,
	printFiles,
	printLineage,
	printOutline,
	printRoute,
	printSearch,
	printStatus,
	printWhereUsed,
} from "./print.js";
import { withProgress } from "./progress.js";
import { keepUpToDate } from "./watch.js";

declare const __RAGNAV_VERSION__: string;

interface CommonOptions extends LimitFlags {
	repo: string;
	json?: boolean;
	stalePolicy?: StalePolicy;
}

interface LimitedOptions extends CommonOptions {
	limit: number;
}

interface BuildFlags extends CommonOptions {
	check?: boolean;
	documents?: boolean;
	workers?: number;
	watch?: boolean;
}

interface AskFlags extends CommonOptions {
	limit?: number;
	budget?: number;
}

interface WhereUsedFlags extends LimitedOptions {
	confidence: Confidence;
	cursor?: string;
}

interface LineageFlags extends LimitedOptions {
	direction: string;
	depth: number;
	cursor?: string;
}

interface StatusFlags extends CommonOptions {
	limit?: number;
}

interface McpFlags extends LimitFlags {
	repo?: string[];
	readOnly?: boolean;
}

interface ViewerFlags {
	repo: string;
	port: number;
	out?: string;
	open?: boolean;
}

interface FilesFlags extends LimitedOptions {
	include?: string[];
	exclude?: string[];
	cursor?: string;
}

interface SearchFlags extends LimitedOptions {
	mode?: SearchMode;
	regex?: boolean;
	ignoreCase?: boolean;
	include?: string[];
	exclude?: string[];
	cursor?: string;
}

/** Runs the command line and gives its exit code. */
async function main(argv: string[]): Promise<number> {
	let exitCode = EXIT_OK;
	const program = new Command("ragnav")
		.description("Code navigation that says how fresh every answer is")
		.version(__RAGNAV_VERSION__)
		.showHelpAfterError("(ragnav --help tells what there is)")
		.exitOverride();

	const withLimits = (name: string, description: string) => {
		const command = program.command(name).description(description);
		for (const option of limitOptions()) command.addOption(option);
		return command.exitOverride();
	};

	const withCommon = (name: string, description: string) =>
		withLimits(name, description)
			.option("--repo <dir>", "the repository", ".")
			.option("--json", "print the envelope as JSON, as without a terminal");

	const withPolicy = (name: string, description: string) =>
		withCommon(name, description).addOption(
			new Option(
				"--stale-policy <policy>",
				"what to answer from where the index is not proven",
			).choices(["merge", "live", "error", "allow"]),
		);

	const answer = async <T>(
		flags: CommonOptions & { workers?: number },
		ask: (nav: Navigator) => Promise<T>,
		print: (value: T, root: string) => string,
		exit: (value: T) => number,
	) => {
		const root = resolve(flags.repo);
		const nav = await open(nodeHost(root), {
			...limitsOf(flags),
			stale_policy: flags.stalePolicy,
			workers: flags.workers,
		});
		const value = await ask(nav);
		nav.close();
		write(asJson(flags) ? JSON.stringify(value, null, 2) : print(value, root));
		exitCode = exit(value);
	};

	withPolicy(
		"search",
		"the lines that match a text or a regular expression, or what fits best",
	)
		.argument("<query>", "what to look for")
		.option("--limit <n>", "rows of a page", wholeNumber, 20)
		.addOption(
			new Option(
				"--mode <mode>",
				"how the query is read: as the text itself (the default), as a regular expression, or as terms to rank by",
			).choices(["literal", "regex", "ranked"]),
		)
		.addOption(
			new Option("--regex", "the same as --mode regex").conflicts("mode"),
		)
		.option("-i, --ignore-case", "match without regard to case")
		.option(
			"--include <glob>",
			"only files that a glob fits, in gitignore's syntax; may be repeated",
			collected,
		)
		.option(
			"--exclude <glob>",
			"no files that a glob fits; may be repeated",
			collected,
		)
		.addOption(
			new Option(
				"--cursor <cursor>",
				"the next page: the cursor of the one before",
			),
		)
		.action((query: string, flags: SearchFlags) =>
			answer(
				flags,
				(nav) => nav.search(query, searchOptions(flags)),
				printSearch,
				exitOf,
			),
		);

	withPolicy("ask", "passages of notes and code that answer a question")
		.argument("<question>", "in words, or with field:value, #tag, [[link]]")
		.option("--limit <n>", "passages at most", wholeNumber)
		.option("--budget <n>", "tokens of text at most", wholeNumber)
		.action((question: string, flags: AskFlags) =>
			answer(
				flags,
				(nav) =>
					withProgress((call) =>
						nav.ask(question, {
							...call,
							limit: flags.limit ?? null,
							token_budget: flags.budget ?? null,
						}),
					),
				printAnswer,
				exitOf,
			),
		);

	withPolicy("where-used", "who refers to a symbol")
		.argument("<symbol>", "a full id, a dotted suffix or a bare name")
		.option("--limit <n>", "rows of a page", wholeNumber, 50)
		.addOption(
			new Option(
				"--confidence <which>",
				"only references that scopes and imports lead to, or all of the name",
			)
				.choices(["resolved", "all"])
				.default("all"),
		)
		.addOption(new Option("--cursor <cursor>", "the next page"))
		.action((symbol: string, flags: WhereUsedFlags) =>
			answer(
				flags,
				(nav) =>
					nav.whereUsed(symbol, {
						limit: flags.limit,
						confidence: flags.confidence,
						cursor: flags.cursor ?? null,
					}),
				printWhereUsed,
				exitOf,
			),
		);

	withPolicy("lineage", "who leads to a symbol, or where it leads")
		.argument("<symbol>", "a full id, a dotted suffix or a bare name")
		.option(
			"--direction <way>",
			"upstream (callers) or downstream (callees)",
			"upstream",
		)
		.option("--depth <n>", "steps at most", wholeNumber, 1)
		.option("--limit <n>", "rows of a page", wholeNumber, 50)
		.addOption(new Option("--cursor <cursor>", "the next page"))
		.action((symbol: string, flags: LineageFlags) =>
			answer(
				flags,
				(nav) =>
					nav.lineage(symbol, flags.direction, {
						limit: flags.limit,
						depth: flags.depth,
						cursor: flags.cursor ?? null,
					}),
				printLineage,
				exitOf,
			),
		);

	withCommon("route", "whether the index may be used, and why").action(
		(flags: CommonOptions) =>
			answer(
				flags,
				(nav) => routeOf(nav, flags.repo),
				printRoute,
				() => EXIT_OK,
			),
	);

	withCommon("build-graph", "make the index, or bring it up to date")
		.option(
			"--check",
			"write nothing; exit with 3 where something would change",
		)
		.option(
			"--documents",
			"fill the store that `ask` answers from; once it is there it is kept up to date",
		)
		.addOption(
			new Option(
				"--workers <n>",
				"threads that read the files; 0 for none beside this one",
			)
				.argParser(count)
				.default(undefined, "one for each processor, 4 at most"),
		)
		.addOption(
			new Option(
				"--watch",
				"keep the index up to date until it is interrupted",
			).conflicts("check"),
		)
		.action(async (flags: BuildFlags) => {
			const check = flags.check === true;
			if (flags.watch === true) {
				const root = resolve(flags.repo);
				const options = { ...limitsOf(flags), workers: flags.workers };
				exitCode = await keepUpToDate(root, asJson(flags), options);
				return;
			}
			await answer(
				flags,
				(nav) =>
					withProgress((call) =>
						nav.buildGraph({
							...call,
							timeout_ms: flags.timeoutMs,
							check,
							documents: flags.documents ?? null,
						}),
					),
				(result) => printBuild(result, check),
				(result) =>
					check && !isError(result) && !result.up_to_date
						? EXIT_WOULD_CHANGE
						: exitOf(result),
			);
		});

	withCommon(
		"status",
		"how every file stands to the index, and how that is known",
	)
		.option("--limit <n>", "files at most", wholeNumber)
		.action((flags: StatusFlags) => {
			// For a person, all are counted and the first ones shown.
			const limit = asJson(flags) ? (flags.limit ?? null) : null;
			return answer(
				flags,
				(nav) => nav.status({ limit }),
				(result, root) =>
					printStatus(result, root, flags.limit ?? Number.POSITIVE_INFINITY),
				exitOf,
			);
		});

	withPolicy("identify", "the definitions around a line, innermost first")
		.argument(
			"<file:line>",
			"the place, relative to the working folder or the repository",
			place,
		)
		.option("--limit <n>", "definitions at most", wholeNumber, 50)
		.action((at: Place, flags: LimitedOptions) =>
			answer(
				flags,
				(nav) =>
					nav.identify(inRepository(at.file, flags.repo), at.line, {
						limit: flags.limit,
					}),
				printDefinitions,
				exitOf,
			),
		);

	withPolicy("outline", "the definitions of a file as a tree")
		.argument(
			"<file>",
			"the file, relative to the working folder or the repository",
		)
		.action((file: string, flags: CommonOptions) =>
			answer(
				flags,
				(nav) => nav.outline(inRepository(file, flags.repo)),
				printOutline,
				exitOf,
			),
		);

	withPolicy("files", "the files that the walk admits, and what it skips")
		.option("--limit <n>", "rows of a page", wholeNumber, 1000)
		.option(
			"--include <glob>",
			"only files that match a glob, in gitignore's syntax; may be repeated",
			collected,
		)
		.option(
			"--exclude <glob>",
			"no files that match a glob; may be repeated",
			collected,
		)
		.addOption(new Option("--cursor <cursor>", "the next page"))
		.action((flags: FilesFlags) =>
			answer(
				flags,
				(nav) =>
					nav.files({
						limit: flags.limit,
						include: flags.include ?? null,
						exclude: flags.exclude ?? null,
						cursor: flags.cursor ?? null,
					}),
				printFiles,
				exitOf,
			),
		);

	withPolicy("locate", "where a symbol is defined now")
		.argument("<symbol>", "a full id, a dotted suffix or a bare name")
		.option("--limit <n>", "definitions at most", wholeNumber, 50)
		.action((symbol: string, flags: LimitedOptions) =>
			answer(
				flags,
				(nav) => nav.locate(symbol, { limit: flags.limit }),
				printDefinitions,
				exitOf,
			),
		);

	withLimits(
		"mcp",
		"serve the Model Context Protocol over standard input and output",
	)
		.option(
			"--repo <dir>",
			'a repository, by default "."; may be repeated',
			collected,
		)
		.option("--read-only", "leave out the tool that builds the index")
		.action(async (flags: McpFlags) => {
			// It is larger than all the rest, which need not wait for it.
			const { serve } = await import("../mcp/serve.js");
			await serve({
				repos: flags.repo ?? ["."],
				readOnly: flags.readOnly ?? false,
				limits: limitsOf(flags),
			});
		});

	program
		.command("viewer")
		.description("show the repository in a browser, on this machine alone")
		.option("--repo <dir>", "the repository", ".")
		.option("--port <n>", "the port; 0 for any that is free", port, 0)
		.addOption(
			new Option(
				"--out <dir>",
				"write static files for any server instead of serving",
			).conflicts("open"),
		)
		.option("--open", "open the page in the browser")
		.exitOverride()
		.action(async (flags: ViewerFlags) => {
			const { view } = await import("../viewer/server/serve.js");
			await view({ ...flags, out: flags.out, open: flags.open ?? false });
		});

	try {
		await program.parseAsync(argv, { from: "user" });
	} catch (thrown) {
		if (thrown instanceof CommanderError) {
			return thrown.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
		}
		throw thrown;
	}
	return exitCode;
}

/** The route; a RouteDecision has no way to say that there is no folder. */
async function routeOf(nav: Navigator, repo: string): Promise<RouteDecision> {
	if (real(resolve(repo)) === undefined) {
		throw new RagnavError(
			"REPO_NOT_FOUND",
			`${repo} does not exist; give the folder that holds the code`,
		);
	}
	return nav.route();
}

function searchOptions(flags: SearchFlags): SearchOptions {
	const mode = flags.mode ?? (flags.regex ? "regex" : "literal");
	return {
		limit: flags.limit,
		mode,
		case_sensitive: mode !== "ranked" && !flags.ignoreCase,
		include: flags.include ?? null,
		exclude: flags.exclude ?? null,
		cursor: flags.cursor ?? null,
	};
}

function exitOf(result: RagResult<unknown>): number {
	return isError(result) ? EXIT_ERROR : EXIT_OK;
}

function isError(result: RagResult<unknown>): boolean {
	return result.meta.status === "ERROR";
}

function asJson(flags: CommonOptions): boolean {
	return flags.json === true || !process.stdout.isTTY;
}

/** The path from the repository's root of a file that was named from the working folder or from the root. */
function inRepository(file: string, repo: string): string {
	const root = real(resolve(repo));
	const typed = real(resolve(file));
	if (root === undefined || typed === undefined) {
		return file;
	}
	const inside = relative(root, typed);
	const leaves = inside.split(sep)[0] === ".." || isAbsolute(inside);
	return leaves ? file : inside.split(sep).join("/");
}

/** The path without links, `undefined` where there is nothing. */
function real(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch {
		return undefined;
	}
}

function write(text: string): void {
	process.stdout.write(`${text}\n`);
}

// A reader that has seen enough (`ragnav … | head`) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	process.exit(error.code === "EPIPE" ? EXIT_OK : EXIT_ERROR);
});

try {
	process.exitCode = await main(process.argv.slice(2));
} catch (thrown) {
	const message = thrown instanceof Error ? thrown.message : String(thrown);
	const code = thrown instanceof RagnavError ? `${thrown.code}: ` : "";
	process.stderr.write(`ragnav: ${code}${printable(message)}\n`);
	process.exitCode = EXIT_ERROR;
}
