import type { Documents } from "./documents.js";

/**
 * Returns the line of an open document that a request is about; `undefined` for a request about none.
 * While it stays the same, the position of the request still means the same name.
 */
export function askedLine(
	documents: Documents,
	params: unknown,
): string | undefined {
	const { textDocument, position } = (params ?? {}) as {
		textDocument?: { uri?: unknown } | null;
		position?: { line?: unknown } | null;
	};
	const line = position?.line;
	if (typeof line !== "number") return undefined;
	const open = documents.all().find(({ uri }) => uri === textDocument?.uri);
	return open?.text.getText({
		start: { line, character: 0 },
		end: { line: line + 1, character: 0 },
	});
}
