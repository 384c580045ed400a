/** Returns the text that the browser stores under a key; `null` if there is none. */
export function readStored(key: string): string | null {
	try {
		return localStorage.getItem(`ragnav-${key}`);
	} catch {
		return null;
	}
}

/** Stores a text, unless the browser forbids that. */
export function writeStored(key: string, text: string): void {
	try {
		localStorage.setItem(`ragnav-${key}`, text);
	} catch {
		// The page works without stored values.
	}
}
