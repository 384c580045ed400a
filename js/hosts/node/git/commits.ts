import { createHash } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type {
	ChangedFile,
	Changes,
	ChangesRequest,
	Failure,
} from "../../../core/host.js";
import { findRepository } from "./repository.js";
import { gitFailure, runGit, runGitOn } from "./run-git.js";

/** What `to` is for the files that are staged for the next commit. */
const STAGED = "staged";

/** Bytes of objects that are read at once. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;

/** The mode of a file that can be run, and of any other; links and submodules have others. */
export const FILE_MODES: ReadonlySet<string> = new Set(["100644", "100755"]);

/** A file of a commit. */
interface Entry {
	id: string;
	/** In bytes; `null` for a staged file. */
	size: number | null;
}

type Tree = Map<string, Entry>;

/**
 * Returns the files that differ between a commit and another, what is staged, or the disk; `null` if
 * there is no such commit.
 *
 * git reads its objects and its index here, and no files: for these it would run the programs that a
 * repository configures as filters.
 *
 * @throws Error outside of a repository, and if git is missing or fails
 */
export function readChanges(
	root: string,
	{ from, to, paths, unsaved }: ChangesRequest,
): Changes | null {
	const { gitDir, down, kind } = requireRepository(root);
	if (kind === "bare" && (to === null || to === STAGED)) {
		throw new Error(
			"a bare repository has no files of its own; compare two commits (`since` and `to`)",
		);
	}
	return reporting(() => {
		const first = commitId(gitDir, from);
		if (first === null) return null;
		const before = treeOf(gitDir, first, down);
		if (to === null) {
			const files = differingFromDisk(root, before, paths, new Set(unsaved));
			return { from: first, to: null, files };
		}
		if (to === STAGED) {
			const after = stagedFiles(gitDir, down);
			return { from: first, to: null, files: differing(before, after) };
		}
		const second = commitId(gitDir, to);
		if (second === null) return null;
		const after = treeOf(gitDir, second, down);
		return { from: first, to: second, files: differing(before, after) };
	});
}

/**
 * Returns the contents of objects in their order.
 *
 * @throws Error outside of a repository, and if git is missing or fails
 */
export function readObjects(
	root: string,
	ids: readonly string[],
	maxBytes: number,
): (Uint8Array | Failure)[] {
	const { gitDir } = requireRepository(root);
	return reporting(() => {
		const sizes = objectSizes(gitDir, ids);
		const contents = ids.map((id): Uint8Array | Failure => {
			const size = sizes.get(id);
			if (size === undefined) return { error: "missing" };
			return { error: size > maxBytes ? "too_large" : "io" };
		});
		for (const batch of batches(ids, sizes, maxBytes)) {
			const found = objectContents(
				gitDir,
				batch.map((at) => ids[at] ?? ""),
			);
			for (const [order, at] of batch.entries()) {
				contents[at] = found[order] ?? { error: "io" };
			}
		}
		return contents;
	});
}

/**
 * Returns git's folder for a folder, and the path down to it.
 *
 * @throws Error outside of a repository
 */
export function requireRepository(root: string) {
	const repository = findRepository(root);
	if (!repository?.gitDir)
		throw new Error(
			"the folder is in no git repository; run `git init`, or ask about the files as they are",
		);
	const { gitDir, down, kind } = repository;
	return { gitDir, down, kind };
}

/** @throws Error that says why git failed */
export function reporting<T>(work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw new Error(`Cannot read commits: ${gitFailure(error)}`, {
			cause: error,
		});
	}
}

/** Returns the full id of a commit; `null` if there is none of the name. */
export function commitId(gitDir: string, name: string): string | null {
	const args = ["rev-parse", "--verify", "--quiet", "--end-of-options"];
	try {
		return runGit(gitDir, [...args, `${name}^{commit}`]).trim() || null;
	} catch (error) {
		// git says nothing and fails with 1.
		if ((error as { status?: unknown }).status === 1) return null;
		throw error;
	}
}

/** Returns the files of a commit in a folder of its repository. */
export function treeOf(gitDir: string, commit: string, down: string): Tree {
	const args = ["ls-tree", "-r", "-l", "-z", "--full-tree", commit];
	const inFolder = down === "" ? [] : ["--", `${down}/`];
	const tree: Tree = new Map();
	for (const line of runGit(gitDir, [...args, ...inFolder]).split("\0")) {
		const [about = "", path] = splitOnce(line, "\t");
		const [mode = "", , id = "", size] = about.split(/ +/);
		if (path === undefined || !FILE_MODES.has(mode)) continue;
		tree.set(below(path, down), { id, size: Number(size) });
	}
	return tree;
}

