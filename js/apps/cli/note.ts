/** Says something beside the answer. */
export function note(text: string): void {
	process.stderr.write(`ragnav: ${text}\n`);
}
