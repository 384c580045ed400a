import { messageOf } from "../../core/errors.js";
import type {
	DirEntry,
	Failure,
	FileStamp,
	GitHead,
	Host,
} from "../../core/host.js";
import { checkOptions } from "../../core/known-options.js";
import { checkAmount } from "../../core/number-options.js";
import {
	batchFiles,
	MAX_BATCH_BYTES,
	MAX_BATCH_PATHS,
} from "../shared/batch.js";
import { notAFile, refused } from "../shared/file-failure.js";
import {
	type FileListing,
	LISTING_NAME,
	type ListedFile,
	parseListing,
} from "../shared/file-listing.js";
import { folderOf, nameOf, pathProblem } from "../shared/relative-path.js";
import { ByteCache } from "./byte-cache.js";
import { RemoteCommits } from "./commits.js";

export type { FileListing, ListedFile } from "../shared/file-listing.js";

/** The settings of {@link fetchHost}. */
export interface FetchHostOptions {
	/** Replaces the global `fetch`. */
	fetch?: typeof fetch | null | undefined;
	/** The maximum size of the cache of file contents, in bytes. Default 64 MiB. */
	keep_bytes?: number | null | undefined;
}

const OPTIONS = {
	fetch: true,
	keep_bytes: true,
} satisfies Record<keyof FetchHostOptions, true>;

/**
 * A read-only host. If the server has no index, the index lives in memory.
 *
 * @example
 * ```js
 * import { fetchHost } from "ragnav/hosts/fetch";
 *
 * const files = [{ path: "a.py", size: 6, stamp: "1" }];
 * const fetch = async () => new Response(JSON.stringify({ version: 1, files }));
 * const host = fetchHost("https://example.org/repo/", { fetch });
 * console.log((await host.listing()).files[0].path); // a.py
 * ```
 */
export interface FetchHost extends Host {
	gitHead(): Promise<GitHead>;
	readDirs(paths: string[]): Promise<(DirEntry[] | Failure)[]>;
	readMany(
		paths: string[],
		options: { max_bytes: number },
	): Promise<(Uint8Array | Failure)[]>;
	stat(paths: string[]): Promise<(FileStamp | Failure)[]>;
	/** Returns the server's current listing. */
	listing(): Promise<FileListing>;
}

const KEEP_BYTES = 64 * 1024 * 1024;

/** The maximum number of parallel requests; browsers queue them by server anyway. */
const AT_ONCE = 12;

/**
 * Returns a host over HTTP: a folder on any static file server, with a `ragnav-files.json` that
 * lists its files.
 *
 * Each query requests the listing again, by its ETag if the server sends one, so an answer
 * reflects the files on the server at that time. The host fetches only files in the listing, and
 * writes nothing.
 *
 * @throws TypeError for a base that is no URL
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for an unknown option, and an invalid `keep_bytes`.
 *
 * @example
 * ```js
 * import { once } from "node:events";
 * import { createServer } from "node:http";
 * import { open } from "ragnav";
 * import { fetchHost } from "ragnav/hosts/fetch";
 *
 * const files = [{ path: "a.py", size: 6, stamp: "1" }];
 * const served = {
 *   "/repo/ragnav-files.json": JSON.stringify({ version: 1, files }),
 *   "/repo/a.py": "x = 1\n",
 * };
 * const server = createServer(({ url }, response) => response.end(served[url]));
 * await once(server.listen(0), "listening");
 * const nav = await open(fetchHost(`http://localhost:${server.address().port}/repo/`));
 * console.log((await nav.search("x")).items[0].file); // a.py
 * nav.close();
 * server.close();
 * ```
 */
