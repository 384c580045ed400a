import type { DirEntry, Failure, FileStamp, GitHead, Host } from "../host.js";
import { notAFile, refused } from "./file-failure.js";
import {
	type FileListing,
	LISTING_NAME,
	type ListedFile,
	parseListing,
} from "./file-listing.js";
import { KeptBytes } from "./kept-bytes.js";
import { folderOf, nameOf, pathProblem } from "./relative-path.js";

/** Settings of {@link fetchHost}. */
export interface FetchHostOptions {
	/** Fetches in place of the global `fetch`. */
	fetch?: typeof fetch | null | undefined;
	/** Contents that are kept for as long as their stamps hold, in bytes. Default 64 MiB. */
	keep_bytes?: number | null | undefined;
}

/** Host that reads alone, so that an index it does not bring is in memory. */
export interface FetchHost extends Host {
	gitHead(): Promise<GitHead>;
	readDirs(paths: string[]): Promise<(DirEntry[] | Failure)[]>;
	readMany(
		paths: string[],
		options: { max_bytes: number },
	): Promise<(Uint8Array | Failure)[]>;
	stat(paths: string[]): Promise<(FileStamp | Failure)[]>;
	/** The listing as the server has it now. */
	listing(): Promise<FileListing>;
}

const KEEP_BYTES = 64 * 1024 * 1024;

/** Requests that are under way at once; browsers queue them by server anyway. */
const AT_ONCE = 12;

/**
 * Host over HTTP: a folder on any server of static files, of which `ragnav-files.json` says what is in it.
 *
 * The listing is asked for anew with each question, by its ETag where the server gives one, so that an answer is of what the server has
 * then. Nothing that the listing does not name is ever fetched, and nothing is written.
 *
 * @throws TypeError for a base that is no URL
 */
export function fetchHost(
	base: string | URL,
	options?: FetchHostOptions | null,
): FetchHost {
	const remote = new Remote(
		folderUrl(base),
		options?.fetch ?? globalThis.fetch.bind(globalThis),
		options?.keep_bytes ?? KEEP_BYTES,
	);
	return {
		root: folderUrl(base).href,
		// Every question asks for the commit, once.
		gitHead: async () => {
			const { head, git_root } = (await remote.look()).listing;
			return { head, git_root };
		},
		readDirs: async (paths) => {
			const { folders } = await remote.known();
			return paths.map((path) => folders.get(path) ?? absent(path));
		},
		stat: async (paths) => {
			const tree = await remote.known();
			return paths.map((path) => stampOf(tree, path));
		},
		readMany: (paths, { max_bytes }) => remote.readMany(paths, max_bytes),
		listing: async () => (await remote.look()).listing,
	};
}

/** A listing, and the folders that it implies. */
interface Tree {
	listing: FileListing;
	files: Map<string, ListedFile>;
	folders: Map<string, DirEntry[]>;
}

class Remote {
	readonly #base: URL;
	readonly #fetch: typeof fetch;
	readonly #kept: KeptBytes;
	#tree: Tree | undefined;
	#etag: string | null = null;
	#looking: Promise<Tree> | undefined;

	constructor(base: URL, fetching: typeof fetch, keep: number) {
		this.#base = base;
		this.#fetch = fetching;
		this.#kept = new KeptBytes(keep);
	}

	/** The tree as it was seen last. */
	async known(): Promise<Tree> {
		return this.#tree ?? this.look();
	}

