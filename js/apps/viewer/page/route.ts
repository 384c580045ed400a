/** What the page's address leads to: a place in a file, or a symbol. */
export type Route =
	| { kind: "none" }
	| { kind: "file"; file: string; line: number | null }
	| { kind: "symbol"; symbol: string };

/** Reads `#/src/a.py:12`, `#/src/a.py` or `#/sym:src.a.f`. */
export function parseRoute(hash: string): Route {
	const text = decoded(hash.replace(/^#\/?/, ""));
	if (text === "") return { kind: "none" };
	if (text.startsWith("sym:")) return { kind: "symbol", symbol: text };
	const [, file = text, line] = /^(.+):(\d+)$/.exec(text) ?? [];
	return { kind: "file", file, line: line ? Number(line) : null };
}

export function fileHash(file: string, line?: number | null): string {
	const path = file.split("/").map(encodeURIComponent).join("/");
	return `#/${path}${line ? `:${line}` : ""}`;
}

export function symbolHash(symbol: string): string {
	return `#/${encodeURIComponent(symbol).replaceAll("%3A", ":")}`;
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
