import { InvalidArgumentError, Option } from "commander";
import { isNamedFolder } from "../../hosts/node/root-names.js";

/**
 * Returns the option of a command about one repository.
 *
 * @param otherwise what to do about several
 */
export function oneRepositoryOption(about: string, otherwise: string): Option {
	const parse = (folder: string, before?: string): string => {
		if (before !== undefined) {
			throw new InvalidArgumentError(
				`the command takes one repository, and ${before} is given too; ${otherwise}`,
			);
		}
		if (isNamedFolder(folder)) {
			throw new InvalidArgumentError(
				"the command takes one repository, which has no name; give its folder alone",
			);
		}
		return folder;
	};
	return new Option("--repo <dir>", about).argParser(parse);
}
