import type { RagToolMeta, RootState, Skipped } from "../../core/api.js";
import { countWords, formatCount } from "../../core/counts.js";
import {
	describeFreshness,
	describeSkipReason,
} from "../../core/plain-words.js";
import { describeSince } from "../../core/since-words.js";
import { type SureAnswer, sureness } from "../../core/sureness.js";

/** Skipped files that a text names. */
const MAX_NAMED = 3;

/** The part of an answer that its last lines are made of. */
interface Ended extends SureAnswer {
	meta: RagToolMeta;
	total?: number | null;
	truncated?: boolean;
	cursor?: string | null;
	skipped?: readonly Skipped[];
	/** Only answers about several repositories have them. */
	roots?: readonly RootState[];
}

/**
 * Returns the last lines of an answer: how much there is, how fresh it is, and how to go on.
 *
 * @param listed the number of rows that the text lists; more than the items if these are nested
 */
export function endLines(
	answer: Ended,
	noun: string,
	listed = answer.items.length,
): string[] {
	const { meta, cursor = null } = answer;
	if (meta.status === "ERROR")
		return [`ERROR ${meta.error_code}: ${meta.message}`];
	const said = describeFreshness(meta).text;
	return [
		...skippedLine(answer),
		...failedRoots(answer),
		`${countLine(answer, noun, listed)}${sureness(answer)} · ${said}`,
		...(cursor === null ? [] : [`next page: cursor ${cursor}`]),
		...(meta.since ? [`since the receipt: ${describeSince(meta.since)}`] : []),
		...(meta.receipt ? [`receipt: ${meta.receipt}`] : []),
	];
}

/** Returns a line for each of several repositories that is not a part of the answer. */
function failedRoots({ roots = [] }: Ended): string[] {
	const failed = roots.filter(({ error_code }) => error_code !== null);
	return failed.map(
		({ name, error_code, message }) => `${name}: ${error_code}: ${message}`,
	);
}

function countLine(
	{ items, total, truncated }: Ended,
	noun: string,
	listed: number,
): string {
	const shown = countWords(listed, noun);
	if (truncated !== true) return shown;
	if (total === null || total === undefined) {
		return `${shown}, and there may be more`;
	}
	if (listed !== items.length) {
		return `${shown}, ${formatCount(items.length)} of ${formatCount(total)} at the top level`;
	}
	return `${formatCount(items.length)} of ${countWords(total, noun)}`;
}

function skippedLine({ skipped = [], meta }: Ended): string[] {
	if (skipped.length === 0) return [];
	const named = skipped.slice(0, MAX_NAMED);
	const names = named.map(
		({ file, reason }) => `${file} (${describeSkipReason(reason)})`,
	);
	const more = (meta.files?.skipped ?? skipped.length) - names.length;
	const rest = more > 0 ? `, and ${more} more` : "";
	return [`skipped: ${names.join(", ")}${rest}`];
}
