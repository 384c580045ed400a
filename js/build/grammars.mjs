import {
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { hashOf, readText } from "./cache.mjs";
import { C_FLAGS, crateFolders, toolchainEnv } from "./cargo-env.mjs";
import { grammars, inRoot } from "./paths.mjs";
import { Problem, run } from "./run.mjs";
import { bringUpToDate, optimise, versionOfPackage } from "./wasm.mjs";

/** @typedef {import("./toolchain.mjs").Toolchain} Toolchain */

/**
 * The grammars of the package, and where the crates have their C sources.
 *
 * `symbol` is the function of the grammar in C, unless it ends with the name of the language.
 *
 * @type {{ language: string, crate: string, folder: string, symbol?: string }[]}
 */
const GRAMMARS = [
	...[
		"bash",
		"c",
		"cpp",
		"dart",
		"elixir",
		"go",
		"java",
		"javascript",
		"lua",
		"python",
		"ruby",
		"rust",
		"scala",
		"swift",
		"zig",
	].map((language) => ({
		language,
		crate: `tree-sitter-${language}`,
		folder: "src",
	})),
	{
		language: "csharp",
		crate: "tree-sitter-c-sharp",
		folder: "src",
		symbol: "tree_sitter_c_sharp",
	},
	{ language: "kotlin", crate: "tree-sitter-kotlin-sg", folder: "src" },
	{ language: "php", crate: "tree-sitter-php", folder: "php/src" },
	...["tsx", "typescript"].map((language) => ({
		language,
		crate: "tree-sitter-typescript",
		folder: `${language}/src`,
	})),
];

/** Returns the file names of the compiled grammars. */
export const grammarFiles = () => GRAMMARS.map(fileOf);

/** Returns the file names of the grammars in the package's folder `languages`. */
export const packedGrammarFiles = () =>
	grammarFiles().map((file) => `${file}.gz`);

/** @param {{ language: string }} grammar */
function fileOf({ language }) {
	return `tree-sitter-${language}.wasm`;
}

/** What the loader supplies itself; the core exports the rest. See `js/core/grammar-module.ts`. */
const FROM_LOADER = [
	"__assert_fail",
	"__indirect_function_table",
	"__memory_base",
	"__table_base",
	"fwrite",
];

/**
 * `-fPIC` lets the loader choose the places in the core's memory and function table. Before LLVM 17,
 * clang has it only for the target `emscripten`, whose object code is the same otherwise.
 */
const COMPILER_FLAGS = [
	"--target=wasm32-unknown-emscripten",
	"-fPIC",
	"-fvisibility=hidden",
	"-DNDEBUG",
	...C_FLAGS,
];

const LINKER_FLAGS = [
	"-shared",
	"--experimental-pic",
	"--no-entry",
	"--allow-undefined",
	"--strip-all",
	"-Bsymbolic",
];

/**
 * Updates `js/generated-grammars`: a WebAssembly file for each grammar.
 *
 * @param {Toolchain} toolchain
 */
export function buildGrammars(toolchain) {
	const own = ["grammars.mjs", "cargo-env.mjs"];
	return bringUpToDate({
		folder: grammars,
		file: "tree-sitter-typescript.wasm",
		title: "grammars: compiling to WebAssembly",
		hash: hashOf({
			values: [
				toolchain.versions,
				toolchain.linkerVersion,
				lockedGrammars(),
				versionOfPackage("binaryen"),
			],
			files: own.map((name) => inRoot("js", "build", name)),
		}),
		make: (folder) => compileAll(toolchain, folder),
		store: { name: "grammars", kept: 6 },
	});
}

/** Returns the entries of `Cargo.lock` about the grammars, with their versions and hashes. */
function lockedGrammars() {
	const entries = (readText(inRoot("Cargo.lock")) ?? "").split("[[package]]");
	return entries.filter((entry) => entry.includes('name = "tree-sitter'));
}

/**
 * @param {Toolchain} toolchain
 * @param {string} folder
 */
async function compileAll(toolchain, folder) {
	const folders = crateFolders(toolchainEnv(toolchain));
	for (const grammar of GRAMMARS) {
		const crate = folders.get(grammar.crate);
		if (!crate) throw new Problem(`Cargo.lock names no ${grammar.crate}.`);
		const source = join(crate, grammar.folder);
		const headers = join(
			folders.get("tree-sitter-language") ?? "",
			"wasm",
			"include",
		);
		await compile(toolchain, { grammar, source, headers, folder });
	}
}

/**
 * @param {Toolchain} toolchain
 * @param {{ grammar: { language: string, symbol?: string }, source: string, headers: string, folder: string }} to
 */
async function compile(toolchain, { grammar, source, headers, folder }) {
	const objectFolder = join(folder, grammar.language);
	mkdirSync(objectFolder);
	const sources = ["parser.c", "scanner.c"].filter((file) =>
		existsSync(join(source, file)),
	);
	const objects = [];
	// The loader expects the name of the language.
	const exported = `tree_sitter_${grammar.language}`;
	const renamed = grammar.symbol ? [`-D${grammar.symbol}=${exported}`] : [];
	for (const file of sources) {
		const object = join(objectFolder, file.replace(".c", ".o"));
		const place = ["-I", source, "-I", headers, "-c", join(source, file)];
		await run(toolchain.clang, [
			...COMPILER_FLAGS,
			...renamed,
			...place,
			"-o",
			object,
		]);
		objects.push(object);
	}
	const linked = join(objectFolder, "linked.wasm");
	await run(toolchain.linker, [
		...LINKER_FLAGS,
		`--export=${exported}`,
		...objects,
		"-o",
		linked,
	]);
	await optimise(linked, join(folder, fileOf(grammar)));
	rmSync(objectFolder, { recursive: true });
}

/**
 * Packs the grammars into a folder, in the format gzip: they are tables, a tenth of their size.
 *
 * @param {string} folder
 */
export function packGrammars(folder) {
	mkdirSync(folder, { recursive: true });
	for (const file of grammarFiles()) {
		const packed = gzipSync(readFileSync(join(grammars, file)), { level: 9 });
		writeFileSync(join(folder, `${file}.gz`), packed);
	}
}

/**
 * Checks that a core supplies everything that the grammars import.
 *
 * @param {string} core the file of the core
 */
export function checkGrammars(core) {
	const exported = WebAssembly.Module.exports(moduleOf(core));
	const supplied = new Set([
		...FROM_LOADER,
		...exported.map(({ name }) => name),
	]);
	for (const file of grammarFiles()) {
		const imported = WebAssembly.Module.imports(moduleOf(join(grammars, file)));
		const isForeign = (/** @type {{ module: string, name: string }} */ one) =>
			one.module !== "env" || !supplied.has(one.name);
		const foreign = imported.filter(isForeign).map(({ name }) => name);
		if (foreign.length === 0) continue;
		throw new Problem(
			`${file} imports what the core does not supply: ${foreign.join(", ")}.`,
		);
	}
}

/** @param {string} file */
function moduleOf(file) {
	return new WebAssembly.Module(readFileSync(file));
}
