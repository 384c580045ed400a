import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** The encodings of HTTP that the server offers, the best one first. */
const ENCODINGS = ["br", "gzip"] as const;

export type Encoding = (typeof ENCODINGS)[number];

/**
 * The level that compresses ten megabytes in about 0.3 s; the next one takes three times as long.
 */
const BROTLI_QUALITY = 4;

const compress: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
	br: (bytes) =>
		promisify(brotliCompress)(bytes, {
			params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
		}),
	gzip: (bytes) => promisify(gzip)(bytes),
};

/** Returns the encoding for a request with this `Accept-Encoding`; `undefined` for none. */
export function chooseEncoding(
	accepted: string | string[] | undefined,
): Encoding | undefined {
	const offered = String(accepted ?? "")
		.split(",")
		.map((one) => one.trim())
		.filter((one) => !/;\s*q=0(?:\.0*)?$/.test(one))
		.map((one) => one.split(";", 1)[0]);
	return ENCODINGS.find((encoding) => offered.includes(encoding));
}

/** A cache of compressed contents, each compressed at most once for each encoding. */
export class Compressor {
	readonly #known = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>();

	compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
		const encodings = this.#known.get(bytes) ?? new Map();
		this.#known.set(bytes, encodings);
		const known = encodings.get(encoding) ?? compress[encoding](bytes);
		encodings.set(encoding, known);
		return known;
	}
}
