/** Returns how a message names a value that is refused: a text may look like a number. */
export function describeGiven(value: unknown): string {
	if (typeof value === "number") return String(value);
	if (typeof value === "string") return `the text ${JSON.stringify(value)}`;
	return value === null ? "null" : typeof value;
}
