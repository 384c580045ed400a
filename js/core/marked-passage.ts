import type { Passage } from "../generated/glue.js";

/** A part of a line: a term of the question, or the text between terms. */
export interface MarkedText {
	text: string;
	isTerm: boolean;
}

/**
 * Divides the text of a passage into its lines, and each line at the terms of the question, for
 * highlighting. A passage without text has no lines.
 *
 * @example
 * ```js
 * import { markedPassage, open } from "ragnav";
 * import { memoryHost } from "ragnav/hosts/memory";
 *
 * const nav = await open(memoryHost({ "a.py": "def total():\n    return 1\n" }));
 * const [passage] = (await nav.ask("what is the total")).items;
 * const [line] = markedPassage(passage);
 * const marked = line.map(({ text, isTerm }) => (isTerm ? `[${text}]` : text));
 * console.log(marked.join("")); // def [total]():
 * nav.close();
 * ```
 */
export function markedPassage(passage: Passage): MarkedText[][] {
	if (!("content" in passage)) return [];
	const { content, highlights_utf16 } = passage;
	const lines: MarkedText[][] = [[]];
	let end = 0;
	for (const [start, next] of highlights_utf16) {
		addText(lines, content.slice(end, start), false);
		addText(lines, content.slice(start, next), true);
		end = next;
	}
	addText(lines, content.slice(end), false);
	return lines;
}

/** Adds a text, which may have line breaks, to the last line. */
function addText(lines: MarkedText[][], text: string, isTerm: boolean): void {
	for (const [at, part] of text.split("\n").entries()) {
		if (at > 0) lines.push([]);
		if (part !== "") lines.at(-1)?.push({ text: part, isTerm });
	}
}

/** The passages of one file. */
export interface FilePassages {
	/** The path; `null` for passages without a file. */
	path: string | null;
	passages: Passage[];
}

/** Groups passages by file, in the order of the best passage of each. */
export function groupByFile(passages: readonly Passage[]): FilePassages[] {
	const groups = new Map<string | null, Passage[]>();
	for (const passage of passages) {
		const path = passage.citation?.path ?? null;
		const group = groups.get(path) ?? [];
		group.push(passage);
		groups.set(path, group);
	}
	return [...groups].map(([path, passages]) => ({ path, passages }));
}

/** Returns the heading of a passage in its file, or its title. */
export function passageName({ id, title, citation }: Passage): string {
	return citation?.heading || title || id;
}
