// A disk without room.
import { closeSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";

/** More free space is left alone: the disk may belong to others. */
const MAX_BALLAST = 8 * 2 ** 30;
const BLOCK = Buffer.alloc(1 << 20, 1);

/** Reports whether the disk of a folder is small enough to fill. */
export function canFill(folder: string): boolean {
	const { bavail, bsize } = statfsSync(folder);
	return bavail * bsize <= MAX_BALLAST;
}

/** Fills the disk of a folder; returns what makes room again. */
export function fillDisk(folder: string): () => void {
	const ballast = join(folder, "ballast");
	const file = openSync(ballast, "w");
	try {
		for (let size = BLOCK.length; size > 0; size >>= 1) {
			while (isWritten(file, size));
		}
	} finally {
		closeSync(file);
	}
	return () => rmSync(ballast);
}

function isWritten(file: number, size: number): boolean {
	try {
		return writeSync(file, BLOCK, 0, size) === size;
	} catch {
		return false;
	}
}
