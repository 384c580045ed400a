import type { Failure } from "../../core/host.js";

/** Error code of a failed system call (`"ENOENT"`), or `""` where the error carries none. */
export function errorCode(error: unknown): string {
	if (!(error instanceof Error) || !("code" in error)) return "";
	return typeof error.code === "string" ? error.code : "";
}

/**
 * Failure that stands for a thrown error: `missing`, `denied`, or `io` with the system's words.
 * The message leaves out the machine's own paths.
 */
export function failureOf(error: unknown): Failure {
	switch (errorCode(error)) {
		case "ENOENT":
		case "ENOTDIR":
			return { error: "missing" };
		case "EACCES":
		case "EPERM":
		case "ELOOP":
			return { error: "denied" };
		default:
			return { error: "io", message: systemWords(error) };
	}
}

/** Failure of what is there and is no regular file: a folder, a named pipe, a device. */
export function notAFile(): Failure {
	return { error: "io", message: "not a regular file" };
}

/** Failure of a path that may not be asked for, for a reason that follows the path ("is absolute"). */
export function refused(problem: string): Failure {
	return { error: "denied", message: `the path ${problem}` };
}

/** Words of a system error without the call and the paths: `EIO: i/o error`. */
export function systemWords(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const isSystemCall = "syscall" in error;
	if (!isSystemCall) return error.message;
	const end = error.message.indexOf(", ");
	return end < 0 ? error.message : error.message.slice(0, end);
}
