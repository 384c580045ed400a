/**
 * Rules for the paths a host is asked about: relative to its root, `/` between segments, already
 * normalised.
 */

/** Folder under which a host accepts writes, with its separator. */
export const WRITABLE_PREFIX = ".llmc/";

// This runs for every file that is read, and nearly always finds nothing.
const SUSPICIOUS = /(?:^|\/)\.{0,2}(?:\/|$)|^[A-Za-z]:|\0/;
const DRIVE_LETTER = /^[A-Za-z]:/;
const EMPTY_SEGMENT = /\/\/|\/$/;
const DOT_SEGMENT = /(?:^|\/)\.\.?(?:\/|$)/;
// Windows reads `\` as a separator and `:` as a drive or a stream, and drops dots and spaces at
// the end of a segment, so that `.. ` would step out of the root.
const AMBIGUOUS_ON_WINDOWS = /[\\:]|[. ](?:\/|$)/;

/**
 * Reason why `path` may not be used below a root, as a phrase that follows the path ("is
 * absolute"), or `null` where it may. `""`, the root itself, is accepted. The stricter rules of
 * Windows apply when `windows` is true.
 */
export function pathProblem(path: string, windows = false): string | null {
	if (path === "") return null;
	if (!windows && !SUSPICIOUS.test(path)) return null;
	if (path.startsWith("/")) return "is absolute";
	if (path.includes("\0")) return "contains a NUL character";
	if (DRIVE_LETTER.test(path)) return "starts with a drive letter";
	if (EMPTY_SEGMENT.test(path)) return "has an empty segment";
	if (DOT_SEGMENT.test(path)) return 'has a segment "." or ".."';
	if (windows && AMBIGUOUS_ON_WINDOWS.test(path)) {
		return "has characters that Windows reads differently";
	}
	return null;
}

/** What a host does to files under `.llmc/`. */
export type WriteAction = "write" | "remove";

/**
 * Check that `path` names a file under `.llmc/`, before it is written or removed.
 *
 * @throws Error that quotes the path and says what is wrong with it
 */
export function requireWritable(
	path: string,
	action: WriteAction,
	windows = false,
): void {
	const problem = pathProblem(path, windows) ?? problemOfPlace(path);
	if (problem !== null) {
		throw new Error(
			`Cannot ${action} ${JSON.stringify(path)}: the path ${problem}`,
		);
	}
}

function problemOfPlace(path: string): string | null {
	return path.startsWith(WRITABLE_PREFIX)
		? null
		: `is not under ${WRITABLE_PREFIX}`;
}

/** Folder part of a relative path; `""` for a path of one segment. */
export function folderOf(path: string): string {
	const slash = path.lastIndexOf("/");
	return slash < 0 ? "" : path.slice(0, slash);
}

/** Last segment of a relative path. */
export function nameOf(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1);
}
