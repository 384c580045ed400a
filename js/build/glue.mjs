import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFile } from "./cache.mjs";
import { Problem } from "./run.mjs";

const GLUE_TYPES = `export * from "./ragnav.js";

/** The glue of one instance: its \`initSync\` or default export loads the module into it. */
export type Glue = typeof import("./ragnav.js");

/** Creates glue for one instance: wasm-bindgen's glue has a single instance. */
export declare function createGlue(): Glue;
`;

/** The place in wasm-bindgen's declarations where those of loading begin. */
const LOADER_START = /^export type InitInput = /m;

/**
 * Replaces wasm-bindgen's types of loading. They name `WebAssembly` and `RequestInfo`, which a
 * program for Node without the DOM library does not have.
 */
const LOADER_TYPES = `export interface InitOutput {
    readonly memory: { readonly buffer: ArrayBuffer };
}

/** Instantiates synchronously; \`module\` is a \`WebAssembly.Module\` or its bytes. */
export function initSync(input: { module: object }): InitOutput;

/** Instantiates from the arguments of \`initSync\`, a \`Response\`, or a promise of one. */
export default function init(input: { module_or_path: object }): Promise<InitOutput>;
`;

/**
 * Wraps wasm-bindgen's web glue in a function, so that several instances can live in one process.
 *
 * @param {string} pack the folder that wasm-pack filled
 * @param {string} folder where the glue and its types go
 */
export async function writeGlue(pack, folder) {
	const { build } = await import("esbuild");
	await build({
		entryPoints: ["ragnav.js"],
		// A comment of the output has the file's path relative to this folder, so that builds are equal.
		absWorkingDir: pack,
		outfile: join(folder, "glue.js"),
		bundle: true,
		format: "iife",
		globalName: "glue",
		target: "es2022",
		// Removes the default file: the entries always pass the module.
		define: { "import.meta.url": "undefined" },
		banner: { js: "export function createGlue() {" },
		footer: { js: "return glue;\n}" },
		logLevel: "warning",
	});
	writeFile(
		join(folder, "ragnav.d.ts"),
		declarations(join(pack, "ragnav.d.ts")),
	);
	writeFile(join(folder, "glue.d.ts"), GLUE_TYPES);
}

/** @param {string} file */
function declarations(file) {
	const text = readFileSync(file, "utf8");
	const start = text.search(LOADER_START);
	if (start < 0) {
		throw new Problem(
			"wasm-bindgen's declarations have a new shape: js/build/glue.mjs has to follow.",
		);
	}
	const types = withoutExamples(text.slice(0, start));
	return intersecting(acceptingAbsent(types)) + LOADER_TYPES;
}

/**
 * Removes the examples in Rust, which are the last section of a type's documentation.
 *
 * @param {string} text
 */
function withoutExamples(text) {
	return text.replace(
		/(?:^ *\*[ \t]*\n)?^ *\* # Examples\n(?:^ *\*(?!\/).*\n)*/gm,
		"",
	);
}

/**
 * Turns an interface that extends its own type parameter into an intersection. tsify writes it for
 * a flattened field of a generic type, and TypeScript rejects it.
 *
 * @param {string} text
 */
function intersecting(text) {
	return text.replace(
		/^export interface (\w+<[^>]*\b(\w+)>) extends \2 (\{[\s\S]*?\n\})/gm,
		"export type $1 = $2 & $3;",
	);
}

/**
 * Lets callers pass `null` or `undefined` for an absent option, and read-only lists.
 *
 * @param {string} text
 */
function acceptingAbsent(text) {
	return text.replace(
		/^( +\w+)\??: (.+) \| undefined;$/gm,
		(_, name, type) =>
			`${name}?: ${type.replace(/^string\[\]$/, "readonly string[]")} | null | undefined;`,
	);
}
