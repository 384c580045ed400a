import type { Position, Range } from "vscode-languageserver";

/** The characters of names in the languages that ragnav knows. */
const NAME = /[\p{L}\p{M}\p{N}_$]+/gu;

/** The lines of a text, from 0 as the protocol counts. */
export class TextLines {
	readonly #lines: readonly string[];

	constructor(text: string) {
		this.#lines = text.split(/\r\n|\r|\n/);
	}

	get count(): number {
		return this.#lines.length;
	}

	/** Returns a line; it is empty if there is none. */
	line(at: number): string {
		return this.#lines[at] ?? "";
	}

	/** Returns whole lines. */
	rangeOfLines(first: number, last: number): Range {
		const end = { line: last, character: this.line(last).length };
		return { start: { line: first, character: 0 }, end };
	}

	/** Returns the name at a position, or the one that ends there. */
	nameAt({ line, character }: Position): Range | undefined {
		for (const { index, 0: name } of this.line(line).matchAll(NAME)) {
			const end = index + name.length;
			if (index <= character && character <= end) {
				return rangeInLine(line, index, end);
			}
		}
		return undefined;
	}

	/** Returns where a name first stands as a whole in some lines. */
	rangeOfName(name: string, first: number, last: number): Range | undefined {
		for (let line = first; line <= last; line += 1) {
			const start = indexOfName(this.line(line), name);
			if (start >= 0) return rangeInLine(line, start, start + name.length);
		}
		return undefined;
	}

	textIn({ start, end }: Range): string {
		return this.line(start.line).slice(start.character, end.character);
	}
}

/** Returns a range within one line. */
export function rangeInLine(line: number, start: number, end: number): Range {
	return {
		start: { line, character: start },
		end: { line, character: end },
	};
}

function indexOfName(line: string, name: string): number {
	if (name === "") return -1;
	for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
		const before = line.slice(0, at);
		const after = line.slice(at + name.length);
		const isWhole =
			!/[\p{L}\p{M}\p{N}_$]$/u.test(before) &&
			!/^[\p{L}\p{M}\p{N}_$]/u.test(after);
		if (isWhole) return at;
	}
	return -1;
}
