import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, writeFileSync } from "node:fs";

/** The names that {@link temporaryName} returns. */
export const TEMPORARY_NAME = /^\.tmp-\d+-[0-9a-f]{16}$/;

/** Returns a random name. It omits the file's own name, which may have the maximum length. */
export function temporaryName(): string {
	return `.tmp-${process.pid}-${randomBytes(8).toString("hex")}`;
}

/**
 * Writes a file that does not exist yet, down to the disk.
 *
 * @throws the errors of the file system
 */
export function writeNew(path: string, bytes: Uint8Array, mode?: number): void {
	const fd = openSync(path, "wx", mode);
	try {
		writeFileSync(fd, bytes);
		fsyncSync(fd);
	} finally {
		closeSync(fd);
	}
}
