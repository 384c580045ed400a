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
export async function buildWasm(toolchain) {
	const hash = inputHash(toolchain);
	const stamp = join(generated, ".inputs");
	if (readText(stamp) === hash && existsSync(join(generated, "core.wasm")))
		return;
	const built = inCache("builds", hash);
	if (!existsSync(built)) {
		await step("core: compiling to WebAssembly", () =>
			makeFolder(built, (folder) => compile(toolchain, folder)),
		);
		prune(inCache("builds"), KEPT_BUILDS);
	}
	replaceFolder(built, generated);
	writeFile(stamp, hash);
}

/** @param {Toolchain} toolchain */
function inputHash(toolchain) {
	return hashOf({
		values: [
			toolchain.versions,
			toolchain.cargoFlags,
			tools().map((tool) => tool.version),
			["binaryen", "esbuild"].map(versionOfPackage),
		],
		files: [
			inRoot("src"),
			inRoot("Cargo.toml"),
			inRoot("Cargo.lock"),
			...["wasm.mjs", "cargo-env.mjs", "glue.mjs", "toolchain.mjs"].map(
				(name) => inRoot("js", "build", name),
			),
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
	const raw = join(folder, "pack", "ragnav_bg.wasm");
	await runPackage(
		["binaryen", "wasm-opt"],
		[raw, ...WASM_OPT_FLAGS, "-o", wasm],
	);
	checkImports(wasm);
	await writeGlue(join(folder, "pack"), folder);
	rmSync(join(folder, "pack"), { recursive: true });
}

/**
 * One target folder for a compiler serves every checkout: std and the dependencies compile once.
 *
 * @param {Toolchain} toolchain
 */
const targetFolder = (toolchain) =>
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
function forgetModule(target) {
	const release = join(target, "wasm32-unknown-unknown", "release");
	for (const folder of [release, join(release, "deps")]) {
		rmSync(join(folder, "ragnav.wasm"), { force: true });
	}
}

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

/** @param {string} wasm */
function checkImports(wasm) {
	const imports = WebAssembly.Module.imports(
		new WebAssembly.Module(readFileSync(wasm)),
	);
	const foreign = imports.filter(
		({ module }) => !OWN_NAMESPACES.includes(module),
	);
	if (foreign.length === 0) return;
	const names = foreign
		.map(({ module, name }) => `${module}.${name}`)
		.join(", ");
	throw new Problem(
		`The module imports what no host provides: ${names}. A grammar's C code misses these.`,
	);
}

/** @param {string} name */
function versionOfPackage(name) {
	return JSON.parse(
		readFileSync(inRoot("node_modules", name, "package.json"), "utf8"),
	).version;
}
