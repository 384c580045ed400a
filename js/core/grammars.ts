/** Finds, compiles and links the grammars of languages. */

import { fromCore, messageOf, RagnavError } from "./errors.js";
import {
	type GrammarTarget,
	linkGrammar,
	linkGrammarLater,
} from "./grammar-module.js";
import type { MaybePromise } from "./host.js";
import { unpacked } from "./unpack.js";

/** The bytes of a grammar's file, in the format gzip or unpacked, or the compiled file. */
export type GrammarBytes = BufferSource | WebAssembly.Module;

/**
 * Returns the grammar of a file name such as `tree-sitter-python.wasm.gz`. The files are in the
 * folder `languages` of the package.
 */
export type ReadGrammar = (
	file: string,
) => GrammarBytes | Promise<GrammarBytes>;

/** The grammars of an entry of the package. */
export interface GrammarFiles {
	/** Reads and unpacks a file synchronously; absent in environments that cannot. */
	sync?(file: string): BufferSource;
	/** Reads a file. */
	async: ReadGrammar;
	/** Reads the file of any URL. Default: `fetch`. */
	url?(url: URL): Promise<ArrayBuffer | Uint8Array>;
}

/** An instance of the core, with the grammars that it loads or has. */
export interface GrammarHolder extends GrammarTarget {
	grammars: Map<string, Promise<void>>;
}

let entryFiles: GrammarFiles | undefined;
let givenFiles: GrammarFiles | undefined;
const modules = new Map<string, WebAssembly.Module>();
const loading = new Map<string, Promise<WebAssembly.Module>>();

/** Registers the grammars of the entry that was imported. */
export function setGrammarFiles(files: GrammarFiles | undefined): void {
	entryFiles = files;
}

/** Replaces the grammars of the entry. */
export function giveGrammarFiles(given: string | URL | ReadGrammar): void {
	givenFiles = {
		async: typeof given === "function" ? given : readFrom(given),
	};
	modules.clear();
	loading.clear();
}

/**
 * Compiles grammars, so that the pure functions have them.
 *
 * @throws {RagnavError} `LANGUAGE_UNAVAILABLE` if a grammar cannot be loaded.
 */
export async function preloadGrammars(
	languages: readonly string[],
): Promise<void> {
	await Promise.all(languages.map(compile));
}

/**
 * Loads a grammar into an instance of the core.
 *
 * @throws {RagnavError} `LANGUAGE_UNAVAILABLE` if that is impossible; a promise rejects with it.
 */
export function loadGrammar(
	holder: GrammarHolder,
	language: string,
): MaybePromise<void> {
	if (files()?.sync !== undefined) return loadGrammarNow(holder, language);
	let loaded = holder.grammars.get(language);
	if (loaded === undefined) {
		loaded = link(holder, language);
		holder.grammars.set(language, loaded);
		loaded.catch(() => holder.grammars.delete(language));
	}
	return loaded;
}

/**
 * Loads a grammar into an instance of the core, without waiting.
 *
 * @throws {RagnavError} `LANGUAGE_UNAVAILABLE` if that is impossible.
 */
export function loadGrammarNow(target: GrammarTarget, language: string): void {
	const module = modules.get(language) ?? compileNow(language);
	explain(language, () => linkGrammar(target, language, module));
}

/** Returns the compiled grammars of languages, of those that an instance has loaded. */
export function compiledGrammars(
	languages: readonly string[],
): [language: string, module: WebAssembly.Module][] {
	return languages.flatMap((language) => {
		const module = modules.get(language);
		return module === undefined ? [] : [[language, module]];
	});
}

async function link(holder: GrammarHolder, language: string): Promise<void> {
	const module = await compile(language);
	try {
		await linkGrammarLater(holder, language, module);
	} catch (thrown) {
		throw unusable(language, thrown);
	}
}

