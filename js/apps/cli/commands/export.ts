import { pathToFileURL } from "node:url";
import { writeIndex } from "../../scip/write-index.js";
import { writeAtomically } from "../atomic-file.js";
import { errorCodeOf } from "../exit-codes.js";
import { type ExportAnswer, printExport } from "../print/export.js";
import { withProgress } from "../progress.js";
import type { Repositories } from "../repositories.js";
import {
	addCommonOptions,
	newCommand,
	type RepositoryFlags,
	type Terminal,
} from "../terminal.js";

interface ExportFlags extends Omit<RepositoryFlags, "scip"> {
	scip: string;
	package?: string;
}

/** Adds `ragnav export --scip FILE`. */
export function addExportCommand(terminal: Terminal, version: string): void {
	const about =
		"Writes the definitions and references of the repository for other programs.";
	const command = newCommand(terminal, "export", about)
		.requiredOption("--scip <file>", "The file of the SCIP index to write")
		.option("--package <name>", "The name of the package in the symbols");
	addCommonOptions(command).action((flags: ExportFlags) =>
		terminal.answerAlone<ExportAnswer>(flags, {
			ask: (nav, repositories) =>
				withProgress(async (call) => {
					const { scip: file, package: packageName = "" } = flags;
					const projectRoot = projectRootOf(repositories);
					const options = { version, packageName, projectRoot, call };
					const pieces = writeIndex(nav, options);
					return { file, ...(await writeAtomically(file, pieces)) };
				}),
			print: printExport,
			exit: errorCodeOf,
		}),
	);
}

/** Returns the URL of the folder that paths are relative to; `undefined` for several repositories. */
function projectRootOf({ folders, isGroup }: Repositories): string | undefined {
	return isGroup ? undefined : pathToFileURL(folders[0].path).href;
}
