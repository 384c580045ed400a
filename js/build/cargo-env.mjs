import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { output, Problem } from "./run.mjs";
import { toolBin, tools } from "./tools.mjs";

/** @typedef {import("./toolchain.mjs").Toolchain} Toolchain */

/** The arguments of cargo for every build of the core for JavaScript, which links no grammar. */
export const CARGO_FLAGS = [
	"--locked",
	"--no-default-features",
	"--features",
	"wasm",
];

/** The arguments of cargo for every dependency, those of the grammars among them. */
export const ALL_CARGO_FLAGS = ["--locked", "--features", "wasm"];

/** Downloads missing crates. */
const METADATA_TIMEOUT_MS = 600_000;

/** The WebAssembly features of every engine since Node 20, which lacks relaxed SIMD. */
const RUST_FEATURES =
	"+simd128,+bulk-memory,+nontrapping-fptoint,+sign-ext,+mutable-globals";

/** The arguments of clang for all C code. */
export const C_FLAGS = [
	"-O3",
	"-msimd128",
	"-mbulk-memory",
	"-mnontrapping-fptoint",
	"-msign-ext",
	// The scanner of C++ expects both of headers that lack them in `tree-sitter-language`.
	"-include",
	"wchar.h",
	"-Dstatic_assert=_Static_assert",
	// The scanner of Bash calls what those headers lack.
	"-Disdigit=iswdigit",
	// So does the scanner of Swift, if the memory is full.
	"-Dexit(status)=abort()",
];

/**
 * @param {Toolchain} toolchain
 * @param {string} target
 * @returns {NodeJS.ProcessEnv}
 */
export function cargoEnv(toolchain, target) {
	const env = { ...toolchainEnv(toolchain), CARGO_TARGET_DIR: target };
	const language = crateFolders(env).get("tree-sitter-language");
	if (!language) {
		throw new Problem(
			"Cargo.lock names no tree-sitter-language: the grammars need its C headers",
		);
	}
	return {
		...env,
		CARGO_ENCODED_RUSTFLAGS: rustFlags(dirname(language)).join("\x1f"),
		CFLAGS_wasm32_unknown_unknown: cFlags(language).join(" "),
		// Quotes the paths, because a home folder may contain a space.
		CC_SHELL_ESCAPED_FLAGS: "1",
	};
}

/**
 * Returns the environment in which cargo and rustc are those of the toolchain.
 *
 * @param {Toolchain} toolchain
 * @returns {NodeJS.ProcessEnv}
 */
export function toolchainEnv(toolchain) {
	const { PATH: first, ...own } = toolchain.env;
	const path = [...tools().map(toolBin), first, process.env.PATH];
	return {
		...process.env,
		...own,
		PATH: path.filter(Boolean).join(delimiter),
	};
}

/**
 * Removes the builder's folders from the locations of panics.
 *
 * @param {string} crates the folder that cargo unpacks crates into
 */
function rustFlags(crates) {
	const home = process.env.CARGO_HOME || join(homedir(), ".cargo");
	return [
		"-C",
		`target-feature=${RUST_FEATURES}`,
		`--remap-path-prefix=${home}=cargo`,
		`--remap-path-prefix=${crates}=crates`,
	];
}

/**
 * Provides the C headers that the grammars include and wasm32 lacks. `tree-sitter-language` has
 * some.
 *
 * @param {string} language that crate's folder
 */
function cFlags(language) {
	const headers = join(language, "wasm", "include").replaceAll("\\", "/");
	return [`"-I${headers}"`, ...C_FLAGS];
}

/**
 * Returns the folders of the sources of all crates, by their names.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {Map<string, string>}
 */
export function crateFolders(env) {
	const platform = "--filter-platform=wasm32-unknown-unknown";
	const args = ["metadata", "--format-version=1", platform, ...ALL_CARGO_FLAGS];
	const text = output("cargo", args, { env, timeout: METADATA_TIMEOUT_MS });
	if (text === undefined) {
		throw new Problem(
			`cargo metadata failed. Run it to see why: cargo metadata ${ALL_CARGO_FLAGS.join(" ")}`,
		);
	}
	/** @type {{ packages: { name: string, manifest_path: string }[] }} */
	const { packages } = JSON.parse(text);
	return new Map(
		packages.map(({ name, manifest_path }) => [name, dirname(manifest_path)]),
	);
}
