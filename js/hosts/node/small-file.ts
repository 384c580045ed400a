import { readFileSync, statSync } from "node:fs";
import { errorCode } from "../shared/file-failure.js";

/**
 * Bytes of a small file that git or the user keeps: links are followed; `null` where there is no
 * regular file or it is larger than `max_bytes`.
 *
 * @throws the error of `node:fs` for anything else, such as missing permission
 */
export function readSmallFile(
	path: string | Buffer,
	max_bytes: number,
): Buffer | null {
	try {
		// A named pipe would block the process, so the kind is known before anything is opened.
		const stats = statSync(path, { throwIfNoEntry: false });
		if (stats === undefined || !stats.isFile()) return null;
		if (stats.size > max_bytes) return null;
		return readFileSync(path);
	} catch (error) {
		if (isAbsence(error)) return null;
		throw error;
	}
}

/** Whether an error says that nothing of that name exists, as opposed to being unreadable. */
export function isAbsence(error: unknown): boolean {
	const code = errorCode(error);
	return code === "ENOENT" || code === "ENOTDIR";
}
