import type { FileStamp } from "../../core/host.js";
import { stampAt } from "./stat.js";

/**
 * The files with several hard links. Another name of a file may lie in a folder that is not watched,
 * so these files are compared with their stamps.
 */
export class LinkedFiles {
	readonly #stamps = new Map<string, FileStamp>();
	#changes = 0;

	get count(): number {
		return this.#stamps.size;
	}

	/** Adds a file with its stamp. What is known of the file already stays, until it is compared. */
	add(place: string, stamp: FileStamp): void {
		if (!this.#stamps.has(place)) this.#stamps.set(place, stamp);
	}

	/** Compares the files, and returns the number of changes so far. A racy stamp counts as one. */
	changes(): number {
		const nowMs = Date.now();
		for (const [place, known] of [...this.#stamps]) {
			const stamp = stampAt(place, nowMs);
			const isSame = stamp?.stamp === known.stamp && stamp.size === known.size;
			if (!isSame || known.racy) this.#changes += 1;
			if (stamp === undefined) this.#stamps.delete(place);
			else this.#stamps.set(place, stamp);
		}
		return this.#changes;
	}
}