export function fetchHost(
	base: string | URL,
	options?: FetchHostOptions | null,
): FetchHost {
	checkOptions(options, OPTIONS);
	checkAmount("keep_bytes", options?.keep_bytes);
	const fetching = options?.fetch ?? globalThis.fetch.bind(globalThis);
	const remote = new Remote(
		folderUrl(base),
		fetching,
		options?.keep_bytes ?? KEEP_BYTES,
	);
	const commits = new RemoteCommits(
		folderUrl(base),
		fetching,
		async () => (await remote.known()).listing,
	);
	return {
		root: folderUrl(base).href,
		// Every query requests the commit before it reads files, so this refreshes the listing.
		gitHead: async () => {
			const { head, git_root } = (await remote.refresh()).listing;
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
		changes: (request) => commits.changes(request),
		readObjects: (ids, { max_bytes }) => commits.readObjects(ids, max_bytes),
		listing: async () => (await remote.refresh()).listing,
	};
}

/** A listing, with its files and the folders that they imply by path. */
interface Tree {
	listing: FileListing;
	files: Map<string, ListedFile>;
	folders: Map<string, DirEntry[]>;
}

class Remote {
	readonly #base: URL;
	readonly #fetch: typeof fetch;
	readonly #cache: ByteCache;
	#tree: Tree | undefined;
	#etag: string | null = null;
	#refreshing: Promise<Tree> | undefined;

	constructor(base: URL, fetching: typeof fetch, keep: number) {
		this.#base = base;
		this.#fetch = fetching;
		this.#cache = new ByteCache(keep);
	}

	/** Returns the latest tree, and requests it if there is none. */
	async known(): Promise<Tree> {
		return this.#tree ?? this.refresh();
	}

	/** Requests the tree, no earlier than at this call. */
	async refresh(): Promise<Tree> {
		// The server may have answered a pending request before this call.
		await this.#refreshing?.catch(() => undefined);
		this.#refreshing ??= this.#request().finally(() => {
			this.#refreshing = undefined;
		});
		return this.#refreshing;
	}

	async readMany(
		paths: string[],
		max_bytes: number,
	): Promise<(Uint8Array | Failure)[]> {
		const tree = await this.known();
		const read = new Map<string, Uint8Array | Failure>();
		const toFetch: ListedFile[] = [];
		for (const path of new Set(paths)) {
			const known = this.#cachedOrFile(tree, path, max_bytes);
			if ("path" in known) toFetch.push(known);
			else read.set(path, known);
		}
		const waiting = groupsOf(toFetch, tree.listing.batch).values();
		const work = async () => {
			for (const group of waiting) {
				const loaded = await this.#download(tree.listing, group);
				for (const [at, file] of group.entries()) {
					const bytes = loaded[at] ?? { error: "missing" };
					read.set(file.path, this.#keep(file, bytes, max_bytes));
				}
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, work));
		return paths.map((path) => read.get(path) ?? absent(path));
	}

	async #request(): Promise<Tree> {
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

	/** Returns the file's cached content or its failure; the file itself if it must be fetched. */
	#cachedOrFile(
		{ files, folders }: Tree,
		path: string,
		max_bytes: number,
	): ListedFile | Uint8Array | Failure {
		const file = files.get(path);
		if (file === undefined) {
			return folders.has(path) ? notAFile() : absent(path);
		}
		if (file.size > max_bytes) return { error: "too_large" };
		return this.#cache.get(path, file) ?? file;
	}

	#keep(
		file: ListedFile,
		bytes: Uint8Array | Failure,
		max_bytes: number,
	): Uint8Array | Failure {
		if (!(bytes instanceof Uint8Array)) return bytes;
		if (bytes.length > max_bytes) return { error: "too_large" };
		this.#cache.set(file.path, file, bytes);
		return bytes;
	}

	async #download(
		listing: FileListing,
		group: ListedFile[],
	): Promise<(Uint8Array | Failure)[]> {
		try {
			const [first] = group;
			if (group.length > 1 && listing.batch !== null) {
				return await this.#fetchMany(listing.batch, group);
			}
			if (first === undefined) return [];
			return [await this.#fetchOne(urlOf(this.#base, listing, first.path))];
		} catch (error) {
			return group.map(() => ({ error: "io", message: String(error) }));
		}
	}

	async #fetchOne(url: URL): Promise<Uint8Array | Failure> {
		const response = await this.#fetch(url, { cache: "no-store" });
		if (!response.ok) return failureOf(url, response);
		return new Uint8Array(await response.arrayBuffer());
	}

	async #fetchMany(
		batch: string,
		group: ListedFile[],
	): Promise<(Uint8Array | Failure)[]> {
		const url = new URL(`./${batch}`, this.#base);
		const response = await this.#fetch(url, {
			method: "POST",
			cache: "no-store",
			headers: { "content-type": "application/json" },
			body: JSON.stringify(group.map(({ path }) => path)),
		});
		if (!response.ok) {
			const failure = failureOf(url, response);
			return group.map(() => failure);
		}
		const files = batchFiles(await response.arrayBuffer(), group.length);
		return files.map((bytes) => bytes ?? { error: "missing" });
	}
}

/** Groups files for fetching: many to a request if the server supports batches, else one. */
function groupsOf(files: ListedFile[], batch: string | null): ListedFile[][] {
	if (batch === null) return files.map((file) => [file]);
	const groups: ListedFile[][] = [];
	let group: ListedFile[] = [];
	let bytes = 0;
	for (const file of files) {
		const isFull =
			group.length >= MAX_BATCH_PATHS || bytes + file.size > MAX_BATCH_BYTES;
		if (isFull && group.length > 0) {
			groups.push(group);
			group = [];
			bytes = 0;
		}
		group.push(file);
		bytes += file.size;
	}
	return group.length > 0 ? [...groups, group] : groups;
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
		const message = `${url.href} cannot be used: ${messageOf(error)}`;
		throw new Error(message, { cause: error });
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
