import {
	closeSync,
	fsyncSync,
	openSync,
	renameSync,
	rmSync,
	statSync,
	writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { RagnavError } from "../../entries/node.js";
import { temporaryName } from "../../hosts/node/temporary-file.js";

/**
 * Writes a file from its pieces, and returns what these end with. Until all are written, the path has
 * the file that it had.
 *
 * @throws RagnavError `INVALID_ARGUMENT` for a path that cannot be written, and the errors of the
 * pieces
 */
export async function writeAtomically<T>(
	path: string,
	pieces: AsyncGenerator<Uint8Array, T>,
): Promise<T> {
	requireNoFolder(path);
	const temporary = join(dirname(path), temporaryName());
	const fd = inFolder(path, () => openSync(temporary, "wx"));
	try {
		const end = await writePieces(path, fd, pieces);
		inFolder(path, () => renameSync(temporary, path));
		return end;
	} finally {
		rmSync(temporary, { force: true });
	}
}

async function writePieces<T>(
	path: string,
	fd: number,
	pieces: AsyncGenerator<Uint8Array, T>,
): Promise<T> {
	try {
		for (;;) {
			const next = await pieces.next();
			if (next.done === true) {
				inFolder(path, () => fsyncSync(fd));
				return next.value;
			}
			inFolder(path, () => writeWhole(fd, next.value));
		}
	} finally {
		closeSync(fd);
	}
}

function writeWhole(fd: number, bytes: Uint8Array): void {
	let written = 0;
	while (written < bytes.length) written += writeSync(fd, bytes, written);
}

function requireNoFolder(path: string): void {
	const stats = inFolder(path, () => statSync(path, { throwIfNoEntry: false }));
	if (stats?.isDirectory() !== true) return;
	const message = `${path} is a folder; name a file`;
	throw new RagnavError("INVALID_ARGUMENT", message);
}

/** Does a step of writing a file, and says of an error which file it is about. */
function inFolder<T>(path: string, step: () => T): T {
	try {
		return step();
	} catch (thrown) {
		const { code = "" } = thrown as NodeJS.ErrnoException;
		const message = `${path} cannot be written (${code}); name a file in a folder that exists and may be written to`;
		throw new RagnavError("INVALID_ARGUMENT", message);
	}
}
