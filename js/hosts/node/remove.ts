import { unlinkSync } from "node:fs";
import { folderOf, nameOf, requireWritable } from "../shared/relative-path.js";
import { childPath, ON_WINDOWS } from "./folders.js";
import { ownFolder } from "./own-folder.js";
import { isAbsence } from "./small-file.js";

/**
 * Removal of one file under `.llmc/`; a link is removed itself, not what it leads to. A file or
 * folder that is missing is no error, and nothing is created.
 *
 * @throws Error for a path outside `.llmc/`, a folder that is a link, a path that is a folder, or
 * whatever the file system reports
 */
export function removeBelow(root: string, path: string): void {
	requireWritable(path, "remove", ON_WINDOWS);
	try {
		const folder = ownFolder(root, folderOf(path), "remove");
		unlinkSync(childPath(folder, nameOf(path)));
	} catch (error) {
		if (!isAbsence(error)) throw error;
	}
}
