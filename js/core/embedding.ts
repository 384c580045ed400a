import { RagnavError } from "./errors.js";

/** Makes vectors of texts, one for each, all of one length. */
export type Embed = (
	texts: string[],
) => Promise<ArrayLike<number>[]> | ArrayLike<number>[];

/** What embeds texts. */
export interface Embedding {
	/** Makes vectors of texts. Default: documents are found by their terms. */
	embed?: Embed | null | undefined;
	/** The name of the model, kept with its vectors: under another name all are made anew. Default `default`. */
	embedder?: string | null | undefined;
}

const DEFAULT_EMBEDDER = "default";

/** The name that vectors are kept under; `null` where nothing embeds. */
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
