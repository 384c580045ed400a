import {
	linkSync,
	lstatSync,
	readdirSync,
	renameSync,
	rmSync,
	unlinkSync,
} from "node:fs";
import { join } from "node:path";
import { errorCode } from "../shared/file-failure.js";
import { folderOf, nameOf, requireWritable } from "../shared/relative-path.js";
import { childPath, ON_WINDOWS } from "./folders.js";
import { ownFolder } from "./own-folder.js";
import { performWrite } from "./perform-write.js";
import { TEMPORARY_NAME, temporaryName, writeNew } from "./temporary-file.js";

/** The age in milliseconds from which a temporary file counts as abandoned. */
const ABANDONED_MS = 60 * 60 * 1000;

/**
 * Writes a file under `.llmc/`, and creates its folders. Readers see the old bytes or the new ones;
 * an error leaves the old ones. With `exclusive` an existing file is an error. On a file system
 * without hard links, readers can see an unfinished exclusive write. It also removes temporary
 * files that are older than an hour from the folder.
 *
 * @throws Error for a path outside `.llmc/`, a folder that is a link, or an existing file; and the
 * errors of the file system, which then name the file
 */
export function writeBelow(
	root: string,
	path: string,
	bytes: Uint8Array,
	exclusive: boolean,
): void {
	requireWritable(path, "write", ON_WINDOWS);
	performWrite(join(root, path), () => writeFile(root, path, bytes, exclusive));
}

function writeFile(
	root: string,
	path: string,
	bytes: Uint8Array,
	exclusive: boolean,
): void {
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

// Ignores errors, because the write itself has succeeded.
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

// Creating a hard link fails if the name exists. A rename would replace the file.
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
