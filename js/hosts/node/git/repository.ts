import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isAbsence, readSmallFile } from "../small-file.js";

/** Git repository that encloses a folder. */
export interface Repository {
	/** Real path of the folder that holds `.git`, or of the bare repository itself. */
	top: string;
	/** Way from the folder up to `top`: `""`, `".."`, `"../.."`. */
	up: string;
	/** Way from `top` down to the folder: `""`, `"packages/app"`. */
	down: string;
	/** What `top` holds: a `.git` folder, a `.git` file or link that names one, or git's own files. */
	kind: "plain" | "linked" | "bare";
	/** Folder with HEAD; `null` where a `.git` file leads nowhere. */
	gitDir: string | null;
}

type Found = Pick<Repository, "kind" | "gitDir">;

// Longer than any path.
const MAX_POINTER_BYTES = 8 * 1024;

/**
 * Nearest repository at or above `root`, `null` where there is none or `root` does not exist. A
 * `.git` folder without HEAD is walked past, as git does; a `.git` file that leads nowhere ends
 * the search, because git refuses to look further there.
 *
 * The environment variable GIT_DIR and its kin have no say: a git hook exports them to
 * everything it starts, and they would answer for another repository than the one at `root`.
 *
 * @throws the error of `node:fs` where `.git` exists and cannot be read
 */
export function findRepository(root: string): Repository | null {
	const down: string[] = [];
	let folder = realFolder(root);
	while (folder !== null) {
		const found = repositoryAt(folder);
		if (found !== null) {
			const up = down.map(() => "..").join("/");
			return { ...found, top: folder, up, down: down.join("/") };
		}
		const parent = dirname(folder);
		if (parent === folder) return null;
		down.unshift(basename(folder));
		folder = parent;
	}
	return null;
}

/** Folder that linked worktrees share (refs, config, info); `gitDir` itself without worktrees. */
export function commonDirOf(gitDir: string): string {
	const pointer = readPointer(join(gitDir, "commondir"));
	return pointer === null ? gitDir : resolve(gitDir, pointer);
}

// The way up is counted on the real path: `link/..` is not the folder that holds the link.
function realFolder(root: string): string | null {
	try {
		return realpathSync.native(root);
	} catch (error) {
		if (isAbsence(error)) return null;
		throw error;
	}
}

function repositoryAt(folder: string): Found | null {
	const dotGit = join(folder, ".git");
	const stats = statOrNull(dotGit);
	if (stats?.isFile()) return { kind: "linked", gitDir: pointedGitDir(folder) };
	if (stats?.isDirectory() && hasHead(dotGit)) {
		const isPlain = lstatSync(dotGit).isDirectory();
		return { kind: isPlain ? "plain" : "linked", gitDir: dotGit };
	}
	return isBare(folder) ? { kind: "bare", gitDir: folder } : null;
}

function pointedGitDir(folder: string): string | null {
	const text = readPointer(join(folder, ".git"));
	const pointer = text === null ? null : /^gitdir: (.+)$/s.exec(text);
	const path = pointer?.[1];
	if (path === undefined) return null;
	const gitDir = resolve(folder, path);
	return hasHead(gitDir) ? gitDir : null;
}

function readPointer(path: string): string | null {
	const bytes = readSmallFile(path, MAX_POINTER_BYTES);
	// Spaces may belong to the path; git takes off line ends alone.
	return bytes === null ? null : bytes.toString("utf8").replace(/[\r\n]+$/, "");
}

// HEAD may be a link to a branch that has no commit yet, so the link itself counts.
function hasHead(gitDir: string): boolean {
	try {
		return !lstatSync(join(gitDir, "HEAD")).isDirectory();
	} catch (error) {
		if (isAbsence(error)) return false;
		throw error;
	}
}

// A file called HEAD alone is no proof: projects have one for their own reasons.
function isBare(folder: string): boolean {
	return (
		statOrNull(join(folder, "HEAD"))?.isFile() === true &&
		statOrNull(join(folder, "objects"))?.isDirectory() === true &&
		statOrNull(join(folder, "refs"))?.isDirectory() === true
	);
}

// A folder above the root that may not be searched hides nothing git itself would find.
function statOrNull(path: string): Stats | null {
	try {
		return statSync(path, { throwIfNoEntry: false }) ?? null;
	} catch {
		return null;
	}
}
