import { createGlue, type Glue } from "../../generated/glue.js";
import { messageOf } from "../errors.js";
import { type GrammarTarget, linkGrammar } from "../grammar-module.js";
import type { AddGrammar, Begin, Result, Task } from "./protocol.js";

/**
 * The memory in bytes above which a worker replaces its instance: a WebAssembly memory never shrinks.
 */
const RECYCLE_BYTES = 128 << 20;

/** Creates a worker's handler of messages; it returns `undefined` for the first one. */
export function createExtractor(): (
	message: Begin | AddGrammar | Task,
) => Result | undefined {
	let begin: Begin | undefined;
	let core: Core | undefined;
	const grammars: AddGrammar[] = [];
	return (message) => {
		if ("module" in message) {
			begin = message;
			return undefined;
		}
		if ("grammar" in message) {
			grammars.push(message);
			return undefined;
		}
		try {
			core ??= newCore(begin);
			addGrammars(core, grammars);
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

interface Core extends GrammarTarget {
	memory: { readonly buffer: ArrayBuffer };
	/** The languages whose grammars the core has. */
	languages: Set<string>;
}

function newCore(begin: Begin | undefined): Core {
	if (begin === undefined) {
		throw new Error("the worker received a task before the module");
	}
	const glue = createGlue();
	const exports = glue.initSync({ module: begin.module });
	for (const plugin of begin.plugins) glue.addLanguage(plugin);
	const languages = new Set<string>();
	return { glue, memory: exports.memory, exports: { ...exports }, languages };
}

function addGrammars(core: Core, grammars: readonly AddGrammar[]): void {
	for (const { language, grammar, functionName } of grammars) {
		if (core.languages.has(language)) continue;
		linkGrammar(core, language, grammar, functionName);
		core.languages.add(language);
	}
}

function extract(glue: Glue, { id, files, bytes }: Task): Result {
	let start = 0;
	const extracts = files.map(({ path, length, recorded_hash }) => {
		const file = new Uint8Array(bytes, start, length);
		start += length;
		return glue.extractFile(path, file, recorded_hash);
	});
	const { joined, lengths } = join(extracts);
	return { id, lengths, bytes: joined };
}

/** Joins arrays into one buffer, so that one transfer moves all of them. */
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