	/** The tree as it is at this call or later. */
	async look(): Promise<Tree> {
		// A request that is under way may have been answered before this call.
		await this.#looking?.catch(() => undefined);
		this.#looking ??= this.#ask().finally(() => {
			this.#looking = undefined;
		});
		return this.#looking;
	}

	async readMany(
		paths: string[],
		max_bytes: number,
	): Promise<(Uint8Array | Failure)[]> {
		const tree = await this.known();
		const read: (Uint8Array | Failure)[] = [];
		const waiting = paths.entries();
		const work = async () => {
			for (const [at, path] of waiting) {
				read[at] = await this.#read(tree, path, max_bytes);
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, work));
		return read;
	}

	async #ask(): Promise<Tree> {
		const url = new URL(LISTING_NAME, this.#base);
		const headers = this.#etag === null ? {} : { "if-none-match": this.#etag };
		const response = await this.#fetch(url, { cache: "no-store", headers });
		if (response.status === 304 && this.#tree !== undefined) return this.#tree;
		if (!response.ok) throw new Error(failed(url, response));
		const tree = treeOf(listingIn(url, await response.text()));
		this.#etag = response.headers.get("etag");
		this.#tree = tree;
		return tree;
	}

	async #read(
		{ listing, files, folders }: Tree,
		path: string,
		max_bytes: number,
	): Promise<Uint8Array | Failure> {
		const file = files.get(path);
		if (file === undefined) {
			return folders.has(path) ? notAFile() : absent(path);
		}
		if (file.size > max_bytes) return { error: "too_large" };
		const kept = this.#kept.get(path, file);
		if (kept !== undefined) return kept;
		const bytes = await this.#download(urlOf(this.#base, listing, path));
		if (!(bytes instanceof Uint8Array)) return bytes;
		if (bytes.length > max_bytes) return { error: "too_large" };
		this.#kept.set(path, file, bytes);
		return bytes;
	}

	async #download(url: URL): Promise<Uint8Array | Failure> {
		try {
			const response = await this.#fetch(url, { cache: "no-store" });
			if (!response.ok) return failureOf(url, response);
			return new Uint8Array(await response.arrayBuffer());
		} catch (error) {
			return { error: "io", message: String(error) };
		}
	}
}

function folderUrl(base: string | URL): URL {
	const here = typeof location === "undefined" ? undefined : location.href;
	const url = new URL(base, here);
	if (!url.pathname.endsWith("/")) url.pathname += "/";
	return url;
}

function urlOf(base: URL, { folder }: FileListing, path: string): URL {
	const segments = (folder + path).split("/").map(encodeURIComponent);
	return new URL(`./${segments.join("/")}`, base);
}

function listingIn(url: URL, text: string): FileListing {
	try {
		return parseListing(text);
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		throw new Error(`${url.href} cannot be used: ${why}`, { cause: error });
	}
}

function treeOf(listing: FileListing): Tree {
	const folders = new Map<string, DirEntry[]>([["", []]]);
	const entriesOf = (folder: string): DirEntry[] => {
		const known = folders.get(folder);
		if (known !== undefined) return known;
		const entries: DirEntry[] = [];
		folders.set(folder, entries);
		entriesOf(folderOf(folder)).push({ name: nameOf(folder), kind: "dir" });
		return entries;
	};
	for (const { path, ...stamp } of listing.files) {
		const entry = { name: nameOf(path), kind: "file" as const, ...stamp };
		entriesOf(folderOf(path)).push(entry);
	}
	const files = new Map(listing.files.map((file) => [file.path, file]));
	return { listing, files, folders };
}

function stampOf({ files, folders }: Tree, path: string): FileStamp | Failure {
	const file = files.get(path);
	if (file === undefined) return folders.has(path) ? notAFile() : absent(path);
	const { size, stamp, racy } = file;
	return { size, stamp, racy };
}


function absent(path: string): Failure {
	const problem = pathProblem(path);
	return problem === null ? { error: "missing" } : refused(problem);
}

function failureOf(url: URL, response: Response): Failure {
	if (response.status === 404) return { error: "missing" };
	if (response.status === 403) return { error: "denied" };
	return { error: "io", message: failed(url, response) };
}

function failed(url: URL, { status, statusText }: Response): string {
	return `${url.href} cannot be fetched: ${status} ${statusText}`.trim();
}
