/** Where an index is. */
export interface IndexPlace {
	/** The path of the index from the root. */
	path: string;
	/** The root as the host names it. */
	root: string | null | undefined;
	/** When it was written, in milliseconds since 1970; `null` if that is not known. */
	written: number | null;
}

/**
 * Returns the folder that the paths of an index are relative to: the one that it names, if that is
 * in the repository, or else the one that it is in. An index of another machine names a folder of
 * that.
 */
export function folderOf(
	{ path, root }: IndexPlace,
	projectRoot: string,
): string {
	const named = pathOfUrl(projectRoot);
	const own = root?.replaceAll("\\", "/").replace(/\/+$/, "");
	if (named !== undefined && own !== undefined) {
		if (named === own) return "";
		if (named.startsWith(`${own}/`)) return named.slice(own.length + 1);
	}
	return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

/** Returns a path of an index from the root. One that leaves the folder stays as it is. */
export function inFolder(folder: string, path: string): string {
	const isAbsolute = /^(?:[a-z]:|[\\/])/i.test(path);
	return folder === "" || isAbsolute ? path : `${folder}/${path}`;
}

/** Returns the path of a `file://` URL, with `/` and without one at the end. */
function pathOfUrl(text: string): string | undefined {
	if (!text.startsWith("file:") || !URL.canParse(text)) return undefined;
	try {
		const path = decodeURIComponent(new URL(text).pathname);
		return path.replace(/^\/(?=[a-z]:)/i, "").replace(/\/+$/, "");
	} catch {
		return undefined;
	}
}
