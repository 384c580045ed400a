import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
	hashOf,
	makeFolder,
	prune,
	readText,
	replaceFolder,
	withLock,
	writeFile,
} from "./cache.mjs";
import { CARGO_FLAGS, cargoEnv, FULL_CARGO_FLAGS } from "./cargo-env.mjs";
import { writeGlue } from "./glue.mjs";
import { generated, generatedFull, inCache, inRoot } from "./paths.mjs";
import { Problem, run, runPackage } from "./run.mjs";
import { step } from "./setup.mjs";
import { tools } from "./tools.mjs";

/** @typedef {import("./toolchain.mjs").Toolchain} Toolchain */

const KEPT_BUILDS = 30;

const WASM_OPT_FLAGS = [
	"-O3",
	"--enable-simd",
	"--enable-bulk-memory",
	"--enable-nontrapping-float-to-int",
	"--enable-sign-ext",
	"--enable-mutable-globals",
	"--enable-reference-types",
	"--enable-multivalue",
	"--strip-debug",
	"--strip-producers",
	"--strip-target-features",
];

/** The import namespaces of wasm-bindgen; any other means that a C function was left unresolved. */
const OWN_NAMESPACES = ["./ragnav_bg.js", "wbg"];

/**
 * One of the cores that the package has.
 *
 * @typedef {{ file: string, flags: string[] }} Variant
 */

/** @type {Variant} */
const CORE = { file: "core.wasm", flags: CARGO_FLAGS };

/** @type {Variant} */
const FULL = { file: "full.wasm", flags: FULL_CARGO_FLAGS };

/**
 * Brings `js/generated` up to date: the wasm file and the glue that the sources import.
 *
 * @param {Toolchain} toolchain
 */
export function buildWasm(toolchain) {
	return bringUpToDate({
		folder: generated,
		file: CORE.file,
		title: "core: compiling to WebAssembly",
		hash: wasmHash(toolchain, CORE),
		make: (folder) => compile(toolchain, folder, CORE),
	});
}

/**
 * Brings `js/generated-full` up to date: the wasm file with every language, for the same glue.
 *
 * @param {Toolchain} toolchain
 * @param {{ onlyIfKnown: boolean }} options `onlyIfKnown`: not where it would have to be compiled
 * @returns {Promise<boolean>} whether it is there
 */
export async function buildFullWasm(toolchain, { onlyIfKnown }) {
	const wanted = {
		folder: generatedFull,
		file: FULL.file,
		title: "core with every language: compiling to WebAssembly",
		hash: wasmHash(toolchain, FULL),
		make: (/** @type {string} */ folder) => compile(toolchain, folder, FULL),
	};
	if (onlyIfKnown && !isKnown(wanted)) return false;
	await bringUpToDate(wanted);
	checkSameGlue();
	return true;
}

/** The entries share one copy of the glue, whichever file they load. */
function checkSameGlue() {
	const [core, full] = [generated, generatedFull].map((folder) =>
		readText(join(folder, "glue.js")),
	);
	if (core === full) return;
	throw new Problem(
		"full.wasm has other glue than core.wasm: something outside of src/lang and src/link depends on the languages.",
	);
}

/**
 * @param {Toolchain} toolchain
 * @param {Variant} variant
 */
function wasmHash(toolchain, { file, flags }) {
	return inputHash(toolchain, {
		values: [
			file,
			flags,
			tools().map((tool) => tool.version),
			["binaryen", "esbuild"].map(versionOfPackage),
		],
		files: [inRoot("js", "build", "glue.mjs")],
	});
}

/**
 * What is filled into a folder of the checkout.
 *
 * @typedef {object} Wanted
 * @property {string} folder
 * @property {string} file one that is there when everything is
 * @property {string} title
 * @property {string} hash of all inputs
 * @property {(folder: string) => Promise<void>} make
 */

/** @param {Wanted} wanted */
function isThere({ folder, file, hash }) {
	const stamp = readText(join(folder, ".inputs"));
	return stamp === hash && existsSync(join(folder, file));
}

/** @param {Wanted} wanted */
function isKnown(wanted) {
	return isThere(wanted) || existsSync(inCache("builds", wanted.hash));
}

/**
 * Fills a folder of the checkout with what was made from equal inputs before, or makes it.
 *
 * @param {Wanted} wanted
 */
