import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The end of a socket's file name. */
export const SOCKET_END = ".sock";

/**
 * Returns the folder with the sockets of this user's servers; `undefined` on Windows, where sockets
 * have no files.
 */
export function socketFolder(): string | undefined {
	const { XDG_RUNTIME_DIR } = process.env;
	const user = process.getuid?.();
	if (user === undefined) return undefined;
	return XDG_RUNTIME_DIR
		? join(XDG_RUNTIME_DIR, "ragnav")
		: join(tmpdir(), `ragnav-${user}`);
}

/** Reports whether there is a folder that no other user can write to or read. */
export function isPrivate(folder: string): boolean {
	const stat = lstatSync(folder, { throwIfNoEntry: false });
	if (stat === undefined || !stat.isDirectory()) return false;
	return stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0;
}

/** Creates the folder unless it is there. */
export function createPrivate(folder: string): void {
	mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Reports whether any repository is served. */
export function isAnyServed(): boolean {
	const folder = socketFolder();
	if (folder === undefined || !isPrivate(folder)) return false;
	return readdirSync(folder).some((name) => name.endsWith(SOCKET_END));
}
