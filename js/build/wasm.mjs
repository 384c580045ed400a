import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
	hashOf,
	makeFolder,
	prune,
	readText,
	withLock,
	writeFile,
} from "./cache.mjs";
import { CARGO_FLAGS, cargoEnv } from "./cargo-env.mjs";
import { writeGlue } from "./glue.mjs";
import { generated, inCache, inRoot } from "./paths.mjs";
import { both, Problem, run, runPackage, step } from "./run.mjs";
import { tools } from "./tools.mjs";

/** @typedef {import("./toolchain.mjs").Toolchain} Toolchain */

/** The folder of finished builds in the cache, and their maximum number. */
const RELEASES = { name: "builds", kept: 30 };

const WASM_OPT_FLAGS = [
	"-Oz",
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

/** The import namespaces of wasm-bindgen. Any other one means an unresolved C function. */
export const OWN_NAMESPACES = ["./ragnav_bg.js", "wbg"];

/** The file of the core. */
export const CORE = "core.wasm";

/**
 * Updates `js/generated`: the wasm file and the glue that the sources import.
 *
 * @param {Toolchain} toolchain
 * @param {Promise<void>} [installed] settles when the tools that follow the compiler are there
 */
export function buildWasm(toolchain, installed) {
	return bringUpToDate(core(toolchain, installed));
}

/**
 * Reports whether the cache has the core.
 *
 * @param {Toolchain} toolchain
 */
export const isWasmKnown = (toolchain) => isKnown(core(toolchain));

/**
 * @param {Toolchain} toolchain
 * @param {Promise<void>} [installed]
 * @returns {Wanted}
 */
function core(toolchain, installed) {
	return {
		folder: generated,
		file: CORE,
		title: "core: compiling to WebAssembly",
		hash: wasmHash(toolchain),
		make: (folder) => compile(toolchain, folder, installed),
	};
}

/**
 * @param {Toolchain} toolchain
 * @param {unknown[]} [more] further values that the build depends on
 */
export function wasmHash(toolchain, more = []) {
	return inputHash(toolchain, {
		values: [
			...more,
			CARGO_FLAGS,
			tools().map((tool) => tool.version),
			["binaryen", "esbuild"].map(versionOfPackage),
		],
		files: [inRoot("js", "build", "glue.mjs")],
	});
}

/**
 * A folder of the checkout with its content.
 *
 * @typedef {object} Wanted
 * @property {string} folder
 * @property {string} file one that is there when everything is
 * @property {string} title
 * @property {string} hash of all inputs
 * @property {(folder: string) => Promise<void>} make
 * @property {{ name: string, kept: number }} [store] the folder of the cache that keeps builds
 */

/** @param {Wanted} wanted */
function isThere({ folder, file, hash }) {
	const stamp = readText(join(folder, ".inputs"));
	return stamp === hash && existsSync(join(folder, file));
}

/** @param {Wanted} wanted */
function isKnown(wanted) {
	const { name } = wanted.store ?? RELEASES;
	return isThere(wanted) || existsSync(inCache(name, wanted.hash));
}

/**
 * Fills a folder of the checkout from the cache if the inputs are equal, or else builds it.
 *
 * @param {Wanted} wanted
 */
export async function bringUpToDate(wanted) {
	if (isThere(wanted)) return;
	const { folder, title, hash, make } = wanted;
	const { name, kept } = wanted.store ?? RELEASES;
	const built = inCache(name, hash);
	if (!existsSync(built)) {
		await step(title, () => makeFolder(built, make));
		prune(inCache(name), kept);
	}
	// Files that depend on the folder's content, such as schemas, have their own stamps.
	cpSync(built, folder, { recursive: true });
	writeFile(join(folder, ".inputs"), hash);
}

/** Returns the inputs of cargo for the core. */
export const rustSources = ["src", "crates", "Cargo.toml", "Cargo.lock"].map(
	(name) => inRoot(name),
);

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
			...rustSources,
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
 * @param {Promise<void>} [installed]
 */
async function compile(toolchain, folder, installed) {
	const target = targetFolder(toolchain);
	const env = coreEnv(toolchain, target);
	await withLock(`${target}.lock`, async () => {
		forgetOtherCheckout(target);
		// wasm-pack runs the same command later, and compiles nothing.
		const compiled = run("cargo", [...cargoBuild(toolchain), "--release"], {
			env,
		});
		await both(compiled, installed ?? Promise.resolve());
		await wasmPack(toolchain, env, join(folder, "pack"));
	});
	const wasm = join(folder, CORE);
	await optimise(join(folder, "pack", "ragnav_bg.wasm"), wasm);
	checkImports(wasm, OWN_NAMESPACES);
	await writeGlue(join(folder, "pack"), folder);
	rmSync(join(folder, "pack"), { recursive: true });
}

/**
 * Returns the environment of cargo for a core that can load grammars: it exports its stack pointer
 * and a table of functions that grows. `functionTable` in `src/wasm/pure.rs` exports the table.
 *
 * @param {Toolchain} toolchain
 * @param {string} target
 * @returns {NodeJS.ProcessEnv}
 */
export function coreEnv(toolchain, target) {
	const env = cargoEnv(toolchain, target);
	const linkerFlags = [
		"--export-table",
		"--growable-table",
		"--export=__stack_pointer",
	];
	const rustFlags = linkerFlags.map((flag) => `-Clink-arg=${flag}`);
	return {
		...env,
		CARGO_ENCODED_RUSTFLAGS: [env.CARGO_ENCODED_RUSTFLAGS, ...rustFlags].join(
			"\x1f",
		),
	};
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
 * Returns the target folder of a compiler. All checkouts share it, so dependencies compile once.
 *
 * @param {Toolchain} toolchain
 */
export const targetFolder = (toolchain) =>
	inCache(
		"target",
		hashOf({ values: [toolchain.versions, toolchain.cargoFlags] }).slice(0, 12),
	);

/**
 * Has cargo compile this project's crates again if another checkout used the target folder last:
 * cargo compares only names and times, and would take the other checkout's crates for ours.
 *
 * @param {string} target
 * @param {string} [profile]
 */
export function forgetOtherCheckout(target, profile) {
	const note = join(target, "checkout.txt");
	if (readText(note) === inRoot()) return;
	const fingerprints = join(profileFolder(target, profile), ".fingerprint");
	const crates = existsSync(fingerprints) ? readdirSync(fingerprints) : [];
	for (const name of crates.filter((name) => name.startsWith("ragnav"))) {
		rmSync(join(fingerprints, name), { recursive: true });
	}
	writeFile(note, inRoot());
}

/**
 * Returns the folder of cargo's results.
 *
 * @param {string} target
 * @param {string} [profile]
 */
export const profileFolder = (target, profile = "release") =>
	join(target, "wasm32-unknown-unknown", profile);

/**
 * Returns the arguments with which cargo compiles the core for the glue.
 *
 * @param {Toolchain} toolchain
 */
export function cargoBuild({ cargoFlags }) {
	const target = ["--target", "wasm32-unknown-unknown"];
	return ["build", "--lib", ...target, ...cargoFlags, ...CARGO_FLAGS];
}

/**
 * @param {Toolchain} toolchain
 * @param {NodeJS.ProcessEnv} env
 * @param {string} folder
 */
function wasmPack(toolchain, env, folder) {
	// `force` skips a check of wasm-pack that fails because Debian's sysroot lacks the target.
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
		[...args, ...rest, "--", ...toolchain.cargoFlags, ...CARGO_FLAGS],
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