export async function bringUpToDate(wanted) {
	if (isThere(wanted)) return;
	const { folder, title, hash, make } = wanted;
	const built = inCache("builds", hash);
	if (!existsSync(built)) {
		await step(title, () => makeFolder(built, make));
		prune(inCache("builds"), KEPT_BUILDS);
	}
	replaceFolder(built, folder);
	writeFile(join(folder, ".inputs"), hash);
}

/**
 * Of all that every build of the core depends on, and of more.
 *
 * @param {Toolchain} toolchain
 * @param {{ values: unknown[], files: string[] }} more
 */
export function inputHash(toolchain, { values, files }) {
	return hashOf({
		values: [toolchain.versions, toolchain.cargoFlags, ...values],
		files: [
			inRoot("src"),
			inRoot("Cargo.toml"),
			inRoot("Cargo.lock"),
			...["wasm.mjs", "cargo-env.mjs", "toolchain.mjs"].map((name) =>
				inRoot("js", "build", name),
			),
			...files,
		],
	});
}

/**
 * @param {Toolchain} toolchain
 * @param {string} folder
 * @param {Variant} variant
 */
async function compile(toolchain, folder, { file, flags }) {
	const target = targetFolder(toolchain);
	const env = cargoEnv(toolchain, target);
	await withLock(`${target}.lock`, async () => {
		forgetModule(target);
		await wasmPack(toolchain, env, { folder: join(folder, "pack"), flags });
	});
	const wasm = join(folder, file);
	await optimise(join(folder, "pack", "ragnav_bg.wasm"), wasm);
	checkImports(wasm, OWN_NAMESPACES);
	await writeGlue(join(folder, "pack"), folder);
	rmSync(join(folder, "pack"), { recursive: true });
}

/**
 * @param {string} from a module
 * @param {string} to
 */
export function optimise(from, to) {
	return runPackage(
		["binaryen", "wasm-opt"],
		[from, ...WASM_OPT_FLAGS, "-o", to],
	);
}

/**
 * One target folder for a compiler serves every checkout: std and the dependencies compile once.
 *
 * @param {Toolchain} toolchain
 */
export const targetFolder = (toolchain) =>
	inCache(
		"target",
		hashOf({ values: [toolchain.versions, toolchain.cargoFlags] }).slice(0, 12),
	);

/**
 * cargo cannot tell two checkouts apart in one target folder: without this it may take the module
 * of another one for the module of this one.
 *
 * @param {string} target
 */
export function forgetModule(target) {
	const release = releaseFolder(target);
	for (const folder of [release, join(release, "deps")]) {
		rmSync(join(folder, "ragnav.wasm"), { force: true });
	}
}

/** @param {string} target */
export const releaseFolder = (target) =>
	join(target, "wasm32-unknown-unknown", "release");

/**
 * @param {Toolchain} toolchain
 * @param {NodeJS.ProcessEnv} env
 * @param {{ folder: string, flags: string[] }} to
 */
function wasmPack(toolchain, env, { folder, flags }) {
	// Debian's sysroot lacks the target, which wasm-pack would refuse: `force` leaves that check out.
	const mode = toolchain.cargoFlags.length > 0 ? "force" : "no-install";
	const args = ["build", ".", "--mode", mode, "--target", "web", "--release"];
	const rest = [
		"--no-pack",
		"--no-gitignore",
		"--out-dir",
		folder,
		"--out-name",
		"ragnav",
	];
	return run(
		"wasm-pack",
		[...args, ...rest, "--", ...toolchain.cargoFlags, ...flags],
		{ env },
	);
}

/**
 * @param {string} wasm
 * @param {string[]} namespaces the namespaces that there may be
 */
export function checkImports(wasm, namespaces) {
	const imports = WebAssembly.Module.imports(
		new WebAssembly.Module(readFileSync(wasm)),
	);
	const foreign = imports.filter(({ module }) => !namespaces.includes(module));
	if (foreign.length === 0) return;
	const names = foreign
		.map(({ module, name }) => `${module}.${name}`)
		.join(", ");
	throw new Problem(
		`The module imports what no host provides: ${names}. A grammar's C code misses these.`,
	);
}

/** @param {string} name */
export function versionOfPackage(name) {
	return JSON.parse(
		readFileSync(inRoot("node_modules", name, "package.json"), "utf8"),
	).version;
}
