import { RagnavError } from "./errors.js";
import { describeGiven } from "./given-value.js";
import { isPromise, type Reader } from "./host.js";
import { checkNumber } from "./number-options.js";

/**
 * The limits of a navigator's queries. All are whole numbers of at least 1; the last three may be
 * `Infinity`.
 */
export interface LimitOptions {
	/**
	 * The maximum size of a file in bytes; the walk skips larger files (`too_large`). Default 4 MiB.
	 */
	max_file_bytes?: number | null | undefined;
	/** The maximum number of files of a walk; above it, the answer is truncated. Default 500,000. */
	max_files?: number | null | undefined;
	/** The maximum number of folders of a walk; above it, the answer is truncated. Default 500,000. */
	max_folders?: number | null | undefined;
	/** The maximum depth of folders; the walk skips deeper folders (`too_deep`). Default 256. */
	max_depth?: number | null | undefined;
	/**
	 * The maximum number of bytes that a query or build reads; above it, it answers `LIMIT_EXCEEDED`.
	 * Default 32 GiB.
	 */
	max_read_bytes?: number | null | undefined;
	/**
	 * The maximum memory of the core in bytes. Above it, running queries answer `LIMIT_EXCEEDED`, and
	 * the next query uses a new core. Default 2 GiB; WebAssembly itself ends at 4 GiB.
	 *
	 * ragnav checks the limit between two requests to the host. It does not count workers, which hold
	 * one file at a time.
	 */
	max_memory_bytes?: number | null | undefined;
	/**
	 * The default time limit of a query in milliseconds; above it, the query answers `TIMEOUT`.
	 * Default 10 minutes. Builds have no default limit.
	 */
	timeout_ms?: number | null | undefined;
}

/** The limits that the driver checks; the core checks the others. */
export interface QueryLimits {
	maxReadBytes: number;
	maxMemoryBytes: number;
	timeoutMs: number;
}

const DEFAULTS: QueryLimits = {
	maxReadBytes: 32 * 2 ** 30,
	maxMemoryBytes: 2 ** 31,
	timeoutMs: 600_000,
};

/** The limits that the core checks, all within its whole numbers. */
const LIMITS_OF_CORE = [
	"max_file_bytes",
	"max_files",
	"max_folders",
	"max_depth",
] as const;

/**
 * Validates the limits, and returns those that the driver checks, with the defaults.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for an invalid limit.
 */
export function queryLimits(given: LimitOptions): QueryLimits {
	for (const name of LIMITS_OF_CORE) checkNumber(name, given[name]);
	const limit = (name: keyof LimitOptions, otherwise: number) =>
		validLimit(name, given[name]) ?? otherwise;
	return {
		maxReadBytes: limit("max_read_bytes", DEFAULTS.maxReadBytes),
		maxMemoryBytes: limit("max_memory_bytes", DEFAULTS.maxMemoryBytes),
		timeoutMs: limit("timeout_ms", DEFAULTS.timeoutMs),
	};
}

function validLimit(name: string, given: unknown): number | undefined {
	if (given === undefined || given === null) return undefined;
	const isWhole = Number.isInteger(given) && Number(given) >= 1;
	if (isWhole || given === Number.POSITIVE_INFINITY) return Number(given);
	throw new RagnavError(
		"INVALID_ARGUMENT",
		`${name} must be a whole number of at least 1, or Infinity, not ${describeGiven(given)}`,
	);
}

/** The resources that one query has used so far. */
export class Usage {
	readonly #limits: QueryLimits;
	readonly #memory: { readonly buffer: ArrayBuffer };
	#readBytes = 0;

	constructor(limits: QueryLimits, memory: { readonly buffer: ArrayBuffer }) {
		this.#limits = limits;
		this.#memory = memory;
	}

	/** Wraps a reader, and counts the bytes that it returns. */
	countReads(host: Reader): Reader {
		return {
			readMany: (paths, options) => {
				const read = host.readMany(paths, options);
				return isPromise(read)
					? read.then((files) => this.#count(files))
					: this.#count(read);
			},
		};
	}

	#count<T>(files: T): T {
		if (!Array.isArray(files)) return files;
		for (const file of files) {
			if (file instanceof Uint8Array) this.#readBytes += file.byteLength;
		}
		return files;
	}

	/** The error of the limit that the query exceeded; `undefined` if it exceeded none. */
	get exceeded(): RagnavError | undefined {
		return this.memoryExceeded ?? this.#readExceeded;
	}

	/**
	 * The error of a core above its memory limit. The core is unusable then, since it frees nothing.
	 */
	get memoryExceeded(): RagnavError | undefined {
		const { maxMemoryBytes } = this.#limits;
		const used = this.#memory.buffer.byteLength;
		if (used <= maxMemoryBytes) return undefined;
		const message =
			`the core uses ${used} bytes of memory, and max_memory_bytes is ${maxMemoryBytes}; ` +
			"narrow the query, lower max_file_bytes or raise max_memory_bytes. " +
			"The next call uses a new core";
		return new RagnavError("LIMIT_EXCEEDED", message);
	}

	get #readExceeded(): RagnavError | undefined {
		const { maxReadBytes } = this.#limits;
		if (this.#readBytes <= maxReadBytes) return undefined;
		const message =
			`the query read more than ${maxReadBytes} bytes (max_read_bytes); ` +
			"narrow it with include or exclude, build the index, or raise max_read_bytes";
		return new RagnavError("LIMIT_EXCEEDED", message);
	}
}
