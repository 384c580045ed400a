import type { Completeness, Doubt } from "./api.js";
import { describeCompleteness } from "./plain-words.js";

/** The part of an answer that says whether it has every row. */
export interface SureAnswer {
	items: readonly unknown[];
	/** The definitions of the symbol, if the rows are something else. */
	definitions?: readonly unknown[];
	/** Only answers about a symbol have them. */
	suggestions?: readonly string[];
	completeness?: Completeness;
	doubts?: readonly Doubt[];
}

/**
 * Returns words about whether the answer about a symbol has every row, such as `, complete`.
 * Returns nothing if the symbol does not exist.
 */
export function sureness(answer: SureAnswer): string {
	const { items, definitions = items, suggestions } = answer;
	const { completeness, doubts } = answer;
	const isUndefined = definitions.length === 0 && completeness === "proven";
	if (suggestions === undefined || isUndefined) return "";
	if (completeness === undefined || doubts === undefined) return "";
	return `, ${describeCompleteness({ completeness, doubts })}`;
}
