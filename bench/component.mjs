/** The component in Node: jco transpiles it, and its host is one of the npm package. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { transpileBytes } from "@bytecodealliance/jco-transpile";

/** @typedef {import("../js/core/host.js").DirEntry} DirEntry */
/** @typedef {import("../js/core/host.js").Failure} Failure */
/** @typedef {import("../js/core/host.js").FileStamp} FileStamp */
/** @typedef {import("../js/hosts/node/host.js").NodeHost} NodeHost */
/** @typedef {Record<string, (...given: unknown[]) => unknown>} Functions */
/** @typedef {{ path: string, text: string }} Buffer the unsaved text of a file */
/** @typedef {(host: NodeHost, overlay?: () => Buffer[]) => Exports} Instantiate */
/**
 * @typedef {object} Exports an instance of the component
 * @property {{ Navigator: { open(options: unknown): Functions } }} navigation
 * @property {Functions} locator
 * @property {Functions} envelope
 */
/**
 * @typedef {object} Module the module that jco makes of the component
 * @property {(getCoreModule: (path: string) => WebAssembly.Module, imports: Record<string, Functions>)
 * => Exports} instantiate
 */
/**
 * @template T
 * @typedef {{ tag: "ok", val: T } | { tag: "err", val: string }} Found a result inside a list, as
 * jco represents it
 */

/**
 * Transpiles the component to a JavaScript module, and returns a function that makes an instance
 * over a host.
 *
 * @param {string} component
 * @param {string} folder the folder for its files
 * @returns {Promise<Instantiate>}
 */
export async function transpile(component, folder) {
	const { files } = await transpileBytes(readFileSync(component), {
		name: "ragnav",
		instantiation: "sync",
	});
	for (const [name, content] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, name)), { recursive: true });
		writeFileSync(join(folder, name), content);
	}
	writeFileSync(join(folder, "package.json"), '{"type": "module"}');
	const url = pathToFileURL(join(folder, "ragnav.js")).href;
	/** @type {Module} */
	const module = await import(url);
	/** @type {Map<string, WebAssembly.Module>} */
	const modules = new Map();
	const coreModule = (/** @type {string} */ path) => {
		const known =
			modules.get(path) ??
			new WebAssembly.Module(readFileSync(join(folder, path)));
		modules.set(path, known);
		return known;
	};
	return (host, overlay = () => []) =>
		module.instantiate(coreModule, {
			"ragnav:core/host": functionsOf(host, overlay),
		});
}

/**
 * Implements the imports of the component by a host of the npm package.
 *
 * @param {NodeHost} host
 * @param {() => Buffer[]} overlay
 */
function functionsOf(host, overlay) {
	const functions = {
		gitHead: () => {
			const { head, git_root } = host.gitHead();
			return { head, gitRoot: git_root };
		},
		readDirs: (/** @type {string[]} */ paths) =>
			host.readDirs(paths).map((listing) => found(listing, entriesOf)),
		readMany: (
			/** @type {string[]} */ paths,
			/** @type {number} */ max_bytes,
		) =>
			host
				.readMany(paths, { max_bytes })
				.map((file) => found(file, (val) => ({ tag: "bytes", val }))),
		stat: (/** @type {string[]} */ paths) =>
			host.stat(paths).map((stamp) => found(stamp, stampOf)),
		write: (
			/** @type {string} */ path,
			/** @type {Uint8Array} */ bytes,
			/** @type {boolean} */ exclusive,
		) => host.write?.(path, bytes, { exclusive }),
		remove: (/** @type {string} */ path) => host.remove?.(path),
		overlay,
		ignoreRules: () => [],
		now: () => BigInt(Date.parse(host.now())),
		utcOffsets: (/** @type {BigInt64Array} */ instants) =>
			[...instants].map(offsetAt),
		uniqueName: () => crypto.randomUUID(),
	};
	const guarded = Object.entries(functions).map(([name, work]) => [
		name,
		failingWithText(/** @type {Functions[string]} */ (work)),
	]);
	return Object.fromEntries(guarded);
}

/**
 * Converts an exception to a text. Any other exception would end the instance.
 *
 * @param {Functions[string]} work
 * @returns {Functions[string]}
 */
const failingWithText =
	(work) =>
	(...given) => {
		try {
			return work(...given);
		} catch (error) {
			throw error instanceof Error ? error.message : String(error);
		}
	};

/**
 * @template {object} T
 * @template U
 * @param {T | Failure} answer
 * @param {(answer: T) => U} good
 * @returns {Found<U>}
 */
function found(answer, good) {
	if (!("error" in answer)) return { tag: "ok", val: good(answer) };
	return { tag: "err", val: answer.error.replace("_", "-") };
}

/** @param {DirEntry[]} entries */
const entriesOf = (entries) =>
	entries.map(({ name, kind }) => ({ name, kind }));

/** @param {FileStamp} stamp */
const stampOf = ({ size, stamp, racy = false }) => ({
	size: BigInt(size),
	stamp,
	racy,
});

/** @param {bigint} ms */
const offsetAt = (ms) => -new Date(Number(ms)).getTimezoneOffset() * 60;
