import { type UnzipFileInfo, unzipSync } from "fflate/browser";
import { type MemoryHost, memoryHost } from "../memory/host.js";
import { pathProblem } from "../shared/relative-path.js";

/** What a zip may come to. A small archive can be made to hold more than any machine. */
export interface ZipLimits {
	files: number;
	file_bytes: number;
	total_bytes: number;
	/** Bytes that one byte of the archive may stand for. */
	ratio: number;
}

export const ZIP_LIMITS: ZipLimits = {
	files: 100_000,
	file_bytes: 16 * 1024 * 1024,
	total_bytes: 512 * 1024 * 1024,
	ratio: 200,
};

/** Folders in each other. No walk goes deeper, and each is kept though it holds but the next. */
const MAX_LEVELS = 256;

/** Below this nothing is too much, however well it was compressed. */
const HARMLESS_BYTES = 1024 * 1024;

export interface ZipContent {
	host: MemoryHost;
	/** Entries that were left out: too large, or with names that lead elsewhere. */
	left_out: number;
}

/**
 * A host of the files in a zip. One folder that all of them are in, as archives of repositories have it, is taken off.
 *
 * @throws Error for what is no zip, and for one beyond the limits
 */
export function zipHost(
	archive: Uint8Array,
	limits: ZipLimits = ZIP_LIMITS,
): ZipContent {
	const gate = new Gate(archive.length, limits);
	// The sizes that an entry claims are all that it gets: it is unpacked into as many bytes.
	const entries = unzipSync(archive, { filter: (file) => gate.admits(file) });
	const paths = Object.keys(entries);
	const top = commonFolder(paths);
	const host = memoryHost({}, { readOnly: true });
	for (const path of paths) {
		const bytes = entries[path];
		if (bytes !== undefined) gate.put(host, path.slice(top.length), bytes);
	}
	return { host, left_out: gate.leftOut };
}

class Gate {
	readonly #limits: ZipLimits;
	readonly #most: number;
	#files = 0;
	#total = 0;
	leftOut = 0;

	constructor(archiveBytes: number, limits: ZipLimits) {
		this.#limits = limits;
		const byRatio = Math.max(archiveBytes * limits.ratio, HARMLESS_BYTES);
		this.#most = Math.min(limits.total_bytes, byRatio);
	}

	/** @throws Error where the archive is beyond its limits */
	admits({ name, originalSize }: UnzipFileInfo): boolean {
		if (name.endsWith("/")) return false;
		this.#files += 1;
		if (this.#files > this.#limits.files) {
			throw new Error(`the zip has more than ${this.#limits.files} files`);
		}
		if (isBad(name) || originalSize > this.#limits.file_bytes) {
			this.leftOut += 1;
			return false;
		}
		this.#total += originalSize;
		if (this.#total > this.#most) {
			throw new Error(
				`the zip unpacks to more than ${this.#most} bytes, which it may not`,
			);
		}
		return true;
	}

	put(host: MemoryHost, path: string, bytes: Uint8Array): void {
		try {
			host.files.set(path, bytes);
		} catch {
			// A file and a folder of one name, or nothing left of the name.
			this.leftOut += 1;
		}
	}
}

function isBad(name: string): boolean {
	// To the reader of zips this name is none but an object's own.
	if (name === "__proto__") return true;
	if (name.split("/", MAX_LEVELS + 2).length > MAX_LEVELS + 1) return true;
	return name.includes("\\") || pathProblem(name, true) !== null;
}

function commonFolder(paths: string[]): string {
	const [first = ""] = paths;
	const top = first.slice(0, first.indexOf("/") + 1);
	return paths.every((path) => path.startsWith(top)) ? top : "";
}
