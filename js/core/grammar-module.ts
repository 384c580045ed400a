/**
 * Links a grammar into an instance of the core.
 *
 * A grammar is a shared object as clang and tree-sitter's own tools write it, see
 * https://github.com/WebAssembly/tool-conventions/blob/main/DynamicLinking.md. Its data and its
 * functions get places in the core's memory and table, which nothing frees.
 */

import type { Glue } from "../generated/glue.js";
import { RagnavError } from "./errors.js";

/** The part of a core's instance that grammars use. */
export interface GrammarTarget {
	glue: Glue;
	/** The exports of the core: its memory and its library of C functions. */
	exports: Readonly<Record<string, unknown>>;
}

/** The space that a grammar needs. */
interface GrammarSpace {
	/** The size of its data in bytes. */
	memorySize: number;
	/** The alignment of its data in bytes. */
	memoryAlignment: number;
	/** The number of its functions in the table. */
	tableSize: number;
}

/** The size of the data of a grammar above which it is rejected, in bytes. The largest known has 40 MB. */
const MAX_MEMORY = 256 << 20;
const MAX_ALIGNMENT = 1 << 16;
const MAX_TABLE = 1 << 16;

/** The number of the subsection with the space, of the section `dylink.0`. */
const MEMORY_INFO = 1;

/**
 * Links a compiled grammar, and hands it to the core.
 *
 * @throws {RagnavError} `LANGUAGE_UNAVAILABLE` for a module that is not a grammar of the language.
 */
export function linkGrammar(
	target: GrammarTarget,
	language: string,
	module: WebAssembly.Module,
	functionName = functionOf(language),
): void {
	const { imports, ...data } = placeOf(target, module);
	const { exports } = new WebAssembly.Instance(module, imports);
	finish(target, { language, functionName, exports }, data);
}

/**
 * Links a compiled grammar as {@link linkGrammar} does. Browsers may refuse to instantiate a large
 * module synchronously.
 *
 * @throws {RagnavError} `LANGUAGE_UNAVAILABLE` for a module that is not a grammar of the language.
 */
export async function linkGrammarLater(
	target: GrammarTarget,
	language: string,
	module: WebAssembly.Module,
	functionName = functionOf(language),
): Promise<void> {
	const { imports, ...data } = placeOf(target, module);
	const { exports } = await WebAssembly.instantiate(module, imports);
	finish(target, { language, functionName, exports }, data);
}

/**
 * Returns the name of the function that returns a grammar. The language may have another name than
 * its grammar if the module has one grammar only.
 */
export function grammarFunction(
	module: WebAssembly.Module,
	language: string,
): string {
	const names = WebAssembly.Module.exports(module).map(({ name }) => name);
	const [only, ...others] = names.filter(
		(name) =>
			name.startsWith(functionOf("")) && !name.includes("_external_scanner_"),
	);
	const own = functionOf(language);
	const isOnly = only !== undefined && others.length === 0;
	return isOnly && !names.includes(own) ? only : own;
}

function functionOf(language: string): string {
	return `tree_sitter_${language}`;
}

/** An instantiated grammar. */
interface Linked {
	language: string;
	functionName: string;
	exports: WebAssembly.Exports;
}

/** The place of a grammar's data. */
interface Data {
	/** The address. */
	base: number;
	/** The size in bytes. */
	size: number;
}

function placeOf(
	target: GrammarTarget,
	module: WebAssembly.Module,
): Data & { imports: WebAssembly.Imports } {
	const space = spaceOf(module);
	const base = allocate(target, space);
	const table = target.glue.functionTable() as WebAssembly.Table;
	const tableBase = table.grow(space.tableSize);
	const own: Record<string, WebAssembly.ImportValue> = {
		__indirect_function_table: table,
		__memory_base: new WebAssembly.Global({ value: "i32" }, base),
		__table_base: new WebAssembly.Global({ value: "i32" }, tableBase),
		__assert_fail: () => {
			throw new Error("a grammar stopped on a failed assertion");
		},
		// The scanner of Swift writes a message if the memory is full.
		fwrite: () => 0,
	};
	const env: Record<string, WebAssembly.ImportValue> = {};
	for (const { module: namespace, name } of WebAssembly.Module.imports(
		module,
	)) {
		const value = Object.hasOwn(own, name) ? own[name] : target.exports[name];
		if (namespace !== "env" || value === undefined) {
			throw unusable(`it imports ${namespace}.${name}, which ragnav lacks`);
		}
		env[name] = value as WebAssembly.ImportValue;
	}
	return { imports: { env }, base, size: space.memorySize };
}

