/** Reads an index of SCIP into what the core takes. The core compares it with the files. */

import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import type { GivenDocument, GivenIndex } from "../../generated/glue.js";
import { RagnavError } from "../errors.js";
import { folderOf, type IndexPlace, inFolder } from "./document-folder.js";
import { Occurrences } from "./occurrences.js";
import { SymbolNumbers } from "./symbol-numbers.js";

/** The encodings of positions, by their numbers in SCIP. */
const ENCODINGS: readonly GivenDocument["encoding"][] = [
	"unknown",
	"utf8",
	"utf16",
	"utf32",
];

/** The largest number of documents. */
const MAX_DOCUMENTS = 500_000;

/**
 * Reads an index.
 *
 * @throws RagnavError `INVALID_ARGUMENT` for bytes that are no index, and `LIMIT_EXCEEDED` for one
 * that is too large
 */
export function readScipIndex(
	bytes: Uint8Array,
	place: IndexPlace,
): GivenIndex {
	const index = new IndexReader();
	try {
		index.read(bytes);
	} catch (thrown) {
		if (thrown instanceof RagnavError) throw thrown;
		throw notAnIndex("it is cut off, or another kind of file");
	}
	const { documents, projectRoot, symbols, hasMetadata } = index;
	if (!hasMetadata && documents.length === 0) {
		throw notAnIndex("it has no documents");
	}
	const folder = folderOf(place, projectRoot);
	for (const document of documents) {
		document.path = inFolder(folder, document.path);
	}
	return {
		path: place.path,
		problem: null,
		written: place.written,
		symbols: symbols.names,
		implementations: index.implementations,
		documents,
	};
}

/** Reads the fields of an index, and skips those that ragnav does not need. */
class IndexReader {
	readonly symbols = new SymbolNumbers();
	readonly documents: GivenDocument[] = [];
	readonly implementations: [number, number][] = [];
	hasMetadata = false;
	projectRoot = "";

	read(bytes: Uint8Array): void {
		const reader = new BinaryReader(bytes);
		eachField(reader, reader.len, (field) => {
			if (field === 1) return inMessage(reader, this.#metadata);
			if (field === 2) return this.#document(reader);
			if (field === 3) return inMessage(reader, this.#symbol());
			return false;
		});
	}

	readonly #metadata: Visit = (field, _, reader) => {
		this.hasMetadata = true;
		if (field !== 3) return false;
		this.projectRoot = reader.string();
		return true;
	};

	#document(reader: BinaryReader): boolean {
		if (this.documents.length >= MAX_DOCUMENTS) {
			const message = `it has more than ${MAX_DOCUMENTS} documents`;
			throw new RagnavError("LIMIT_EXCEEDED", message);
		}
		const occurrences = new Occurrences();
		const document: GivenDocument = {
			path: "",
			text: null,
			encoding: "unknown",
			occurrences: new Uint8Array(),
		};
		inMessage(reader, (field) => {
			if (field === 1) document.path = reader.string();
			else if (field === 2) this.#occurrence(reader, occurrences);
			else if (field === 3) inMessage(reader, this.#symbol());
			else if (field === 5) document.text = reader.string() || null;
			else if (field === 6) {
				document.encoding = ENCODINGS[reader.int32()] ?? "unknown";
			} else return false;
			return true;
		});
		document.occurrences = occurrences.bytes;
		this.documents.push(document);
		return true;
	}

	#occurrence(reader: BinaryReader, occurrences: Occurrences): void {
		const range: number[] = [];
		let symbol = "";
		let roles = 0;
		inMessage(reader, (field, type) => {
			if (field === 1) readNumbers(reader, type, range);
			else if (field === 2) symbol = reader.string();
			else if (field === 3) roles = reader.int32();
			else if (field === 8 || field === 9) {
				// A number that is 0 is not written.
				range.splice(
					0,
					range.length,
					...new Array(field === 8 ? 3 : 4).fill(0),
				);
				inMessage(reader, (part) => {
					if (part < 1 || part > range.length) return false;
					range[part - 1] = reader.int32();
					return true;
				});
			} else return false;
			return true;
		});
		// An occurrence without a symbol only colours the text.
		if (symbol === "") return;
		occurrences.add(range, this.symbols.of(symbol), roles);
	}

	/** Returns what reads a symbol: the others that it implements. */
	#symbol(): Visit {
		let own = "";
		const implemented: string[] = [];
		return (field, _, reader) => {
			if (field === 1) own = reader.string();
			else if (field === 4) {
				const base = readImplemented(reader);
				if (base !== undefined) implemented.push(base);
			} else return false;
			// The symbol may come after what it implements.
			if (own !== "") {
				for (const base of implemented.splice(0)) {
					this.implementations.push([
						this.symbols.of(own),
						this.symbols.of(base),
					]);
				}
			}
			return true;
		};
	}
}

/** Reads a field, and returns whether it did: otherwise the field is skipped. */
type Visit = (field: number, type: WireType, reader: BinaryReader) => boolean;

function eachField(reader: BinaryReader, end: number, visit: Visit): void {
	while (reader.pos < end) {
		const [field, type] = reader.tag();
		if (!visit(field, type, reader)) reader.skip(type, field);
	}
	if (reader.pos > end) throw notAnIndex("its fields overlap");
}

function inMessage(reader: BinaryReader, visit: Visit): true {
	const length = reader.uint32();
	const end = reader.pos + length;
	if (end > reader.len) throw notAnIndex("it is cut off");
	eachField(reader, end, visit);
	return true;
}

function readNumbers(
	reader: BinaryReader,
	type: WireType,
	numbers: number[],
): void {
	if (type !== WireType.LengthDelimited) {
		numbers.push(reader.int32());
		return;
	}
	const length = reader.uint32();
	const end = reader.pos + length;
	while (reader.pos < end) numbers.push(reader.int32());
}

/** Returns the symbol of a relationship that is an implementation. */
function readImplemented(reader: BinaryReader): string | undefined {
	let symbol = "";
	let isImplementation = false;
	inMessage(reader, (field) => {
		if (field === 1) symbol = reader.string();
		else if (field === 3) isImplementation = reader.bool();
		else return false;
		return true;
	});
	return isImplementation ? symbol : undefined;
}

function notAnIndex(reason: string): RagnavError {
	const message = `it is no SCIP index: ${reason}`;
	return new RagnavError("INVALID_ARGUMENT", message);
}
