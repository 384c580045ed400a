import { existsSync } from "node:fs";
import { resolve, sep } from "node:path";

/** `NAME=DIR`. */
const NAMED = /^([^/\\=]+)=(.+)$/;

/** A folder with the name of its repository. */
export interface NamedFolder {
	name: string;
	/** The absolute path. */
	path: string;
}

/** A folder that was typed as `DIR` or `NAME=DIR`. */
export interface TypedFolder extends NamedFolder {
	/** Whether its name was typed. */
	isNamed: boolean;
}

/**
 * Parses folders that were typed as `DIR` or `NAME=DIR`. Without a name, the end of the path is the
 * name, as long as it takes to tell the folders apart. A folder that is given again is left out.
 */
export function namedFolders(
	typed: readonly [string, ...string[]],
): [TypedFolder, ...TypedFolder[]] {
	const parsed = typed.map(parseFolder);
	const different = parsed.filter(
		({ path, name }, index) =>
			parsed.findIndex((one) => one.path === path && one.name === name) ===
			index,
	);
	const ends = shortestEnds(different.map(({ path }) => path));
	const folders = different.map(({ name, path }, index) => ({
		name: name ?? asName(ends[index] ?? path),
		path,
		isNamed: name !== undefined,
	}));
	return folders as [TypedFolder, ...TypedFolder[]];
}

/** Reports whether a text is `NAME=DIR`, and no folder itself. */
export function isNamedFolder(text: string): boolean {
	return NAMED.test(text) && !existsSync(text);
}

function parseFolder(text: string): { name?: string; path: string } {
	const [, name, path] = NAMED.exec(text) ?? [];
	return name !== undefined && path !== undefined && isNamedFolder(text)
		? { name, path: resolve(path) }
		: { path: resolve(text) };
}

/** Returns the ends of paths, as short as they can be told apart by. */
function shortestEnds(paths: readonly string[]): string[] {
	const parts = paths.map((path) => path.split(sep).filter(Boolean));
	return parts.map((own, index) => {
		const others = parts.filter((_, other) => other !== index);
		for (let length = 1; length <= own.length; length += 1) {
			const end = endOf(own, length);
			if (others.every((other) => endOf(other, length) !== end)) return end;
		}
		return paths[index] ?? "";
	});
}

function endOf(parts: readonly string[], length: number): string {
	return parts.slice(-length).join("/");
}

/** Returns the end of a path as one segment: `a-app` of `a/app`. */
function asName(end: string): string {
	const name = end.replaceAll(/[/\\:]+/g, "-").replace(/^[.-]+/, "");
	return name === "" ? "repository" : name;
}
