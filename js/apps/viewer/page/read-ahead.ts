import type { FetchHost, ListedFile } from "../../../hosts/fetch/host.js";

/** A host whose files can be fetched before a query requests them. */
export interface ReadAheadHost extends FetchHost {
	/** Fetches files into the cache of the host, the files of the index first. */
	readAhead(files: readonly ListedFile[]): Promise<void>;
	/** Stops reading ahead; the cache keeps what has been read. */
	stop(): void;
}

/** The maximum size of a file that is read ahead, in bytes. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** The maximum size of all files: less than the host's cache, so that the last files evict none. */
const MAX_BYTES = 56 * 1024 * 1024;

/** The bounds of one request: large enough to be fast, small enough that queries wait briefly. */
const GROUP_FILES = 256;
const GROUP_BYTES = 1024 * 1024;
/** The number of parallel requests: the server reads the next group while the page receives one. */
const AT_ONCE = 3;

/** The folder of the index, which every query needs. */
const INDEX_FOLDER = ".llmc/";

/**
 * Adds reading ahead to a host. A query that needs a file that is being fetched waits for it
 * instead of fetching it again.
 */
export function readAheadHost(host: FetchHost): ReadAheadHost {
	const pending = new Map<string, Promise<unknown>>();
	let stopping = new AbortController();

	const readGroup = async (paths: string[]): Promise<void> => {
		// A query that needs a file reports why it cannot be read.
		const reading = host
			.readMany(paths, { max_bytes: MAX_FILE_BYTES })
			.catch(() => undefined);
		for (const path of paths) pending.set(path, reading);
		await reading;
		for (const path of paths) {
			if (pending.get(path) === reading) pending.delete(path);
		}
	};

	return {
		...host,
		readMany: async (paths, options) => {
			await Promise.all(new Set(paths.map((path) => pending.get(path))));
			return host.readMany(paths, options);
		},
		readAhead: async (files) => {
			stopping.abort();
			stopping = new AbortController();
			const { signal } = stopping;
			const groups = groupsOf(indexFirst(files)).values();
			const work = async () => {
				for (const group of groups) {
					if (signal.aborted) return;
					await readGroup(group);
				}
			};
			await Promise.all(Array.from({ length: AT_ONCE }, work));
		},
		stop: () => stopping.abort(),
	};
}

function indexFirst(files: readonly ListedFile[]): ListedFile[] {
	const isOfIndex = ({ path }: ListedFile) => path.startsWith(INDEX_FOLDER);
	return [
		...files.filter(isOfIndex),
		...files.filter((file) => !isOfIndex(file)),
	];
}

/** Groups paths into requests, up to the size of the cache. */
function groupsOf(files: readonly ListedFile[]): string[][] {
	const groups: string[][] = [];
	let group: string[] = [];
	let size = 0;
	let total = 0;
	for (const file of files) {
		if (file.size > MAX_FILE_BYTES) continue;
		total += file.size;
		if (total > MAX_BYTES) break;
		if (group.length >= GROUP_FILES || size + file.size > GROUP_BYTES) {
			groups.push(group);
			group = [];
			size = 0;
		}
		group.push(file.path);
		size += file.size;
	}
	return [...groups, group].filter(({ length }) => length > 0);
}
