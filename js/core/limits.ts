import { RagnavError } from "./errors.js";
import { isPromise, type Reader } from "./host.js";

/** Bounds on what the questions of a navigator take; what meets one says so. All are whole numbers of at least 1; the last three may be `Infinity`. */
export interface LimitOptions {
	/** Larger files are skipped (`too_large`), in bytes. Default 4 MiB. */
	max_file_bytes?: number | null | undefined;
	/** The walk ends at this many files, and the answer says so. Default 500,000. */
	max_files?: number | null | undefined;
	/** The walk ends at this many folders, and the answer says so. Default 500,000. */
	max_folders?: number | null | undefined;
	/** Folders nested deeper are skipped (`too_deep`), in levels. Default 256. */
	max_depth?: number | null | undefined;
	/** A question or build that has read more answers `LIMIT_EXCEEDED`, in bytes. Default 32 GiB. */
	max_read_bytes?: number | null | undefined;
	/**
	 * Where the core holds more memory, what is asked of it answers `LIMIT_EXCEEDED` and the next question runs in a fresh one, in bytes.
	 * Looked at between asks of the host; workers, which hold a file at a time, are not counted. Default 2 GiB; WebAssembly ends at 4 GiB.
	 */
	max_memory_bytes?: number | null | undefined;
	/** Milliseconds after which a question that brings no time of its own answers `TIMEOUT`. Default: 10 minutes; builds have no end. */
	timeout_ms?: number | null | undefined;
}

/** What the driver holds a question against; the core holds the others. */
export interface QuestionLimits {
	maxReadBytes: number;
	maxMemoryBytes: number;
	timeoutMs: number;
}

const DEFAULTS: QuestionLimits = {
	maxReadBytes: 32 * 2 ** 30,
	maxMemoryBytes: 2 ** 31,
	timeoutMs: 600_000,
};

/** @throws {RagnavError} `INVALID_ARGUMENT` for what is no such bound. */
export function questionLimits(given: LimitOptions): QuestionLimits {
	const limit = (name: keyof LimitOptions, otherwise: number) =>
		bound(name, given[name]) ?? otherwise;
	return {
		maxReadBytes: limit("max_read_bytes", DEFAULTS.maxReadBytes),
		maxMemoryBytes: limit("max_memory_bytes", DEFAULTS.maxMemoryBytes),
		timeoutMs: limit("timeout_ms", DEFAULTS.timeoutMs),
	};
}

function bound(name: string, given: unknown): number | undefined {
	if (given === undefined || given === null) return undefined;
	const isWhole = Number.isSafeInteger(given) && Number(given) >= 1;
	if (isWhole || given === Number.POSITIVE_INFINITY) return Number(given);
	throw new RagnavError(
		"INVALID_ARGUMENT",
		`${name} must be a whole number of at least 1, or Infinity, not ${String(given)}`,
	);
}

/** What one question has taken so far. */
export class Taken {
	readonly #limits: QuestionLimits;
	readonly #memory: { readonly buffer: ArrayBuffer };
	#readBytes = 0;

	constructor(
		limits: QuestionLimits,
		memory: { readonly buffer: ArrayBuffer },
	) {
		this.#limits = limits;
		this.#memory = memory;
	}

	/** As the host's, and what it gives is counted. */
	reading(host: Reader): Reader {
		return {
			readMany: (paths, options) => {
				const given = host.readMany(paths, options);
				return isPromise(given)
					? given.then((files) => this.#count(files))
					: this.#count(given);
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

	/** What was met; `undefined` where nothing was. */
	get exceeded(): RagnavError | undefined {
		return this.memoryExceeded ?? this.#readExceeded;
	}

	/** Whether the core holds more than it may, which it never gives back. */
	get memoryExceeded(): RagnavError | undefined {
		const { maxMemoryBytes } = this.#limits;
		const held = this.#memory.buffer.byteLength;
		if (held <= maxMemoryBytes) return undefined;
		return new RagnavError(
			"LIMIT_EXCEEDED",
			`the core holds ${held} bytes of memory, and max_memory_bytes is ${maxMemoryBytes}; narrow the question, lower max_file_bytes or raise max_memory_bytes. The next call runs in a fresh core`,
		);
	}

	get #readExceeded(): RagnavError | undefined {
		const { maxReadBytes } = this.#limits;
		if (this.#readBytes <= maxReadBytes) return undefined;
		return new RagnavError(
			"LIMIT_EXCEEDED",
			`more than ${maxReadBytes} bytes were read (max_read_bytes); narrow the question with include or exclude, build the index, or raise max_read_bytes`,
		);
	}
}
