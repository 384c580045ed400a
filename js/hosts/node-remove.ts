import { unlinkSync } from "node:fs";
import { childPath, ON_WINDOWS } from "./node-folders.js";
import { ownFolder } from "./node-own-folder.js";
import { folderOf, nameOf, requireWritable } from "./relative-path.js";
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
