import { RagnavError } from "../errors.js";

/** The largest number of occurrences of a document. */
const MAX_OCCURRENCES = 5_000_000;

/** The numbers of one occurrence. */
const WIDTH = 6;

/** The occurrences of a document, as the core takes them: six numbers each, little-endian. */
export class Occurrences {
	#numbers = new Uint32Array(WIDTH * 64);
	#length = 0;

	/**
	 * Adds an occurrence. A negative number becomes one that no text has, so that the document is not
	 * used.
	 *
	 * @throws RagnavError `INVALID_ARGUMENT` for a value that is no range
	 */
	add(range: readonly number[], symbol: number, roles: number): void {
		const [line = 0, start = 0, third = 0, fourth] = range;
		if (range.length !== 3 && range.length !== 4) {
			const message = `it is no SCIP index: a range has ${range.length} numbers`;
			throw new RagnavError("INVALID_ARGUMENT", message);
		}
		if (this.#length >= WIDTH * MAX_OCCURRENCES) {
			const message = `a document has more than ${MAX_OCCURRENCES} occurrences`;
			throw new RagnavError("LIMIT_EXCEEDED", message);
		}
		const [endLine, end] =
			fourth === undefined ? [line, third] : [third, fourth];
		if (this.#length === this.#numbers.length) this.#grow();
		this.#numbers.set([line, start, endLine, end, symbol, roles], this.#length);
		this.#length += WIDTH;
	}

	get bytes(): Uint8Array {
		const { buffer } = this.#numbers.slice(0, this.#length);
		return new Uint8Array(buffer);
	}

	#grow(): void {
		const larger = new Uint32Array(this.#numbers.length * 2);
		larger.set(this.#numbers);
		this.#numbers = larger;
	}
}
