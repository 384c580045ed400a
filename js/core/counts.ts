/**
 * Returns a count as people read it: "1,200". `toLocaleString` would load the locales of the
 * engine, which takes longer than many an answer.
 */
export function formatCount(count: number): string {
	return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** Returns a count with its noun: "1 file", "1,200 files". */
export function countWords(count: number, noun: string): string {
	const plural = count === 1 ? noun : `${noun}s`;
	return `${formatCount(count)} ${plural}`;
}
