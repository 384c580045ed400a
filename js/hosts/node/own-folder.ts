import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { errorCode } from "../shared/file-failure.js";
import type { WriteAction } from "../shared/relative-path.js";
import { childPath } from "./folders.js";

/**
 * Absolute path of a folder below `root` in which files are written or removed; for a write it is
 * created where it is missing. A link is refused wherever it leads: inside the root it would let a
 * repository redirect writes into its sources or hooks.
 *
 * @throws Error for a folder on the way that is a link or a file, or whatever the file system
 * reports, such as a folder that is missing
 */
export function ownFolder(
	root: string,
	folder: string,
	action: WriteAction,
): string {
	let place = realpathSync.native(root);
	for (const name of folder.split("/")) {
		place = childPath(place, name);
		if (action === "write") createFolder(place);
		if (!lstatSync(place).isDirectory()) {
			throw new Error(
				`Cannot ${action} in ${JSON.stringify(folder)}: ${JSON.stringify(name)} is a link or a file, not a folder`,
			);
		}
	}
	return place;
}

function createFolder(path: string): void {
	try {
		mkdirSync(path);
	} catch (error) {
		if (errorCode(error) !== "EEXIST") throw error;
	}
}
