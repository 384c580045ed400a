import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { coreFile } from "../../../entries/core-file-node.js";
import type { OpenOptions } from "../../../entries/node.js";
import type { ReadLanguage } from "../../languages/languages-file.js";
import type { Repositories } from "../repositories.js";
import { SOCKET_END, socketFolder } from "./socket-folder.js";

declare const __RAGNAV_VERSION__: string;

/** What else than the files of the repositories determines answers. */
export interface ServedOptions extends OpenOptions {
	languages: ReadLanguage[];
}

/** The environment variables that change answers: ragnav's own, and where Git's settings are. */
const VARIABLES = /^(RAGNAV_\w+|GIT_CONFIG\w*|HOME|XDG_CONFIG_HOME)$/;

/** The letters of a hash in a socket's name: paths of sockets have about 100 bytes at most. */
const NAME_LETTERS = 32;

/**
 * Returns the path of the socket on which a server answers about some repositories; `undefined` on
 * Windows. It differs for another copy of ragnav, other options and another environment, so whoever
 * connects gets the answer that it would give itself.
 */
export function socketOf(
	{ folders, isGroup }: Repositories,
	{ languages, workers: _, ...options }: ServedOptions,
): string | undefined {
	const folder = socketFolder();
	if (folder === undefined) return undefined;
	const places = folders.map(({ name, path }) => [name, realPath(path)]);
	const given = Object.entries(options).filter(([, value]) => value != null);
	const environment = Object.entries(process.env).filter(([name]) =>
		VARIABLES.test(name),
	);
	const { mtimeMs, size } = statSync(coreFile);
	const copy = [__RAGNAV_VERSION__, String(coreFile), mtimeMs, size];
	const named = { copy, isGroup, places };
	const others = [given.sort(), environment.sort()];
	const hash = createHash("sha256").update(JSON.stringify([named, others]));
	for (const { wasm, ...rest } of languages) {
		hash.update(JSON.stringify(rest)).update(wasm);
	}
	const name = hash.digest("hex").slice(0, NAME_LETTERS);
	return join(folder, `${name}${SOCKET_END}`);
}

/** Returns a path without links; a path that does not exist as it is. */
function realPath(path: string): string {
	try {
		return realpathSync.native(path);
	} catch {
		return path;
	}
}
