/** The parts of a URI that say where a document is. */
export interface UriPlace {
	/** The scheme and the authority, such as `file://`. */
	origin: string;
	/** The decoded segments of the path. */
	segments: readonly string[];
}

/** Returns the place of a URI; `undefined` for a text that is none, or whose path is ambiguous. */
export function placeOfUri(uri: string): UriPlace | undefined {
	try {
		const { protocol, host, pathname } = new URL(uri);
		const segments = pathname
			.split("/")
			.filter((segment) => segment !== "")
			.map((segment) => decodeURIComponent(segment));
		// An encoded separator would make another path of it.
		if (segments.some((segment) => /[/\\\0]/.test(segment))) return undefined;
		return { origin: `${protocol}//${host}`, segments: withDrive(segments) };
	} catch {
		return undefined;
	}
}

/** Returns the path of a document from a folder; `undefined` if it is not inside. */
export function pathFromFolder(
	folder: UriPlace,
	document: UriPlace,
): string | undefined {
	const { length } = folder.segments;
	const isInside =
		folder.origin === document.origin &&
		folder.segments.every((name, at) => name === document.segments[at]);
	return isInside && document.segments.length > length
		? document.segments.slice(length).join("/")
		: undefined;
}

/** Returns the URI of a file in a folder. */
export function uriInFolder(folder: string, path: string): string {
	const encoded = path.split("/").map(encodeURIComponent).join("/");
	return `${folder.replace(/\/$/, "")}/${encoded}`;
}

/** Editors disagree on the case of drive letters of Windows. */
function withDrive([first, ...others]: string[]): string[] {
	if (first === undefined) return [];
	const isDrive = /^[A-Za-z]:$/.test(first);
	return [isDrive ? first.toLowerCase() : first, ...others];
}
