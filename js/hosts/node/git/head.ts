import { readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import type { GitHead } from "../../../core/host.js";
import { errorCode } from "../../shared/file-failure.js";
import { readSmallFile } from "../small-file.js";
import { gitConfigValue } from "./config.js";
import { commonDirOf, findRepository } from "./repository.js";
import { gitFailure, runGit } from "./run-git.js";

// Longer than any path. It also bounds the work of matching white space.
const MAX_REF_BYTES = 8 * 1024;
// About three million refs. A larger list is an error: a truncated one could lack the ref.
const MAX_PACKED_BYTES = 256 * 1024 * 1024;
const LINE_END = 0x0a;
/** The numbers of hexadecimal digits of SHA-1 and SHA-256. */
const ID_LENGTHS: ReadonlySet<number> = new Set([40, 64]);
const MAX_CONFIG_BYTES = 16 * 1024 * 1024;
/** The maximum number of refs on the way from HEAD to an id; git has the same limit. */
const MAX_REF_READS = 5;

// Refs are decoded as Latin-1, in which `\s` would match the last byte of "à" in UTF-8.
const OBJECT_ID = /^(?:[0-9a-f]{64}|[0-9a-f]{40})(?=[ \t\r\n]|$)/i;
const SYMBOLIC = /^ref:[ \t\r\n]*([^ \t\r\n].*?)[ \t\r\n]*$/s;
const PER_WORKTREE = /^refs\/(?:bisect|worktree|rewritten)\//;
// biome-ignore lint/suspicious/noControlCharactersInRegex: git forbids them in ref names
const FORBIDDEN_IN_REF = /[\x00-\x20\x7f~^:?*[\\]|@\{|\.\.|\/\/|\/\.|\.$|\/$/;
const LOCK_SEGMENT = /\.lock(?:\/|$)/;

/**
 * Returns the commit that is checked out at `root`, and the path up to the repository's root.
 *
 * It reads git's files without starting a process: `.git` folders and files (linked worktrees,
 * submodules), loose and packed refs, detached and symbolic HEAD, SHA-1 and SHA-256 ids. Only if
 * refs are not stored in files (`extensions.refStorage`) does it run `git rev-parse`.
 *
 * `head` is `null` for an unborn branch, for contents that are neither ref nor id, and for names
 * that leave the ref folders. `git_root` is `null` outside a repository.
 *
 * @throws Error if git's files cannot be read, or if it needs git and git is missing or fails
 */
export function readGitHead(root: string): GitHead {
	const repository = findRepository(root);
	if (repository === null) return { head: null, git_root: null };
	const { gitDir, up } = repository;
	const head = gitDir === null ? null : resolveHead(gitDir);
	return { head, git_root: up };
}

function resolveHead(gitDir: string): string | null {
	const commonDir = commonDirOf(gitDir);
	const storage = refStorageOf(commonDir);
	if (storage !== "files") return askGit(gitDir, storage);
	return resolveRef("HEAD", gitDir, commonDir);
}

function refStorageOf(commonDir: string): string {
	const config = readSmallFile(join(commonDir, "config"), MAX_CONFIG_BYTES);
	if (config === null) return "files";
	const value = gitConfigValue(
		config.toString("utf8"),
		"extensions",
		"refStorage",
	);
	return value?.toLowerCase() ?? "files";
}

function resolveRef(
	start: string,
	gitDir: string,
	commonDir: string,
): string | null {
	let name = start;
	for (let depth = 0; depth < MAX_REF_READS; depth++) {
		const isOwn = name === "HEAD" || PER_WORKTREE.test(name);
		const text = readLooseRef(isOwn ? gitDir : commonDir, name);
		if (text === null) return readPackedRef(commonDir, name);
		const target = SYMBOLIC.exec(text)?.[1];
		if (target === undefined) return objectIdOf(text);
		if (!isRefName(target)) return null;
		name = target;
	}
	return null;
}

/** Reads a loose ref. A link, which is git's old form, is read as the ref that it names. */
function readLooseRef(folder: string, name: string): string | null {
	const path = refPath(folder, name);
	const target = linkTarget(path);
	if (target !== null && isRefName(target)) return `ref: ${target}`;
	return readSmallFile(path, MAX_REF_BYTES)?.toString("latin1") ?? null;
}

// In git, ref names are bytes. Latin-1 preserves each byte, also in a name that is not UTF-8.
function refPath(folder: string, name: string): Buffer {
	return Buffer.concat([
		Buffer.from(`${folder}/`),
		Buffer.from(name, "latin1"),
	]);
}

function linkTarget(path: Buffer): string | null {
	try {
		return readlinkSync(path, "latin1");
	} catch (error) {
		// For other files, POSIX systems report EINVAL, and Windows UNKNOWN or EINVAL.
		if (errorCode(error) === "EACCES") throw error;
		return null;
	}
}

// Reads every byte once, since a crafted list can repeat the name outside of refs.
function readPackedRef(commonDir: string, name: string): string | null {
	const packed = readPackedRefs(commonDir);
	if (packed === null) return null;
	const suffix = Buffer.from(` ${name}`, "latin1");
	let start = 0;
	for (let at = 0; at <= packed.length; at++) {
		if (at < packed.length && packed[at] !== LINE_END) continue;
		const id = idOfLine(packed, start, at, suffix);
		if (id !== null) return id;
		start = at + 1;
	}
	return null;
}

function readPackedRefs(commonDir: string): Buffer | null {
	const path = join(commonDir, "packed-refs");
	const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
	if (size > MAX_PACKED_BYTES) {
		throw new Error(
			`Cannot read HEAD: packed-refs has ${size} bytes, more than ${MAX_PACKED_BYTES}`,
		);
	}
	return readSmallFile(path, MAX_PACKED_BYTES);
}

/** Returns the id of a line that consists of an id and the suffix. */
function idOfLine(
	packed: Buffer,
	start: number,
	end: number,
	suffix: Buffer,
): string | null {
	const length = end - start - suffix.length;
	if (!ID_LENGTHS.has(length)) return null;
	const idEnd = start + length;
	if (!packed.subarray(idEnd, end).equals(suffix)) return null;
	const id = objectIdOf(packed.toString("latin1", start, idEnd));
	return id?.length === length ? id : null;
}

function objectIdOf(text: string): string | null {
	return OBJECT_ID.exec(text)?.[0].toLowerCase() ?? null;
}

function isRefName(name: string): boolean {
	return (
		name.startsWith("refs/") &&
		!FORBIDDEN_IN_REF.test(name) &&
		!LOCK_SEGMENT.test(name)
	);
}

function askGit(gitDir: string, storage: string): string | null {
	try {
		const args = ["rev-parse", "--verify", "--quiet", "HEAD"];
		return objectIdOf(runGit(gitDir, args));
	} catch (error) {
		if (isUnborn(error)) return null;
		throw new Error(
			`Cannot read HEAD of a repository with ${storage} refs: ${gitFailure(error)}`,
			{ cause: error },
		);
	}
}

// With `--quiet`, git reports "no such commit" by status 1 only; other failures have status 128.
function isUnborn(error: unknown): boolean {
	return error instanceof Error && "status" in error && error.status === 1;
}
