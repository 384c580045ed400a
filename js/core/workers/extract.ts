import { createGlue, type Glue } from "../../generated/glue.js";
import { messageOf } from "../errors.js";
import type { Begin, Result, Task } from "./protocol.js";

/** An instance with more memory is replaced: a WebAssembly memory never shrinks. */
const RECYCLE_BYTES = 128 << 20;

/** What a worker does with what it is told; `undefined` where there is nothing to answer. */
export function extractor(): (message: Begin | Task) => Result | undefined {
	let module: WebAssembly.Module | undefined;
	let core: Core | undefined;
	return (message) => {
		if ("module" in message) {
			module = message.module;
			return undefined;
		}
		try {
			core ??= newCore(module);
			const result = extract(core.glue, message);
			if (core.memory.buffer.byteLength > RECYCLE_BYTES) {
				core = undefined;
			}
			return result;
		} catch (thrown) {
			core = undefined;
			return { id: message.id, panic: messageOf(thrown) };
		}
	};
}

interface Core {
	glue: Glue;
	memory: { readonly buffer: ArrayBuffer };
}

function newCore(module: WebAssembly.Module | undefined): Core {
	if (module === undefined) {
		throw new Error("the worker was not told its module");
	}
	const glue = createGlue();
	return { glue, memory: glue.initSync({ module }).memory };
}

function extract(glue: Glue, { id, files, bytes }: Task): Result {
	let start = 0;
	const extracts = files.map(({ path, length, known }) => {
		const file = new Uint8Array(bytes, start, length);
		start += length;
		return glue.extractFile(path, file, known);
	});
	const { joined, lengths } = join(extracts);
	return { id, lengths, bytes: joined };
}

/** Arrays in one buffer, so that one transfer hands over all of them. */
export function join(arrays: Uint8Array[]): {
	joined: ArrayBuffer;
	lengths: number[];
} {
	const lengths = arrays.map((array) => array.length);
	const all = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
	let start = 0;
	for (const array of arrays) {
		all.set(array, start);
		start += array.length;
	}
	return { joined: all.buffer, lengths };
}
