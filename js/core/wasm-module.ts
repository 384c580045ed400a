import { createGlue, type Glue } from "../generated/glue.js";
import { RagnavError } from "./errors.js";
import { HelperPool, type StartHelpers } from "./workers/pool.js";

/** How an entry of the package comes by the compiled core. */
export interface Loader {
	/** Compiles at once; absent where that cannot be done. */
	sync?(): WebAssembly.Module;
	async(): Promise<WebAssembly.Module>;
	/** How it starts workers; absent where it cannot. */
	helpers?: StartHelpers;
	/** Whether it loads the core with every language. */
	isFull?: boolean;
}

/** A core of its own, with its memory. */
export interface Instance {
	glue: Glue;
	memory: { readonly buffer: ArrayBuffer };
}

let loader: Loader | undefined;
let compiled: WebAssembly.Module | undefined;
let pureInstance: Instance | undefined;

/**
 * Registers how this program loads the core; the entries call it, in the order they are imported.
 *
 * Where a program imports both, all of it has every language, whatever was imported first.
 */
export function setLoader(given: Loader): void {
	if (loader?.isFull && !given.isFull) return;
	if (loader !== undefined && given.isFull && !loader.isFull) {
		compiled = undefined;
		pureInstance = undefined;
	}
	loader = given;
}

/**
 * Loads the core, once for all navigators and pure functions.
 *
 * Needed before the pure functions outside Node, and with the bytes of `core.wasm` or `full.wasm` where the package
 * was imported as `ragnav/slim`. Pass the `Uint8Array` itself, not its `buffer`.
 *
 * @throws {RagnavError} `NOT_INITIALISED` where there are no bytes and no way to load them.
 */
export async function init(
	bytes?: BufferSource | WebAssembly.Module | null,
): Promise<void> {
	if (bytes !== undefined && bytes !== null) {
		compiled =
			bytes instanceof WebAssembly.Module
				? bytes
				: await WebAssembly.compile(bytes);
		pureInstance = undefined;
	}
	pureInstance ??= await newInstance();
}

/**
 * Makes sure that the pure functions work from now on. Where the core can be loaded at once they load it
 * themselves, and a program that never calls them is spared an instance.
 */
export async function preparePure(): Promise<void> {
	if (loader?.sync === undefined) {
		await init();
	}
}

/** A core of its own: its memory is freed with it. */
export async function newInstance(): Promise<Instance> {
	if (loader?.sync) {
		compiled ??= await loader.async();
		return newInstanceNow();
	}
	compiled ??= await (loader ?? missing()).async();
	const glue = createGlue();
	const { memory } = await glue.default({ module_or_path: compiled });
	return { glue, memory };
}

/** Workers of this program for one build, of which none runs yet; `undefined` where it can have none. */
export function newHelpers(count: number | undefined): HelperPool | undefined {
	if (compiled === undefined || loader?.helpers === undefined) return undefined;
	return new HelperPool(compiled, loader.helpers, count);
}

/**
 * The instance of the pure functions, which no `close()` frees.
 *
 * @throws {RagnavError} `NOT_INITIALISED` outside Node before `init()` or `open()`.
 */
export function pure(): Glue {
	pureInstance ??= newInstanceNow();
	return pureInstance.glue;
}

/** Drops the instance of the pure functions after a defect in it; the next call makes another. */
export function dropPure(): void {
	pureInstance = undefined;
}

function newInstanceNow(): Instance {
	compiled ??= loader?.sync?.() ?? missing();
	const glue = createGlue();
	const { memory } = glue.initSync({ module: compiled });
	return { glue, memory };
}

function missing(): never {
	throw new RagnavError(
		"NOT_INITIALISED",
		"the WebAssembly is not loaded yet: `await init()` first (with the bytes of core.wasm under ragnav/slim)",
	);
}
