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
import { CARGO_FLAGS, cargoEnv } from "./cargo-env.mjs";
import { writeGlue } from "./glue.mjs";
import { generated, inCache, inRoot } from "./paths.mjs";
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
 * Brings `js/generated` up to date: the wasm file and the glue that the sources import.
 *
 * @param {Toolchain} toolchain
 */
export function buildWasm(toolchain) {
	return bringUpToDate({
		folder: generated,
		file: "core.wasm",
		title: "core: compiling to WebAssembly",
		hash: inputHash(toolchain, {
			values: [
				tools().map((tool) => tool.version),
				["binaryen", "esbuild"].map(versionOfPackage),
			],
			files: [inRoot("js", "build", "glue.mjs")],
		}),
		make: (folder) => compile(toolchain, folder),
	});
}

/**
 * Fills a folder of the checkout with what was made from equal inputs before, or makes it.
 *
 * @param {object} wanted
 * @param {string} wanted.folder
 * @param {string} wanted.file one that is there when everything is
 * @param {string} wanted.title
 * @param {string} wanted.hash of all inputs
 * @param {(folder: string) => Promise<void>} wanted.make
 */
export async function bringUpToDate({ folder, file, title, hash, make }) {
	const stamp = join(folder, ".inputs");
	if (readText(stamp) === hash && existsSync(join(folder, file))) return;
	const built = inCache("builds", hash);
	if (!existsSync(built)) {
		await step(title, () => makeFolder(built, make));
		prune(inCache("builds"), KEPT_BUILDS);
	}
	replaceFolder(built, folder);
	writeFile(stamp, hash);
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
 */
async function compile(toolchain, folder) {
	const target = targetFolder(toolchain);
	const env = cargoEnv(toolchain, target);
	await withLock(`${target}.lock`, async () => {
		forgetModule(target);
		await wasmPack(toolchain, env, join(folder, "pack"));
	});
	const wasm = join(folder, "core.wasm");
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
 * @param {string} folder
 */
function wasmPack(toolchain, env, folder) {
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
