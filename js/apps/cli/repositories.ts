import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import {
	findRepository,
	type Navigator,
	type OpenOptions,
	open,
	RagnavError,
} from "../../entries/node.js";
import { namedRepository } from "../../hosts/node/find-repository.js";
import { nodeHost } from "../../hosts/node/host.js";
import { pathInFolders } from "../../hosts/node/path-in-folders.js";
import { type NamedFolder, namedFolders } from "../../hosts/node/root-names.js";
import { note } from "./note.js";
import { printable } from "./printable.js";

/** The repositories that a command is about. */
export interface Repositories {
	/** Their folders. The first one has the settings of the project. */
	folders: readonly [NamedFolder, ...NamedFolder[]];
	/** Whether the paths of files begin with the name of their repository. */
	isGroup: boolean;
}

/** Returns the repositories that a command is about, and says which one it found. */
export function repositoriesOf({ repo }: { repo?: string[] }): Repositories {
	const [first, ...others] = repo ?? [];
	if (first === undefined) return alone(foundRoot());
	const folders = namedFolders([first, ...others]);
	if (others.length > 0 || folders[0].isNamed)
		return { folders, isGroup: true };
	return alone(namedRepository(first));
}

/** Returns the root of the one repository that a command is about. */
export function rootOf({ repo }: { repo?: string }): string {
	return repo === undefined ? foundRoot() : namedRepository(repo);
}

/** Opens the repositories of a command. */
export function openRepositories(
	{ folders, isGroup }: Repositories,
	options: OpenOptions,
): Promise<Navigator> {
	if (!isGroup) return open(nodeHost(folders[0].path), options);
	const roots = folders.map(({ name, path }) => ({
		name,
		host: nodeHost(path),
	}));
	return open(roots, options);
}

/** Returns the repositories as people call them. */
export function shownRepositories({ folders }: Repositories): string {
	return folders.map(({ path }) => printable(path)).join(", ");
}

/** Returns the absolute path of a file of an answer. */
export function absolutePath(
	{ folders, isGroup }: Repositories,
	file: string,
): string {
	if (!isGroup) return join(folders[0].path, file);
	const [name = "", ...rest] = file.split("/");
	const folder = folders.find((one) => one.name === name);
	return join(folder?.path ?? name, ...rest);
}

/** Returns the path, as answers have it, of a file that was named from the working folder. */
export function pathInRepository(
	file: string,
	{ folders, isGroup }: Repositories,
): string {
	const typed = resolve(file);
	if (!existsSync(typed)) return file;
	return pathInFolders(folders, isGroup, typed) ?? file;
}

/**
 * Returns the path, as answers have it, of a file of the repositories.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for a file outside of them.
 */
export function requirePath(file: string, repositories: Repositories): string {
	const path = pathInRepository(file, repositories);
	if (!isAbsolute(path)) return path;
	const message = `${file} is not in ${shownRepositories(repositories)}; move it there`;
	throw new RagnavError("INVALID_ARGUMENT", message);
}

function alone(path: string): Repositories {
	return { folders: [{ name: "", path }], isGroup: false };
}

function foundRoot(): string {
	const { root, nested } = findRepository(process.cwd());
	if (root !== process.cwd()) note(`repository: ${printable(root)}`);
	for (const folder of nested) {
		const name = printable(folder);
		note(
			`${name} has an index of its own, which is not used; --repo ${name} does`,
		);
	}
	return root;
}
