import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { folderOf, nameOf, requireWritable } from "../shared/relative-path.js";
import { childPath, ON_WINDOWS } from "./folders.js";
import { ownFolder } from "./own-folder.js";
import { performWrite } from "./perform-write.js";
import { isAbsence } from "./small-file.js";

/**
 * Removes a file under `.llmc/`; of a link it removes the link itself. A missing file or folder is
 * no error.
 *
 * @throws Error for a path outside `.llmc/`, a folder that is a link, or a path that is a folder;
 * and the errors of the file system, which then name the file
 */
export function removeBelow(root: string, path: string): void {
	requireWritable(path, "remove", ON_WINDOWS);
	performWrite(join(root, path), () => removeFile(root, path), "removed");
}

function removeFile(root: string, path: string): void {
	try {
		const folder = ownFolder(root, folderOf(path), "remove");
		unlinkSync(childPath(folder, nameOf(path)));
	} catch (error) {
		if (!isAbsence(error)) throw error;
	}
}
