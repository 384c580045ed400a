import { randomBytes } from "node:crypto";
import {
	closeSync,
	fsyncSync,
	linkSync,
	lstatSync,
	mkdirSync,
	openSync,
	realpathSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { errorCode } from "./file-failure.js";
import { childPath, ON_WINDOWS } from "./node-folders.js";
import { folderOf, nameOf, requireWritable } from "./relative-path.js";

/**
 * Write of one file under `.llmc/`, folders included: readers see the old bytes or the new ones,
 * and what is there after an error is what was there before. With `exclusive` an existing file is
 * an error. On a file system without hard links an exclusive write is visible while it is
 * written.
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
	requireWritable(path, ON_WINDOWS);
	const folder = ownFolder(realpathSync.native(root), folderOf(path));
	const target = childPath(folder, nameOf(path));
	// A short name of its own: with the file's name in it, a long one would exceed the limit.
	const temporary = childPath(
		folder,
		`.tmp-${process.pid}-${randomBytes(8).toString("hex")}`,
	);
	try {
		writeNew(temporary, bytes);
		if (exclusive) publishNew(temporary, target, path, bytes);
		else renameSync(temporary, target);
	} finally {
		rmSync(temporary, { force: true });
	}
}

/**
 * Absolute path of a folder below `top`, created where it is missing. A link is refused wherever
 * it leads: inside the root it would let a repository redirect writes into its sources or hooks.
 */
function ownFolder(top: string, folder: string): string {
	let place = top;
	for (const name of folder.split("/")) {
		place = childPath(place, name);
		createFolder(place);
		if (!lstatSync(place).isDirectory()) {
			throw new Error(
				`Cannot write into ${JSON.stringify(folder)}: ${JSON.stringify(name)} is a link or a file, not a folder`,
			);
		}
	}
	return place;
}

function createFolder(path: string): void {
	try {
		mkdirSync(path);
	} catch (error) {
		if (errorCode(error) !== "EEXIST") throw error;
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
