import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFile } from "./cache.mjs";
import { Problem } from "./run.mjs";

const GLUE_TYPES = `export * from "./ragnav.js";

/** The glue of one instance: its \`initSync\` or default export loads the module into it. */
export type Glue = typeof import("./ragnav.js");

/** Fresh glue. wasm-bindgen's keeps one instance a copy, so each instance has its own. */
export declare function createGlue(): Glue;
`;

/** Where wasm-bindgen's declarations turn from the core's own exports to loading the module. */
const LOADER_START = /^export type InitInput = /m;

/**
 * wasm-bindgen's own loader types name `WebAssembly` and `RequestInfo`, which a program for Node
 * without the DOM library does not know: its type check would fail inside this package.
 */
const LOADER_TYPES = `export interface InitOutput {
    readonly memory: { readonly buffer: ArrayBuffer };
}

/** Instantiates at once; \`module\` is a \`WebAssembly.Module\` or its bytes. */
export function initSync(input: { module: object }): InitOutput;

/** Instantiates without blocking, from what \`initSync\` takes, a \`Response\`, or a promise of one. */
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
		// A comment names the file, which is the same in every build only from here.
		absWorkingDir: pack,
		outfile: join(folder, "glue.js"),
		bundle: true,
		format: "iife",
		globalName: "glue",
		target: "es2022",
		// The entries always pass the module: the glue must not look for a file beside itself.
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
	return intersecting(acceptingAbsent(text.slice(0, start))) + LOADER_TYPES;
}

/**
 * Turns an interface that extends its own type parameter, which TypeScript refuses, into an
 * intersection: tsify writes the former for a flattened field of a generic type.
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
 * Lets callers pass `null` or `undefined` for an absent option, and lists that they do not own.
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
