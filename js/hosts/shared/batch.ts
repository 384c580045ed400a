/** Many files as the bytes of one response: each its length in four bytes, then its content. */

/** Paths that one request may name. */
export const MAX_BATCH_PATHS = 256;

/** Bytes that one response may hold, the last file not counted. */
export const MAX_BATCH_BYTES = 8 * 1024 * 1024;

/** The length of what is not there. */
const ABSENT = 0xffffffff;
const LENGTH_BYTES = 4;

/** The head of a file of a batch; `null` for one that is not there. */
export function batchHead(length: number | null): Uint8Array {
	const head = new Uint8Array(LENGTH_BYTES);
	new DataView(head.buffer).setUint32(0, length ?? ABSENT);
	return head;
}

/**
 * The files of a batch, in the order they were asked for; `null` for what is not there.
 *
 * @throws Error where it is cut short, or holds another number of files
 */
export function batchFiles(batch: ArrayBuffer, count: number) {
	const view = new DataView(batch);
	const files: (Uint8Array | null)[] = [];
	let at = 0;
	while (at + LENGTH_BYTES <= batch.byteLength) {
		const length = view.getUint32(at);
		at += LENGTH_BYTES;
		if (length === ABSENT) {
			files.push(null);
			continue;
		}
		if (at + length > batch.byteLength) break;
		// A copy: a view would keep the whole batch for as long as one of its files.
		files.push(new Uint8Array(batch.slice(at, at + length)));
		at += length;
	}
	if (at === batch.byteLength && files.length === count) return files;
	throw new Error("a batch of files was cut short");
}
