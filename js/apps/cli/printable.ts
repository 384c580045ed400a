/** Replaces control characters, and those that change the direction of writing. */
export function printable(text: string): string {
	return text.replaceAll(STEERING, (letter) =>
		letter === "\t" ? "  " : "\ufffd",
	);
}

/** Replaces the control characters of a message, and keeps its lines. */
export function printableLines(text: string): string {
	return text.split(/\r?\n/).map(printable).join("\n");
}

/** Control characters, and those that change the direction of the text after them. */
const STEERING = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;
