/** Unpacks files in the format gzip: https://www.rfc-editor.org/rfc/rfc1952. */

const FIRST_BYTE = 0x1f;
const SECOND_BYTE = 0x8b;

/** Reports whether bytes are in the format gzip. */
function isGzip([first, second]: Uint8Array): boolean {
	return first === FIRST_BYTE && second === SECOND_BYTE;
}

/** Unpacks bytes in the format gzip, and returns other bytes as they are. */
export async function unpacked(
	bytes: ArrayBuffer | ArrayBufferView,
): Promise<Uint8Array<ArrayBuffer>> {
	const given = viewOf(bytes);
	if (!isGzip(given)) return given;
	const unpacking = new Blob([given])
		.stream()
		.pipeThrough(new DecompressionStream("gzip"));
	return new Uint8Array(await new Response(unpacking).arrayBuffer());
}

/** Returns a view of bytes. */
export function viewOf(
	bytes: ArrayBuffer | ArrayBufferView,
): Uint8Array<ArrayBuffer> {
	if (!ArrayBuffer.isView(bytes)) return new Uint8Array(bytes);
	const { buffer, byteOffset, byteLength } = bytes;
	return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}
