import { RagnavError } from "./errors.js";

/** Embeds texts: returns one vector for each, all of one length. */
export type Embed = (
	texts: string[],
) => Promise<ArrayLike<number>[]> | ArrayLike<number>[];

/** The embedding model of a repository. */
export interface Embedding {
	/** Embeds texts. Without it, documents are found by their terms alone. */
	embed?: Embed | null | undefined;
	/**
	 * The model's name, stored with its vectors. A build under another name embeds every document
	 * again. Default `default`.
	 */
	embedder?: string | null | undefined;
}

const DEFAULT_EMBEDDER = "default";

/** Returns the name that vectors are stored under; `null` without an embedding model. */
export function embedderOf({ embed, embedder }: Embedding): string | null {
	if (embed === null || embed === undefined) {
		if (embedder === null || embedder === undefined) return null;
		throw new RagnavError(
			"INVALID_ARGUMENT",
			"embedder names a model, but there is no embed",
		);
	}
	if (typeof embed !== "function") {
		throw new RagnavError(
			"INVALID_ARGUMENT",
			"embed must be a function from texts to vectors",
		);
	}
	return embedder ?? DEFAULT_EMBEDDER;
}
