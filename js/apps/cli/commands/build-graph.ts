import { Option } from "commander";
import { parseCount } from "../arguments.js";
import { EXIT_WOULD_CHANGE, errorCodeOf } from "../exit-codes.js";
import { languagesOf } from "../languages-file.js";
import { limitsOf } from "../limit-options.js";
import { printBuild } from "../print/index-state.js";
import { withProgress } from "../progress.js";
import { repositoriesOf } from "../repositories.js";
import {
	addCommonOptions,
	newCommand,
	type RepositoryFlags,
	type Terminal,
} from "../terminal.js";
import { keepUpToDate } from "../watch.js";

interface BuildFlags extends RepositoryFlags {
	check?: boolean;
	documents: boolean;
	watch?: boolean;
}

export function addBuildCommand(terminal: Terminal): void {
	const command = newCommand(
		terminal,
		"build-graph",
		"Builds the index, or updates it.",
	)
		.option("--check", "Write nothing; exit with 3 if a build would change it")
		.option(
			"--no-documents",
			"Leave the store that `ask` answers from as it is",
		)
		.addOption(
			new Option(
				"--workers <n>",
				"Threads that read the files; 0 for none beside the main one",
			)
				.argParser(parseCount)
				.default(undefined, "one for each processor, 4 at most"),
		)
		.addOption(
			new Option(
				"--watch",
				"Keep the index up to date until it is interrupted",
			).conflicts("check"),
		);
	addCommonOptions(command).action((flags: BuildFlags) =>
		flags.watch === true ? watch(terminal, flags) : build(terminal, flags),
	);
}

function watch(terminal: Terminal, flags: BuildFlags): Promise<void> {
	return terminal.run(flags, () =>
		keepUpToDate(repositoriesOf(flags), flags, {
			...limitsOf(flags),
			languages: languagesOf(flags),
			workers: flags.workers,
		}),
	);
}

function build(terminal: Terminal, flags: BuildFlags): Promise<void> {
	const check = flags.check === true;
	return terminal.answerAlone(flags, {
		ask: (nav) =>
			withProgress((call) =>
				nav.buildGraph({
					...call,
					timeout_ms: flags.timeoutMs,
					check,
					documents: flags.documents,
				}),
			),
		print: (result, view) => printBuild(result, check, view),
		exit: (result) => {
			const isOk = result.meta.status !== "ERROR";
			const wouldChange = check && isOk && !result.up_to_date;
			return wouldChange ? EXIT_WOULD_CHANGE : errorCodeOf(result);
		},
	});
}
