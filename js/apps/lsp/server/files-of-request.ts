import type { Location, LocationLink, Range } from "vscode-languageserver";
import type { Definition, NavItem, OutlineItem } from "../../../core/api.js";
import type { CallOptions } from "../../../core/driver.js";
import { succeeded } from "./failures.js";
import type { Repository } from "./repository.js";
import { nameOfSymbol } from "./symbols.js";
import { rangeInLine, TextLines } from "./text-lines.js";

/** The lines that a definition may need before its name, as a return type in C++ does. */
const NAME_LINES = 5;

/** Where a definition stands. */
export interface DefinitionPlace {
	uri: string;
	/** Its whole lines. */
	range: Range;
	/** Its name, or the start of its first line if the name does not stand there. */
	name: Range;
}

/** The files of a repository, each read at most once for a request. */
export class FilesOfRequest {
	readonly repository: Repository;
	readonly call: CallOptions;
	readonly #lines = new Map<string, Promise<TextLines>>();
	readonly #outlines = new Map<string, Promise<OutlineItem[]>>();

	constructor(repository: Repository, call: CallOptions) {
		this.repository = repository;
		this.call = call;
	}

	/** Returns the lines of a file that a row names; none if it has been removed meanwhile. */
	lines(path: string): Promise<TextLines> {
		const known = this.#lines.get(path);
		if (known !== undefined) return known;
		const read = this.repository.lines(path).catch(() => new TextLines(""));
		this.#lines.set(path, read);
		return read;
	}

	/** Returns the definitions of a file as a tree; none for a file in no known language. */
	outline(path: string): Promise<OutlineItem[]> {
		const known = this.#outlines.get(path);
		if (known !== undefined) return known;
		if (!this.repository.knowsLanguageOf(path)) return Promise.resolve([]);
		const asked = this.repository.nav
			.outline(path, this.call)
			.then((answer) => succeeded(answer).items);
		this.#outlines.set(path, asked);
		return asked;
	}

	/** Returns the definition with a symbol that encloses a line. */
	async definitionAround(
		path: string,
		line: number,
		symbol: string,
	): Promise<OutlineItem | undefined> {
		const all = flattened(await this.outline(path));
		return all.find(
			(item) =>
				item.symbol === symbol &&
				item.start_line <= line &&
				line <= item.end_line,
		);
	}

	async place(definition: Definition): Promise<DefinitionPlace> {
		const { file, start_line, end_line } = definition;
		const lines = await this.lines(file);
		const first = start_line - 1;
		const last = Math.min(end_line - 1, first + NAME_LINES);
		const range = lines.rangeOfLines(first, end_line - 1);
		const name =
			lines.rangeOfName(nameOfSymbol(definition.symbol), first, last) ??
			rangeInLine(first, 0, 0);
		return { uri: this.repository.uriOf(file), range, name };
	}

	/** Returns the location of a definition's name. */
	async location(definition: Definition): Promise<Location> {
		const { uri, name } = await this.place(definition);
		return { uri, range: name };
	}

	/** Returns a link to a definition from a range of the document that it was asked in. */
	async link(definition: Definition, origin: Range): Promise<LocationLink> {
		const { uri, range, name } = await this.place(definition);
		return {
			originSelectionRange: origin,
			targetUri: uri,
			targetRange: range,
			targetSelectionRange: name,
		};
	}

	/** Returns a definition as queries take it: by the place of its name, which is never ambiguous. */
	async subject(definition: Definition): Promise<string> {
		const { name } = await this.place(definition);
		const isKnown = name.end.character > name.start.character;
		return isKnown ? placeText(definition.file, name) : definition.symbol;
	}

	/** Returns the location of a row. */
	rowLocation(row: NavItem): Location {
		return { uri: this.repository.uriOf(row.file), range: rangeOfRow(row) };
	}
}

/** Returns a position as queries take it: `src/app.py:12:5`, counted from 1. */
export function placeText(path: string, { start }: Range): string {
	return `${path}:${start.line + 1}:${start.character + 1}`;
}

export function rangeOfRow({ line, start_utf16, end_utf16 }: NavItem): Range {
	return rangeInLine(line - 1, start_utf16, end_utf16);
}

/** Returns the definitions of a tree, outer ones first. */
export function flattened(items: readonly OutlineItem[]): OutlineItem[] {
	return items.flatMap((item) => [item, ...flattened(item.children)]);
}
