import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";

/** Returns the path from the root of a file inside it. Any other path is left for the core to refuse. */
export function pathFromRoot(root: string, file: string): string {
	if (!isAbsolute(file)) return file;
	const inside = relative(real(root), real(file));
	const leaves = inside.split(sep)[0] === ".." || isAbsolute(inside);
	return leaves ? file : inside.split(sep).join("/");
}

function real(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}
