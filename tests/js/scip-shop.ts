// A small repository with a SCIP index of it, made with messages of SCIP's own schema.
import { create, toBinary } from "@bufbuild/protobuf";
import {
	DocumentSchema,
	type Index,
	IndexSchema,
	MetadataSchema,
	OccurrenceSchema,
	PositionEncoding,
} from "@c4312/scip/scip_pb.js";

/** Two methods of one name. */
export const SHAPES = `class Cart:
    def total(self):
        return 1


class Order:
    def total(self):
        return 2
`;
/** A call of each, on objects of unknown types. */
export const SHOW = `def show(cart, order):
    cart.total()
    order.total()
`;
/** The files of the repository. */
export const FILES = { "shapes.py": SHAPES, "show.py": SHOW };

/** The symbols of the two methods. */
export const CART = "example . . . shapes/Cart#total().";
export const ORDER = "example . . . shapes/Order#total().";

/** A name in a document: the line and the columns from 0, the symbol, and whether it is defined. */
export type Name = [
	line: number,
	start: number,
	end: number,
	symbol: string,
	is?: 1,
];

/** The names in the two files. */
export const IN_SHAPES: Name[] = [
	[1, 8, 13, CART, 1],
	[6, 8, 13, ORDER, 1],
];
export const IN_SHOW: Name[] = [
	[1, 9, 14, CART],
	[2, 10, 15, ORDER],
];

interface DocumentOptions {
	text?: string;
	positionEncoding?: PositionEncoding;
}

/** Returns the document of a file. */
export function document(
	relativePath: string,
	names: Name[],
	options: DocumentOptions = {},
) {
	return create(DocumentSchema, {
		relativePath,
		positionEncoding: PositionEncoding.UTF16CodeUnitOffsetFromLineStart,
		occurrences: names.map(([line, start, end, symbol, is = 0]) =>
			create(OccurrenceSchema, {
				range: [line, start, end],
				symbol,
				symbolRoles: is,
			}),
		),
		...options,
	});
}

/** Returns the bytes of an index. */
export function indexOf(
	documents: Index["documents"],
	projectRoot = "",
): Uint8Array {
	const metadata = create(MetadataSchema, { projectRoot });
	return toBinary(IndexSchema, create(IndexSchema, { metadata, documents }));
}

/** The index of the repository. */
export const SHOP = indexOf([
	document("shapes.py", IN_SHAPES),
	document("show.py", IN_SHOW),
]);