function compileNow(language: string): WebAssembly.Module {
	const read = files()?.sync;
	if (read === undefined) {
		const message =
			`the grammar of ${language} is not loaded; ` +
			`call \`await init(null, { languages: ["${language}"] })\` first`;
		throw new RagnavError("LANGUAGE_UNAVAILABLE", message);
	}
	const bytes = read(fileOf(language));
	const module = explain(language, () => new WebAssembly.Module(bytes));
	modules.set(language, module);
	return module;
}

function compile(language: string): Promise<WebAssembly.Module> {
	const known = modules.get(language);
	if (known !== undefined) return Promise.resolve(known);
	let compiled = loading.get(language);
	if (compiled === undefined) {
		compiled = readAndCompile(language);
		loading.set(language, compiled);
		compiled.catch(() => loading.delete(language));
	}
	return compiled;
}

async function readAndCompile(language: string): Promise<WebAssembly.Module> {
	const read = files()?.async;
	if (read === undefined) {
		const message =
			"no grammars are known here; pass `grammars` to `init`: " +
			"the URL of the package's folder `languages`, or a function that reads a file of it";
		throw new RagnavError("LANGUAGE_UNAVAILABLE", message);
	}
	const bytes = await readWith(read, fileOf(language));
	try {
		const module =
			bytes instanceof WebAssembly.Module
				? bytes
				: await WebAssembly.compile(await unpacked(bytes));
		modules.set(language, module);
		return module;
	} catch (thrown) {
		throw unusable(language, thrown);
	}
}

async function readWith(
	read: ReadGrammar,
	file: string,
): Promise<GrammarBytes> {
	try {
		return await read(file);
	} catch (thrown) {
		if (thrown instanceof RagnavError) throw thrown;
		throw missingGrammar(file, messageOf(thrown));
	}
}

function files(): GrammarFiles | undefined {
	return givenFiles ?? entryFiles;
}

/** Returns the name of a grammar's file. */
function fileOf(language: string): string {
	if (!/^[a-z0-9_]+$/.test(language)) {
		const message = `${JSON.stringify(language)} is no language; name one in lower case`;
		throw new RagnavError("LANGUAGE_UNAVAILABLE", message);
	}
	return `tree-sitter-${language}.wasm.gz`;
}

/** Returns a function that fetches files of a folder. */
function readFrom(folder: string | URL): ReadGrammar {
	const base = String(folder).replace(/\/?$/, "/");
	return (file) => fetchGrammar(new URL(file, base), file);
}

/** Reads the file of a URL in the way of the entry that was imported. */
export async function readUrl(url: URL): Promise<ArrayBuffer | Uint8Array> {
	if (entryFiles?.url !== undefined) return entryFiles.url(url);
	return fetchBytes(url);
}

/** Fetches the file of a URL. Throws if the server does not have it. */
export async function fetchBytes(url: URL): Promise<ArrayBuffer> {
	const response = await fetch(url);
	if (response.ok) return response.arrayBuffer();
	throw new Error(`${url.href} answers ${response.status}`);
}

/**
 * Fetches a grammar.
 *
 * @throws {RagnavError} `LANGUAGE_UNAVAILABLE` if the server does not have it.
 */
export async function fetchGrammar(
	url: URL,
	file: string,
): Promise<ArrayBuffer> {
	try {
		return await fetchBytes(url);
	} catch (thrown) {
		throw missingGrammar(file, messageOf(thrown));
	}
}

/** Builds the error for a grammar whose file cannot be read. */
export function missingGrammar(file: string, reason: string): RagnavError {
	const message =
		`${file} cannot be read (${reason}); ` +
		"it belongs into the folder `languages` of the package ragnav";
	return new RagnavError("LANGUAGE_UNAVAILABLE", message);
}

function explain<T>(language: string, work: () => T): T {
	try {
		return work();
	} catch (thrown) {
		throw unusable(language, thrown);
	}
}

function unusable(language: string, thrown: unknown): RagnavError {
	const reason = fromCore(thrown)?.message ?? messageOf(thrown);
	const message =
		`${fileOf(language)} cannot be used: ${reason}. ` +
		"Install ragnav again, or replace the file";
	return new RagnavError("LANGUAGE_UNAVAILABLE", message);
}
