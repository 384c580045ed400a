import { randomBytes } from "node:crypto";
import {
	closeSync,
	fsyncSync,
	linkSync,
	lstatSync,
	openSync,
	readdirSync,
	renameSync,
	rmSync,
	unlinkSync,
	writeFileSync,
} from "node:fs";
import { errorCode } from "../shared/file-failure.js";
import { folderOf, nameOf, requireWritable } from "../shared/relative-path.js";
import { childPath, ON_WINDOWS } from "./folders.js";
import { ownFolder } from "./own-folder.js";

/** Names that {@link temporaryName} makes. */
const TEMPORARY_NAME = /^\.tmp-\d+-[0-9a-f]{16}$/;
/** Age from which a temporary file is no write under way, in milliseconds. */
const ABANDONED_MS = 60 * 60 * 1000;

/**
 * Write of one file under `.llmc/`, folders included: readers see the old bytes or the new ones,
 * and what is there after an error is what was there before. With `exclusive` an existing file is
 * an error. On a file system without hard links an exclusive write is visible while it is
 * written. Temporary files of writes that were cut off over an hour ago are removed from the
 * folder.
 *
 * @throws Error for a path outside `.llmc/`, a folder that is a link, an existing file, or
 * whatever the file system reports
 */
export function writeBelow(
	root: string,
	path: string,
	bytes: Uint8Array,
	exclusive: boolean,
): void {
	requireWritable(path, "write", ON_WINDOWS);
	const folder = ownFolder(root, folderOf(path), "write");
	const target = childPath(folder, nameOf(path));
	const temporary = childPath(folder, temporaryName());
	try {
		writeNew(temporary, bytes);
		if (exclusive) publishNew(temporary, target, path, bytes);
		else renameSync(temporary, target);
	} finally {
		rmSync(temporary, { force: true });
	}
	removeAbandoned(folder);
}

/** Name without the file's own in it, by which a long one would exceed the system's limit. */
function temporaryName(): string {
	return `.tmp-${process.pid}-${randomBytes(8).toString("hex")}`;
}

// The write is done by now: whatever cannot be listed or removed does not make it fail.
function removeAbandoned(folder: string): void {
	const latest = Date.now() - ABANDONED_MS;
	for (const name of namesIn(folder)) {
		if (TEMPORARY_NAME.test(name))
			removeIfOlder(childPath(folder, name), latest);
	}
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}

function removeIfOlder(path: string, latestMs: number): void {
	try {
		const stats = lstatSync(path);
		if (stats.isFile() && stats.mtimeMs < latestMs) unlinkSync(path);
	} catch {
		// Another process may have removed it first.
	}
}

function writeNew(path: string, bytes: Uint8Array): void {
	const fd = openSync(path, "wx");
	try {
		writeFileSync(fd, bytes);
		fsyncSync(fd);
	} finally {
		closeSync(fd);
	}
}

// A hard link fails where the name is taken, which a rename does not.
function publishNew(
	temporary: string,
	target: string,
	path: string,
	bytes: Uint8Array,
): void {
	try {
		linkSync(temporary, target);
	} catch (error) {
		if (errorCode(error) === "EEXIST") throw alreadyExists(path, error);
		if (!isWithoutLinks(error)) throw error;
		createInPlace(target, path, bytes);
	}
}

function createInPlace(target: string, path: string, bytes: Uint8Array): void {
	try {
		writeNew(target, bytes);
	} catch (error) {
		if (errorCode(error) === "EEXIST") throw alreadyExists(path, error);
		rmSync(target, { force: true });
		throw error;
	}
}

const CODES_WITHOUT_LINKS: ReadonlySet<string> = new Set([
	"EPERM",
	"ENOSYS",
	"ENOTSUP",
	"EOPNOTSUPP",
	"EMLINK",
	"EISDIR",
	"UNKNOWN",
]);

function isWithoutLinks(error: unknown): boolean {
	return CODES_WITHOUT_LINKS.has(errorCode(error));
}

function alreadyExists(path: string, cause: unknown): Error {
	return new Error(`Cannot write ${JSON.stringify(path)}: it exists already`, {
		cause,
	});
}
