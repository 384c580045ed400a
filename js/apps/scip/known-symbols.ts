import { RagnavError } from "../../core/errors.js";
import { type Document, ROLE } from "./messages.js";

/** The symbols that an index defines, and those that it refers to. */
export class KnownSymbols {
	readonly #defined = new Set<string>();
	readonly #used = new Set<string>();

	/** Adds the symbols of a document. */
	add({ occurrences, symbols }: Document): void {
		for (const { symbol, roles } of occurrences) {
			const isDefinition = (roles & ROLE.definition) !== 0;
			(isDefinition ? this.#defined : this.#used).add(symbol);
		}
		for (const one of symbols) {
			for (const { symbol } of one.implements) this.#used.add(symbol);
		}
	}

	/**
	 * Documents are written one after the other, so a definition may go between its document and that of
	 * a reference.
	 *
	 * @throws RagnavError `HOST_FAILED` if the index does not define a symbol that it refers to
	 */
	requireAll(): void {
		for (const symbol of this.#used) {
			if (this.#defined.has(symbol)) continue;
			const message = `files changed while the index was written, so it does not define ${symbol}; export again when no program writes them`;
			throw new RagnavError("HOST_FAILED", message);
		}
	}
}
