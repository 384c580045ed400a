import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { hashOf, readText, writeFile } from "./cache.mjs";
import { cPrograms, DEBIAN_C, findLinker, setUpC } from "./clang.mjs";
import { aptInstall, hasApt } from "./debian.mjs";
import { inCache } from "./paths.mjs";
import { findProgram, isProgram, output, Problem } from "./run.mjs";

/**
 * The programs that compile Rust and C to WebAssembly.
 *
 * @typedef {object} Toolchain
 * @property {string} name what to call it in one line
 * @property {string} versions of rustc and clang: another version makes another build
 * @property {string} clang the C compiler
 * @property {string} linker LLVM's linker for WebAssembly
 * @property {string} linkerVersion
 * @property {string[]} cargoFlags further flags of `cargo build`
 * @property {Record<string, string>} env further environment of cargo; `PATH` goes before the
 * user's
 */

const TARGET = "wasm32-unknown-unknown";
const DEBIAN_RUST = ["rustc-web", "cargo-web", "rust-web-src"];
const DEBIAN_RUSTC = "/usr/bin/rustc";
const DEBIAN_STD_SOURCE = "/usr/lib/rustlib/src/rust/library/std/Cargo.toml";
const RUSTUP_TIMEOUT_MS = 180_000;

/** Selects the source of Rust for WebAssembly: `rustup` or `debian`. */
const wanted = process.env.RAGNAV_WASM_TOOLCHAIN;

/**
 * Returns the toolchain, from the cache if nothing changed that its search depended on.
 *
 * @returns {Toolchain | undefined}
 */
export function knownToolchain() {
	const text = readText(stampFile());
	return text === undefined ? undefined : JSON.parse(text);
}

/**
 * Finds the toolchain and installs what is missing.
 *
 * @returns {Promise<Toolchain>}
 */
export async function setUpToolchain() {
	const c = await setUpC();
	const rust = wanted === "debian" ? undefined : rustOnPath();
	const { name, rustc, cargoFlags, env } = rust ?? (await debianRust());
	const toolchain = {
		name: `${name}, ${c.version}`,
		versions: `${output(rustc, ["-vV"])}${c.version}`,
		clang: c.clang,
		linker: c.linker,
		linkerVersion: c.linkerVersion,
		cargoFlags,
		env: {
			...env,
			CC_wasm32_unknown_unknown: c.clang,
			AR_wasm32_unknown_unknown: c.archiver,
		},
	};
	writeFile(stampFile(), JSON.stringify(toolchain, null, "\t"));
	return toolchain;
}

/** The stamp of everything that the search depends on. */
function stampFile() {
	const rust = [findProgram(["rustup"]), findProgram(["rustc"]), DEBIAN_RUSTC];
	const values = [
		// The shape of the stamp.
		2,
		wanted,
		process.env.RUSTUP_TOOLCHAIN,
		[...rust, ...cPrograms()].map(identity),
		rustcIdentity(),
	];
	return inCache("toolchain", `${hashOf({ values })}.json`);
}

// rustup's `rustc` stays the same file after an update, so run it for its version.
function rustcIdentity() {
	const sysroot = output("rustc", ["--print", "sysroot"])?.trim() ?? "";
	return [
		identity(join(sysroot, "bin", "rustc")),
		existsSync(targetFolder(sysroot)),
	];
}

/** @param {string | undefined} file */
function identity(file) {
	const stat = file && statSync(file, { throwIfNoEntry: false });
	return stat ? [file, stat.size, stat.mtimeMs] : null;
}

/** Returns the `rustc` on PATH if it has the target, or if rustup can install it. */
function rustOnPath() {
	const sysroot = output("rustc", ["--print", "sysroot"])?.trim();
	if (!sysroot) return undefined;
	if (!existsSync(targetFolder(sysroot)) && !addRustupTarget())
		return undefined;
	return {
		name: output("rustc", ["-V"])?.trim() ?? "rustc",
		rustc: "rustc",
		cargoFlags: [],
		env: linkerOf(sysroot),
	};
}

/** @param {string} sysroot */
const targetFolder = (sysroot) =>
	join(sysroot, "lib", "rustlib", TARGET, "lib");

function addRustupTarget() {
	if (!findProgram(["rustup"])) return false;
	return (
		output("rustup", ["target", "add", TARGET], {
			timeout: RUSTUP_TIMEOUT_MS,
		}) !== undefined
	);
}

/**
 * rustup installs a linker that rustc finds. Distributions have LLVM's instead.
 *
 * @param {string} sysroot
 * @returns {Record<string, string>}
 */
function linkerOf(sysroot) {
	const rustlib = join(sysroot, "lib", "rustlib");
	const hosts = existsSync(rustlib) ? readdirSync(rustlib) : [];
	const own = hosts.flatMap((host) =>
		["rust-lld", "rust-lld.exe"].map((name) =>
			join(rustlib, host, "bin", name),
		),
	);
	if (own.some(isProgram)) return {};
	return { CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: findLinker() };
}

/** Debian's second Rust, which builds the standard library from source. */
async function debianRust() {
	if (!hasApt() || wanted === "rustup") {
		throw new Problem(
			`Missing Rust's ${TARGET} target. Run: rustup target add ${TARGET}`,
		);
	}
	const rustc = DEBIAN_RUSTC;
	const complete =
		[rustc, "/usr/bin/cargo"].every(isProgram) && existsSync(DEBIAN_STD_SOURCE);
	if (!complete) await aptInstall([...DEBIAN_RUST, ...DEBIAN_C]);
	return {
		name: `Debian's ${output(rustc, ["-V"])?.trim()}`,
		rustc,
		cargoFlags: ["-Zbuild-std=std,panic_abort"],
		env: { PATH: "/usr/bin", RUSTC_BOOTSTRAP: "1", ...linkerOf("/usr") },
	};
}
