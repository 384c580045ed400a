import type {
	DirEntry,
	Failure,
	FileStamp,
	GitHead,
	Host,
} from "../../../core/host.js";
import { notAFile, refused } from "../../../hosts/shared/file-failure.js";
import {
	folderOf,
	nameOf,
	pathProblem,
} from "../../../hosts/shared/relative-path.js";

/** The age below which a file may still change without another stamp, in milliseconds. */
const RACY_MS = 2000;

const OBJECT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** The maximum size of a file with refs, in bytes; a single ref is far smaller. */
const MAX_REFS_BYTES = 16 * 1024 * 1024;

type Folder = FileSystemDirectoryHandle;

/** Returns a host for the folder that the user opened in the page. It reads nothing beside it. */
export function directoryHost(root: Folder): Host {
	const read = (path: string, max_bytes: number) =>
		readFile(root, path, max_bytes);
	return {
		root: root.name,
		gitHead: () => gitHead(read),
		readDirs: (paths) =>
			Promise.all(paths.map((path) => entriesOf(root, path))),
		readMany: (paths, { max_bytes }) =>
			Promise.all(paths.map((path) => read(path, max_bytes))),
		stat: (paths) => Promise.all(paths.map((path) => stampOf(root, path))),
	};
}

async function entriesOf(
	root: Folder,
	path: string,
): Promise<DirEntry[] | Failure> {
	return attempt(path, async () => {
		const folder = await folderAt(root, path);
		const entries: DirEntry[] = [];
		for await (const [name, { kind }] of folder.entries()) {
			entries.push({ name, kind: kind === "file" ? "file" : "dir" });
		}
		return entries;
	});
}

function stampOf(root: Folder, path: string): Promise<FileStamp | Failure> {
	return attempt(path, async () => {
		const { size, lastModified } = await fileAt(root, path);
		const racy = Date.now() - lastModified < RACY_MS;
		return { size, stamp: `${lastModified}`, racy };
	});
}

function readFile(
	root: Folder,
	path: string,
	max_bytes: number,
): Promise<Uint8Array | Failure> {
	return attempt(path, async () => {
		const file = await fileAt(root, path);
		if (file.size > max_bytes) return { error: "too_large" };
		return new Uint8Array(await file.arrayBuffer());
	});
}

async function fileAt(root: Folder, path: string): Promise<File> {
	const folder = await folderAt(root, folderOf(path));
	return (await folder.getFileHandle(nameOf(path))).getFile();
}

async function folderAt(root: Folder, path: string): Promise<Folder> {
	let folder = root;
	for (const name of path === "" ? [] : path.split("/")) {
		folder = await folder.getDirectoryHandle(name);
	}
	return folder;
}

async function attempt<T>(
	path: string,
	work: () => Promise<T | Failure>,
): Promise<T | Failure> {
	const problem = pathProblem(path);
	if (problem !== null) return refused(problem);
	try {
		return await work();
	} catch (error) {
		return failureOf(error);
	}
}

function failureOf(error: unknown): Failure {
	const name = error instanceof DOMException ? error.name : "";
	if (name === "NotFoundError") return { error: "missing" };
	if (name === "TypeMismatchError") return notAFile();
	if (name === "NotAllowedError") return { error: "denied" };
	return { error: "io", message: String(error) };
}

type Read = (path: string, max_bytes: number) => Promise<Uint8Array | Failure>;

/**
 * Returns the commit of a repository whose `.git` is a folder. The `.git` file of a worktree leads
 * out of the folder that the user opened.
 */
async function gitHead(read: Read): Promise<GitHead> {
	const head = await lineOf(read, ".git/HEAD");
	if (head === null) return { head: null, git_root: null };
	const ref = /^ref: (refs\/.+)$/.exec(head)?.[1];
	const id = ref === undefined ? head : await idOf(read, ref);
	return { head: id !== null && OBJECT_ID.test(id) ? id : null, git_root: "" };
}

async function idOf(read: Read, ref: string): Promise<string | null> {
	const loose = await lineOf(read, `.git/${ref}`);
	if (loose !== null) return loose;
	const packed = await textOf(read, ".git/packed-refs");
	const line = packed?.split("\n").find((text) => text.endsWith(` ${ref}`));
	return line?.split(" ")[0] ?? null;
}

async function lineOf(read: Read, path: string): Promise<string | null> {
	return (await textOf(read, path))?.trim() ?? null;
}

async function textOf(read: Read, path: string): Promise<string | null> {
	const bytes = await read(path, MAX_REFS_BYTES);
	return bytes instanceof Uint8Array ? new TextDecoder().decode(bytes) : null;
}
