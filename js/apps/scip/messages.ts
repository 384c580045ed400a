import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** What an index says about itself. */
export interface Metadata {
	/** The version of ragnav. */
	version: string;
	/** The URL of the folder that the index is about; `undefined` if it is none. */
	projectRoot: string | undefined;
}

/** The bits of the roles of an occurrence. */
export const ROLE = { reference: 0, definition: 1, import: 2 } as const;

/** A range of text. Lines and columns count from 0, and the end is exclusive. */
export interface Range {
	startLine: number;
	start: number;
	endLine: number;
	end: number;
}

/** A name in a document. */
export interface Occurrence {
	range: Range;
	symbol: string;
	/** The sum of bits of {@link ROLE}. */
	roles: number;
	/** The whole definition; `undefined` for a reference. */
	enclosing: Range | undefined;
}

/** Another symbol that a symbol implements. */
export interface Relationship {
	symbol: string;
	/** Whether references to one are references to the other. */
	isReference: boolean;
}

/** What an index says about a definition. */
export interface SymbolInformation {
	symbol: string;
	/** The number of its kind in SCIP. */
	kind: number;
	name: string;
	/** The symbol of the definition around it; `undefined` at the top of a file. */
	enclosing: string | undefined;
	signature: string | undefined;
	documentation: string | undefined;
	implements: readonly Relationship[];
}

/** A file with its names. */
export interface Document {
	path: string;
	/** The name of its language in SCIP. */
	language: string;
	occurrences: readonly Occurrence[];
	symbols: readonly SymbolInformation[];
}

/** The numbers of the encodings in SCIP. */
const UTF8_TEXT = 1;
const UTF16_POSITIONS = 2;

/** Returns the bytes with which an index begins. */
export function encodeMetadata({ version, projectRoot }: Metadata): Uint8Array {
	return encode((index) =>
		message(index, 1, (metadata) => {
			message(metadata, 2, (tool) => {
				text(tool, 1, "ragnav");
				text(tool, 2, version);
			});
			text(metadata, 3, projectRoot);
			number(metadata, 4, UTF8_TEXT);
		}),
	);
}

/** Returns the bytes of a document. Those of several, one after the other, make an index. */
export function encodeDocument(document: Document): Uint8Array {
	return encode((index) =>
		message(index, 2, (writer) => {
			text(writer, 1, document.path);
			for (const one of document.occurrences) {
				message(writer, 2, (inner) => writeOccurrence(inner, one));
			}
			for (const one of document.symbols) {
				const { language } = document;
				message(writer, 3, (inner) => writeSymbol(inner, one, language));
			}
			text(writer, 4, document.language);
			number(writer, 6, UTF16_POSITIONS);
		}),
	);
}

function writeOccurrence(writer: BinaryWriter, one: Occurrence): void {
	// Later versions have typed ranges, but readers of these know the numbers too.
	numbers(writer, 1, numbersOf(one.range));
	text(writer, 2, one.symbol);
	number(writer, 3, one.roles);
	if (one.enclosing !== undefined) {
		numbers(writer, 7, numbersOf(one.enclosing));
	}
}

function writeSymbol(
	writer: BinaryWriter,
	one: SymbolInformation,
	language: string,
): void {
	text(writer, 1, one.symbol);
	text(writer, 3, one.documentation);
	for (const { symbol, isReference } of one.implements) {
		message(writer, 4, (relationship) => {
			text(relationship, 1, symbol);
			if (isReference) relationship.tag(2, WireType.Varint).bool(true);
			relationship.tag(3, WireType.Varint).bool(true);
		});
	}
	number(writer, 5, one.kind);
	text(writer, 6, one.name);
	const { signature } = one;
	if (signature !== undefined) {
		message(writer, 7, (inner) => {
			text(inner, 4, language);
			text(inner, 5, signature);
		});
	}
	text(writer, 8, one.enclosing);
}

function numbersOf({ startLine, start, endLine, end }: Range): number[] {
	if (startLine === endLine) return [startLine, start, end];
	return [startLine, start, endLine, end];
}

function encode(write: (writer: BinaryWriter) => void): Uint8Array {
	const writer = new BinaryWriter();
	write(writer);
	return writer.finish();
}

function message(
	writer: BinaryWriter,
	field: number,
	write: (writer: BinaryWriter) => void,
): void {
	writer.tag(field, WireType.LengthDelimited).fork();
	write(writer);
	writer.join();
}

/** Writes a text unless it is absent or empty, which is the same to a reader. */
function text(
	writer: BinaryWriter,
	field: number,
	value: string | undefined,
): void {
	if (value === undefined || value === "") return;
	writer.tag(field, WireType.LengthDelimited).string(value);
}

/** Writes a number unless it is 0, which a reader takes an absent one for. */
function number(writer: BinaryWriter, field: number, value: number): void {
	if (value !== 0) writer.tag(field, WireType.Varint).int32(value);
}

function numbers(
	writer: BinaryWriter,
	field: number,
	values: readonly number[],
): void {
	writer.tag(field, WireType.LengthDelimited).fork();
	for (const value of values) writer.int32(value);
	writer.join();
}
