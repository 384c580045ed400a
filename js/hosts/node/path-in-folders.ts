import { join } from "node:path";
import { pathFromRoot } from "./path-from-root.js";
import type { NamedFolder } from "./root-names.js";

/**
 * Returns the path of a file as answers about some folders have it: from the first folder that
 * contains the file, below the name of that folder in a group. Returns `undefined` for a file
 * outside of all.
 *
 * @param file an absolute path
 */
export function pathInFolders(
	folders: readonly NamedFolder[],
	isGroup: boolean,
	file: string,
): string | undefined {
	for (const { name, path } of folders) {
		const inside = pathFromRoot(path, file);
		if (inside === undefined) continue;
		return isGroup ? join(name, inside).replaceAll("\\", "/") : inside;
	}
	return undefined;
}
