import { errorCode, systemWords } from "../shared/file-failure.js";

const PERMISSION = "allow this user to write in its folder";

/** What to do about a failed write, by the code of the system. */
const REMEDIES: Readonly<Record<string, string>> = {
	EACCES: PERMISSION,
	EPERM: PERMISSION,
	ENOENT: "create its folder",
	EROFS: "its file system is read-only; mount it for writing",
	ENOSPC: "free space on its disk",
	EDQUOT: "free space within the quota of this user",
	EMFILE: "raise the limit on open files",
	ENFILE: "raise the limit on open files",
};

/**
 * Performs a step of writing or removing a file. An error of the system then names the file, says
 * what to do, and keeps its code.
 *
 * @param path the file as its reader knows it
 */
export function performWrite<T>(
	path: string,
	step: () => T,
	action: "written" | "removed" = "written",
): T {
	try {
		return step();
	} catch (thrown) {
		if (!isOfSystem(thrown)) throw thrown;
		const code = errorCode(thrown);
		const remedy = REMEDIES[code] ?? "check its folder and its disk";
		const message = `${path} cannot be ${action}: ${systemWords(thrown)}; ${remedy}, then try again`;
		throw Object.assign(new Error(message, { cause: thrown }), { code });
	}
}

function isOfSystem(thrown: unknown): boolean {
	return thrown instanceof Error && "syscall" in thrown;
}