/** Returns the files that are staged in a folder of the repository. */
function stagedFiles(gitDir: string, down: string): Tree {
	const tree: Tree = new Map();
	for (const line of runGit(gitDir, ["ls-files", "--stage", "-z"]).split(
		"\0",
	)) {
		const [about = "", path] = splitOnce(line, "\t");
		const [mode = "", id = "", stage] = about.split(" ");
		if (path === undefined || !FILE_MODES.has(mode) || stage !== "0") continue;
		if (down !== "" && !path.startsWith(`${down}/`)) continue;
		tree.set(below(path, down), { id, size: null });
	}
	return tree;
}

/** Returns the files that differ between two states. */
export function differing(before: Tree, after: Tree): ChangedFile[] {
	const paths = new Set([...before.keys(), ...after.keys()]);
	return [...paths].flatMap((path) => {
		const [old, now] = [before.get(path)?.id, after.get(path)?.id];
		if (old === now) return [];
		return [{ path, before: old ?? null, after: now ?? null }];
	});
}

function differingFromDisk(
	root: string,
	before: Tree,
	paths: readonly string[],
	unsaved: ReadonlySet<string>,
): ChangedFile[] {
	const files: ChangedFile[] = [];
	for (const path of paths) {
		const entry = before.get(path);
		const isEqual = entry !== undefined && isOnDisk(join(root, path), entry);
		if (isEqual && !unsaved.has(path)) continue;
		files.push({ path, before: entry?.id ?? null, after: null });
	}
	const present = new Set(paths);
	for (const [path, { id }] of before) {
		if (present.has(path) || exists(join(root, path))) continue;
		files.push({ path, before: id, after: null });
	}
	return files;
}

/** Reports whether a file has the content of an object. */
function isOnDisk(file: string, { id, size }: Entry): boolean {
	try {
		if (lstatSync(file).size !== size) return false;
		const bytes = readFileSync(file);
		// https://git-scm.com/book/en/v2/Git-Internals-Git-Objects
		const hash = createHash(id.length === 40 ? "sha1" : "sha256");
		hash.update(`blob ${bytes.length}\0`).update(bytes);
		return hash.digest("hex") === id;
	} catch {
		// The core reads it again, and says why it cannot.
		return false;
	}
}

function exists(file: string): boolean {
	return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

function below(path: string, down: string): string {
	return down === "" ? path : path.slice(down.length + 1);
}

function splitOnce(text: string, at: string): [string, string?] {
	const place = text.indexOf(at);
	return place < 0 ? [text] : [text.slice(0, place), text.slice(place + 1)];
}

/** Returns the sizes of the objects that exist and hold files. */
function objectSizes(
	gitDir: string,
	ids: readonly string[],
): Map<string, number> {
	const output = runGitOn(gitDir, ["cat-file", "--batch-check"], lines(ids));
	const sizes = new Map<string, number>();
	for (const line of output.toString("utf8").split("\n")) {
		const [id = "", type, size] = line.split(" ");
		if (type === "blob") sizes.set(id, Number(size));
	}
	return sizes;
}

/** Returns the indices of objects, in batches of a bounded size. */
function batches(
	ids: readonly string[],
	sizes: ReadonlyMap<string, number>,
	maxBytes: number,
): number[][] {
	const all: number[][] = [];
	let room = 0;
	for (const [at, id] of ids.entries()) {
		const size = sizes.get(id);
		if (size === undefined || size > maxBytes) continue;
		if (size > room) {
			all.push([]);
			room = MAX_BATCH_BYTES;
		}
		room -= size;
		all.at(-1)?.push(at);
	}
	return all;
}

/** Reads `ID blob SIZE`, a line break, the content and a line break for each object. */
function objectContents(gitDir: string, ids: readonly string[]): Buffer[] {
	const output = runGitOn(gitDir, ["cat-file", "--batch"], lines(ids));
	let at = 0;
	return ids.map(() => {
		const start = output.indexOf("\n", at) + 1;
		const size = Number(output.toString("latin1", at, start).split(" ")[2]);
		at = start + size + 1;
		return output.subarray(start, start + size);
	});
}

function lines(ids: readonly string[]): string {
	return ids.map((id) => `${id}\n`).join("");
}
