import type { FileStamp } from "../../core/host.js";
import { pathProblem } from "./relative-path.js";

/** The name of the file that lists the files of a repository. */
export const LISTING_NAME = "ragnav-files.json";

/** The version of the listing's layout. */
export const LISTING_VERSION = 1;

/** The content of `ragnav-files.json`: a repository's files, which HTTP itself cannot list. */
export interface FileListing {
	version: typeof LISTING_VERSION;
	/** The repository's name, for messages. */
	root: string | null;
	/** The commit that is checked out. */
	head: string | null;
	/** The path up to the git repository's root: `""`, `"../.."`; `null` outside a repository. */
	git_root: string | null;
	/** The folder of the files, relative to the listing, with a final `/`; `""` for its own folder. */
	folder: string;
	/** The path of batch requests, relative to the listing; `null` for static file servers. */
	batch: string | null;
	/** The path of requests for commits, relative to the listing; `null` if the server gives none. */
	commits: string | null;
	/** The files that can be fetched, with those of the index if there is one. */
	files: ListedFile[];
}

/** A file of a listing. */
export interface ListedFile extends FileStamp {
	/** The path relative to the repository's root, with `/`. */
	path: string;
}

/**
 * Parses a listing.
 *
 * @throws Error for a text that is not a listing, or names paths outside its folder
 */
export function parseListing(text: string): FileListing {
	const value: unknown = JSON.parse(text);
	if (!isRecord(value) || value.version !== LISTING_VERSION) {
		throw new Error(`it is no listing of version ${LISTING_VERSION}`);
	}
	const { folder = "", batch = null, commits = null, files } = value;
	if (typeof folder !== "string" || !isFolder(folder)) {
		throw new Error("its folder is no relative path that ends with /");
	}
	if (batch !== null && !isName(batch)) {
		throw new Error("its batch is no relative path");
	}
	if (commits !== null && !isName(commits)) {
		throw new Error("its commits are no relative path");
	}
	if (!Array.isArray(files)) throw new Error("it has no list of files");
	return {
		version: LISTING_VERSION,
		root: textOrNull(value.root),
		head: textOrNull(value.head),
		git_root: textOrNull(value.git_root),
		folder,
		batch,
		commits,
		files: files.map(listedFile),
	};
}

function listedFile(value: unknown): ListedFile {
	if (!isRecord(value)) throw new Error("a file of it is no object");
	const { path, size, stamp, racy } = value;
	if (typeof path !== "string" || path === "" || pathProblem(path) !== null) {
		throw new Error(`it names a bad path: ${JSON.stringify(path)}`);
	}
	if (typeof size !== "number" || typeof stamp !== "string") {
		throw new Error(`${JSON.stringify(path)} has no size or no stamp`);
	}
	return { path, size, stamp, racy: racy === true };
}

function isFolder(folder: string): boolean {
	if (folder === "") return true;
	return folder.endsWith("/") && pathProblem(folder.slice(0, -1)) === null;
}

function isName(value: unknown): value is string {
	return (
		typeof value === "string" && value !== "" && pathProblem(value) === null
	);
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null;
}

function textOrNull(value: unknown): string | null {
	return typeof value === "string" ? value : null;
}
