import { createGlue, type Glue, type InitOutput } from "../generated/glue.js";
import { RagnavError } from "./errors.js";
import {
	type GrammarFiles,
	type GrammarHolder,
	giveGrammarFiles,
	preloadGrammars,
	type ReadGrammar,
	setGrammarFiles,
} from "./grammars.js";
import { checkOptions } from "./known-options.js";
import type { LoadedPlugin } from "./language-plugins.js";
import { HelperPool, type StartHelpers } from "./workers/pool.js";

/** Loads the compiled core; each entry of the package has one. */
export interface Loader {
	/** Compiles synchronously; absent in environments that cannot. */
	sync?(): WebAssembly.Module;
	/** Compiles asynchronously. */
	async(): Promise<WebAssembly.Module>;
	/** Starts workers; absent in environments without workers. */
	helpers?: StartHelpers;
	/** The grammars of languages. */
	grammars?: GrammarFiles;
}

/** An instance of the core, with its memory and grammars. */
export interface Instance extends GrammarHolder {
	glue: Glue;
	memory: { readonly buffer: ArrayBuffer };
}

/** The options of {@link init}. */
export interface InitOptions {
	/**
	 * The grammars of languages: the URL of their folder, or a function that returns the bytes of a
	 * file such as `tree-sitter-python.wasm.gz`. Default: the package's own; `ragnav/slim` has none.
	 */
	grammars?: string | URL | ReadGrammar | null | undefined;
	/**
	 * The languages that the pure functions will parse, such as `["python"]`; their grammars load now.
	 * Only environments without synchronous reads need it, and queries never do.
	 */
	languages?: readonly string[] | null | undefined;
}

/** The options of {@link init}, for messages and to refuse others. */
const INIT_OPTIONS = {
	grammars: true,
	languages: true,
} satisfies Record<keyof InitOptions, true>;

let loader: Loader | undefined;
let compiled: WebAssembly.Module | undefined;
let compiling: Promise<WebAssembly.Module> | undefined;
let pureInstance: Instance | undefined;

/** Registers the loader of this program. Each entry calls it when it is imported. */
export function setLoader(given: Loader): void {
	loader = given;
	setGrammarFiles(given.grammars);
}

/**
 * Registers the loader of an entry that others import for it: `ragnav/agent` imports the one of
 * browsers, which must not replace `ragnav/inline`.
 */
export function setDefaultLoader(given: Loader): void {
	if (loader === undefined) setLoader(given);
}

/**
 * Loads the core, once for all navigators and pure functions.
 *
 * Outside Node, call it before the pure functions, with the `languages` that they parse. With
 * `ragnav/slim`, pass the bytes of `core.wasm`: the `Uint8Array` itself, not its `buffer`. Pass
 * `grammars` too, unless only text is searched.
 *
 * @throws {RagnavError} `NOT_INITIALISED` under `ragnav/slim` without bytes; `LANGUAGE_UNAVAILABLE`
 * if the grammar of one of `languages` cannot be loaded; `INVALID_ARGUMENT` for an unknown option.
 *
 * @example
 * ```js
 * import { readFile } from "node:fs/promises";
 * import { init, locateSymbol } from "ragnav/slim";
 *
 * const core = new URL(import.meta.resolve("ragnav/core.wasm"));
 * const grammars = (file) => readFile(new URL(`languages/${file}`, core));
 * await init(await readFile(core), { grammars, languages: ["python"] });
 * console.log(locateSymbol("\ndef f(): pass\n", "f").start_line); // 2
 * ```
 */
export async function init(
	bytes?: BufferSource | WebAssembly.Module | null,
	options?: InitOptions | null,
): Promise<void> {
	checkOptions(options, INIT_OPTIONS);
	const { grammars, languages } = options ?? {};
	if (grammars !== undefined && grammars !== null) giveGrammarFiles(grammars);
	if (bytes !== undefined && bytes !== null) {
		compiled =
			bytes instanceof WebAssembly.Module
				? bytes
				: await WebAssembly.compile(bytes);
		pureInstance = undefined;
	}
	pureInstance ??= await newInstance();
	await preloadGrammars(languages ?? []);
}

/**
 * Prepares the core for the pure functions. In Node they load it themselves, so a program that
 * never calls them saves an instance.
 */
export async function preparePure(): Promise<void> {
	if (loader?.sync === undefined) {
		await init();
	}
}

/**
 * Starts to compile the core, so that the first instance is ready sooner.
 *
 * @param core the core, if the program already compiles it
 */
export function startCompiling(core?: Promise<WebAssembly.Module>): void {
	// Whoever needs the core compiles it again, and gets the error.
	compile(core).catch(() => undefined);
}

function compile(
	core?: Promise<WebAssembly.Module>,
): Promise<WebAssembly.Module> {
	compiling ??= (core ?? (loader ?? missing()).async()).catch(
		(thrown: unknown) => {
			compiling = undefined;
			throw thrown;
		},
	);
	return compiling;
}

/** Creates an instance of the core. Its memory is freed with it. */
export async function newInstance(): Promise<Instance> {
	if (loader?.sync) {
		compiled ??= await compile();
		return newInstanceNow();
	}
	compiled ??= await compile();
	const glue = createGlue();
	return instanceOf(glue, await glue.default({ module_or_path: compiled }));
}

/** Creates the workers of one build, without starting them; `undefined` if there cannot be any. */
export function newHelpers(
	count: number | undefined,
	plugins: readonly LoadedPlugin[],
): HelperPool | undefined {
	if (compiled === undefined || loader?.helpers === undefined) return undefined;
	return new HelperPool(compiled, loader.helpers, count, plugins);
}

/**
 * Returns the instance of the pure functions. No `close()` frees it.
 *
 * @throws {RagnavError} `NOT_INITIALISED` outside Node before `init()` or `open()`.
 */
export function pure(): Glue {
	return pureHolder().glue;
}

/**
 * Returns the instance of the pure functions, to load grammars into it.
 *
 * @throws {RagnavError} `NOT_INITIALISED` outside Node before `init()` or `open()`.
 */
export function pureHolder(): GrammarHolder {
	pureInstance ??= newInstanceNow();
	return pureInstance;
}

/** Drops the instance of the pure functions after a panic; the next call creates a new one. */
export function dropPure(): void {
	pureInstance = undefined;
}

function newInstanceNow(): Instance {
	compiled ??= loader?.sync?.() ?? missing();
	const glue = createGlue();
	return instanceOf(glue, glue.initSync({ module: compiled }));
}

function instanceOf(glue: Glue, exports: InitOutput): Instance {
	const { memory } = exports;
	return { glue, memory, exports: { ...exports }, grammars: new Map() };
}

function missing(): never {
	const message =
		"the core is not loaded yet; call `await init()` first " +
		"(under ragnav/slim with the bytes of core.wasm)";
	throw new RagnavError("NOT_INITIALISED", message);
}
