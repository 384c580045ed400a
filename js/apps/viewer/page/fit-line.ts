/** The parts of a line that was cut to its width, with the match inside. */
export interface FittedLine {
	before: string;
	match: string;
	after: string;
}

/** The number of letters that stay in front of a match that is moved into sight. */
const MIN_BEFORE = 8;

/**
 * Cuts a line so that its match is visible within `columns` characters. A line that does not fit is
 * centred on its match; `…` marks a cut start.
 *
 * @example
 * fitLine("return sum(price_of(one))", 11, 19, 17); // "…urn sum(", "price_of", "(one))"
 */
export function fitLine(
	text: string,
	start: number,
	end: number,
	columns: number,
): FittedLine {
	const indent = text.length - text.trimStart().length;
	const first = Math.min(indent, start);
	const match = text.slice(start, end);
	const after = text.slice(end).trimEnd();
	const before = text.slice(first, start);
	if (before.length + match.length <= columns) return { before, match, after };
	const room = columns - match.length - 1;
	const half = Math.floor(room / 2);
	// A short rest of the line leaves more room in front of the match.
	const kept = Math.max(half, room - after.length, MIN_BEFORE);
	if (kept >= before.length) return { before, match, after };
	return { before: `…${before.slice(before.length - kept)}`, match, after };
}
