import type { FileStamp } from "../../core/host.js";

interface Kept {
	stamp: string;
	bytes: Uint8Array;
}

/** A least-recently-used cache of file contents, valid for their stamps. */
export class KeptBytes {
	readonly #kept = new Map<string, Kept>();
	readonly #limit: number;
	#total = 0;

	/** @param limit the maximum size in bytes */
	constructor(limit: number) {
		this.#limit = limit;
	}

	/** Returns the content of a file with this stamp. */
	get(path: string, { stamp }: FileStamp): Uint8Array | undefined {
		const kept = this.#kept.get(path);
		if (kept?.stamp !== stamp) return undefined;
		this.#kept.delete(path);
		this.#kept.set(path, kept);
		return kept.bytes;
	}

	/** Stores a content, unless the stamp cannot prove it. */
	set(path: string, { stamp, size, racy }: FileStamp, bytes: Uint8Array): void {
		this.#forget(path);
		if (racy || bytes.length !== size || size > this.#limit) return;
		this.#kept.set(path, { stamp, bytes });
		this.#total += bytes.length;
		for (const oldest of this.#kept.keys()) {
			if (this.#total <= this.#limit) return;
			this.#forget(oldest);
		}
	}

	#forget(path: string): void {
		this.#total -= this.#kept.get(path)?.bytes.length ?? 0;
		this.#kept.delete(path);
	}
}
