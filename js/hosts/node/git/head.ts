import { execFileSync } from "node:child_process";
import { readlinkSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GitHead } from "../../../core/host.js";
import { errorCode } from "../../shared/file-failure.js";
import { readSmallFile } from "../small-file.js";
import { gitConfigValue } from "./config.js";
import { commonDirOf, findRepository } from "./repository.js";

// Longer than any path; it also bounds the work that white space can make.
const MAX_REF_BYTES = 8 * 1024;
// Some three million refs. A larger list is an error: cut, it would say "no commit".
const MAX_PACKED_BYTES = 256 * 1024 * 1024;
const LINE_END = 0x0a;
/** Hexadecimal digits of SHA-1 and SHA-256. */
const ID_LENGTHS: ReadonlySet<number> = new Set([40, 64]);
const MAX_CONFIG_BYTES = 16 * 1024 * 1024;
/** Refs that are read at most, HEAD among them; git's own limit. */
const MAX_REF_READS = 5;
const GIT_TIMEOUT_MS = 10_000;

// Bytes are read as Latin-1 here, where `\s` would take the last byte of "à" for a space.
const OBJECT_ID = /^(?:[0-9a-f]{64}|[0-9a-f]{40})(?=[ \t\r\n]|$)/i;
const SYMBOLIC = /^ref:[ \t\r\n]*([^ \t\r\n].*?)[ \t\r\n]*$/s;
const PER_WORKTREE = /^refs\/(?:bisect|worktree|rewritten)\//;
// biome-ignore lint/suspicious/noControlCharactersInRegex: git forbids them in ref names
const FORBIDDEN_IN_REF = /[\x00-\x20\x7f~^:?*[\\]|@\{|\.\.|\/\/|\/\.|\.$|\/$/;
const LOCK_SEGMENT = /\.lock(?:\/|$)/;

/**
 * Commit that is checked out at `root`, and the way up to the enclosing repository's root.
 *
 * Reads git's files without starting a process: `.git` folders and files (linked worktrees,
 * submodules), loose and packed refs, detached and symbolic HEAD, SHA-1 and SHA-256 ids. `head`
 * is `null` for an unborn branch, for contents that are no ref or id, and for names that try to
 * leave the ref folders; `git_root` is `null` outside a repository. Only a repository whose refs
 * are stored otherwise than in files (`extensions.refStorage`) is answered by `git rev-parse`.
 *
 * @throws Error where git's files cannot be read, or where git is needed and missing or failing
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

/** Contents of a loose ref; a link among the refs, git's old form, is read as the ref it names. */
function readLooseRef(folder: string, name: string): string | null {
	const path = refPath(folder, name);
	const target = linkTarget(path);
	if (target !== null && isRefName(target)) return `ref: ${target}`;
	return readSmallFile(path, MAX_REF_BYTES)?.toString("latin1") ?? null;
}

// Ref names are bytes to git. Latin-1 keeps each of them, so that a name that is not UTF-8 still
// finds its file.
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
		// What is no link answers EINVAL on POSIX systems and UNKNOWN or EINVAL on Windows.
		if (errorCode(error) === "EACCES") throw error;
		return null;
	}
}

// Reads every byte once: a crafted list can have the name everywhere except in a ref.
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
			`Cannot read HEAD: packed-refs has ${size} bytes, and more than ${MAX_PACKED_BYTES} are not read`,
		);
	}
	return readSmallFile(path, MAX_PACKED_BYTES);
}

/** The id of a line that holds it and the suffix; comments and peeled lines (`^id`) are none. */
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
		const answer = execFileSync(
			"git",
			["--git-dir", gitDir, "rev-parse", "--verify", "--quiet", "HEAD"],
			{
				// Windows looks for programs in the working folder first, and a repository may
				// bring its own git.exe.
				cwd: dirname(process.execPath),
				env: gitEnvironment(),
				encoding: "utf8",
				stdio: ["ignore", "pipe", "pipe"],
				timeout: GIT_TIMEOUT_MS,
				windowsHide: true,
			},
		);
		return objectIdOf(answer);
	} catch (error) {
		if (isUnborn(error)) return null;
		throw new Error(
			`Cannot read HEAD of a repository with ${storage} refs: ${gitFailure(error)}`,
			{ cause: error },
		);
	}
}

// `--quiet` turns "no such commit" into status 1 without words; other failures have status 128.
function isUnborn(error: unknown): boolean {
	return error instanceof Error && "status" in error && error.status === 1;
}

function gitFailure(error: unknown): string {
	const code = errorCode(error);
	if (code === "ENOENT") return "git is not installed";
	if (code === "ETIMEDOUT") {
		return `git did not answer within ${GIT_TIMEOUT_MS / 1000} s`;
	}
	const words =
		error instanceof Error && "stderr" in error ? String(error.stderr) : "";
	return words.trim().split("\n")[0] || `git failed (${code || "no reason"})`;
}

const KEPT_GIT_VARIABLES: ReadonlySet<string> = new Set([
	"GIT_CONFIG_GLOBAL",
	"GIT_CONFIG_NOSYSTEM",
	"GIT_CONFIG_SYSTEM",
	"GIT_EXEC_PATH",
]);

// Variables such as GIT_DIR, GIT_COMMON_DIR or GIT_TRACE would change which repository answers,
// or what it prints.
function gitEnvironment(): NodeJS.ProcessEnv {
	const own = Object.entries(process.env).filter(
		([name]) => !name.startsWith("GIT_") || KEPT_GIT_VARIABLES.has(name),
	);
	return {
		...Object.fromEntries(own),
		GIT_NO_LAZY_FETCH: "1",
		GIT_OPTIONAL_LOCKS: "0",
		GIT_TERMINAL_PROMPT: "0",
		LC_ALL: "C",
	};
}