function finish(
	{ glue }: GrammarTarget,
	{ language, functionName, exports }: Linked,
	{ base, size }: Data,
): void {
	call(exports.__wasm_apply_data_relocs);
	call(exports.__wasm_call_ctors);
	const grammar = exports[functionName];
	if (typeof grammar !== "function") {
		throw unusable(`it does not export ${functionName}`);
	}
	// The core reads the grammar at this address, so it must be in the data.
	const address: unknown = grammar();
	const isInside =
		typeof address === "number" && address >= base && address < base + size;
	if (!isInside) throw unusable(`${functionName} does not return its own data`);
	const table = glue.functionTable() as WebAssembly.Table;
	const slot = table.grow(1);
	table.set(slot, grammar);
	glue.addGrammar(language, slot);
}

function call(exported: WebAssembly.ExportValue | undefined): void {
	if (typeof exported === "function") exported();
}

/** Allocates zeroed memory in the core. */
function allocate(
	{ exports }: GrammarTarget,
	{ memorySize, memoryAlignment }: GrammarSpace,
): number {
	const calloc = exports.calloc as (count: number, size: number) => number;
	// WebAssembly returns addresses above 2 GiB as negative numbers.
	const start = calloc(1, memorySize + memoryAlignment) >>> 0;
	if (start === 0) throw unusable(`there is no memory for ${memorySize} bytes`);
	return Math.ceil(start / memoryAlignment) * memoryAlignment;
}

/** Reads the section `dylink.0`. */
function spaceOf(module: WebAssembly.Module): GrammarSpace {
	const [section] = WebAssembly.Module.customSections(module, "dylink.0");
	if (section === undefined) {
		throw unusable("it is not a shared object, it has no section dylink.0");
	}
	const bytes = new Bytes(new Uint8Array(section));
	while (!bytes.isAtEnd) {
		const kind = bytes.next();
		const length = bytes.number();
		if (kind === MEMORY_INFO) return checked(memoryInfo(bytes));
		bytes.skip(length);
	}
	return { memorySize: 0, memoryAlignment: 1, tableSize: 0 };
}

function memoryInfo(bytes: Bytes): GrammarSpace {
	const memorySize = bytes.number();
	const memoryAlignment = 2 ** bytes.number();
	const tableSize = bytes.number();
	return { memorySize, memoryAlignment, tableSize };
}

function checked(space: GrammarSpace): GrammarSpace {
	const { memorySize, memoryAlignment, tableSize } = space;
	const isBounded =
		memorySize <= MAX_MEMORY &&
		memoryAlignment <= MAX_ALIGNMENT &&
		tableSize <= MAX_TABLE;
	if (isBounded) return space;
	throw unusable("it needs more memory than a grammar may have");
}

/** Reads numbers from bytes. Behind the end there are zeros. */
class Bytes {
	readonly #bytes: Uint8Array;
	#at = 0;

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes;
	}

	get isAtEnd(): boolean {
		return this.#at >= this.#bytes.length;
	}

	next(): number {
		return this.#bytes[this.#at++] ?? 0;
	}

	skip(count: number): void {
		this.#at += count;
	}

	/** Reads an unsigned LEB128 number. */
	number(): number {
		let value = 0;
		for (let factor = 1; ; factor *= 128) {
			const byte = this.next();
			value += (byte & 127) * factor;
			if (byte < 128) return value;
		}
	}
}

function unusable(reason: string): RagnavError {
	return new RagnavError("LANGUAGE_UNAVAILABLE", reason);
}
