import { type UnzipFileInfo, unzipSync } from "fflate/browser";
import { checkOptions } from "../../core/known-options.js";
import { checkAmount } from "../../core/number-options.js";
import { type MemoryHost, memoryHost } from "../memory/host.js";
import { pathProblem } from "../shared/relative-path.js";

/** The limits on the content of a zip, since a small archive can unpack to any size. */
export interface ZipLimits {
	/** The maximum number of files. */
	files: number;
	/** The maximum size of a file in bytes; larger ones are left out. */
	file_bytes: number;
	/** The maximum size of all files in bytes. */
	total_bytes: number;
	/** The maximum ratio of unpacked to packed bytes. */
	ratio: number;
}

export const ZIP_LIMITS: ZipLimits = {
	files: 100_000,
	file_bytes: 16 * 1024 * 1024,
	total_bytes: 512 * 1024 * 1024,
	ratio: 200,
};

const LIMITS = {
	files: true,
	file_bytes: true,
	total_bytes: true,
	ratio: true,
} satisfies Record<keyof ZipLimits, true>;

/** The maximum depth of folders. No walk goes deeper, and each level takes memory. */
const MAX_LEVELS = 256;

/** The ratio does not apply to archives that unpack to fewer bytes. */
const HARMLESS_BYTES = 1024 * 1024;

export interface ZipContent {
	host: MemoryHost;
	/** The number of omitted entries: too large, or with names that leave the root. */
	left_out: number;
}

/**
 * Returns a memory host of the files in a zip. Strips the top folder that all entries share, as in
 * archives of repositories.
 *
 * @param limits the limits that differ from {@link ZIP_LIMITS}
 *
 * @throws Error for bytes that are not a zip, and for a zip over the limits
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for an unknown limit, and one that is no amount.
 *
 * @example
 * ```js
 * import { strToU8, zipSync } from "fflate";
 * import { open } from "ragnav";
 * import { zipHost } from "ragnav/hosts/zip";
 *
 * const archive = zipSync({ "repo-main/a.py": strToU8("def greet():\n    pass\n") });
 * const { host, left_out } = zipHost(archive);
 * const nav = await open(host);
 * console.log((await nav.locate("greet")).items[0].file, left_out); // a.py 0
 * nav.close();
 * ```
 */
export function zipHost(
	archive: Uint8Array,
	limits?: Partial<ZipLimits> | null,
): ZipContent {
	const gate = new Gate(archive.length, validLimits(limits));
	// fflate unpacks an entry into as many bytes as its header claims, and no more.
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

function validLimits(given?: Partial<ZipLimits> | null): ZipLimits {
	checkOptions(given, LIMITS);
	const limits = { ...ZIP_LIMITS };
	for (const name of Object.keys(LIMITS) as (keyof ZipLimits)[]) {
		checkAmount(name, given?.[name]);
		limits[name] = given?.[name] ?? limits[name];
	}
	return limits;
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

	/** @throws Error if the archive is over its limits */
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
			// A file and a folder share the name, or the name is empty.
			this.leftOut += 1;
		}
	}
}

function isBad(name: string): boolean {
	// fflate stores entries in a plain object, where this name sets the prototype.
	if (name === "__proto__") return true;
	if (name.split("/", MAX_LEVELS + 2).length > MAX_LEVELS + 1) return true;
	return name.includes("\\") || pathProblem(name, true) !== null;
}

function commonFolder(paths: string[]): string {
	const [first = ""] = paths;
	const top = first.slice(0, first.indexOf("/") + 1);
	return paths.every((path) => path.startsWith(top)) ? top : "";
}
