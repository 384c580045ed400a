import { existsSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { Option } from "commander";
import { RagnavError } from "../../entries/node.js";
import { collectValues } from "./arguments.js";

/** The flag of SCIP indexes. */
export interface ScipFlags {
	scip?: string[] | undefined;
}

/** Returns the option that names SCIP indexes. */
export function scipOption(): Option {
	return new Option(
		"--scip <file>",
		"A SCIP index of the repository; repeated for several (default: RAGNAV_SCIP)",
	).argParser(collectValues);
}

/**
 * Returns the absolute paths of the SCIP indexes of a command: of the option, or else of the
 * environment, where the separator of `PATH` stands between them.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for a file that does not exist.
 */
export function scipFiles({ scip }: ScipFlags): string[] {
	const fromEnvironment = process.env.RAGNAV_SCIP?.split(delimiter) ?? [];
	const files = scip ?? fromEnvironment.filter((file) => file !== "");
	return files.map((file) => {
		if (existsSync(file)) return resolve(file);
		const message = `there is no SCIP index ${file}; write one with an indexer such as scip-typescript`;
		throw new RagnavError("INVALID_ARGUMENT", message);
	});
}
