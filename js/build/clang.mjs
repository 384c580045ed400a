import { delimiter, join } from "node:path";
import { aptInstall, hasApt } from "./debian.mjs";
import { findProgram, isProgram, output, Problem } from "./run.mjs";

/**
 * The programs that compile the C of the grammars to WebAssembly.
 *
 * @typedef {object} CCompiler
 * @property {string} clang
 * @property {string} archiver
 * @property {string} linker
 * @property {string} version of clang
 * @property {string} linkerVersion
 */

export const DEBIAN_C = ["clang", "lld", "llvm"];

const VERSIONS = Array.from({ length: 17 }, (_, index) => 30 - index);
const CLANG = process.platform === "win32" ? "clang.exe" : "clang";
const AR_NAMES = versioned("llvm-ar");
const LD_NAMES = versioned("wasm-ld");

/** @returns {Promise<CCompiler>} */
export async function setUpC() {
	const present = findC();
	if (present) return present;
	if (hasApt()) await aptInstall(DEBIAN_C);
	const installed = findC();
	if (installed) return installed;
	throw new Problem(
		`Missing clang with WebAssembly, llvm-ar and wasm-ld. Install LLVM: ${howToGetC()}`,
	);
}

/** Finds LLVM's linker, for a Rust without its own. */
export function findLinker() {
	const linker = findProgram(LD_NAMES, llvmFolders());
	if (linker) return linker;
	throw new Problem(`Missing wasm-ld. Install LLVM's linker: ${howToGetC()}`);
}

/** The programs that a search checks first. If they change, the search runs again. */
export function cPrograms() {
	return [["clang"], AR_NAMES, LD_NAMES].map((names) =>
		findProgram(names, llvmFolders()),
	);
}

/**
 * Finds a clang that can emit WebAssembly, which Apple's cannot, an archiver that can read it, and a
 * linker.
 *
 * @returns {CCompiler | undefined}
 */
function findC() {
	const archiver = findProgram(AR_NAMES, llvmFolders());
	const linker = findProgram(LD_NAMES, llvmFolders());
	if (!archiver || !linker) return undefined;
	const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
	const clang = [...folders, ...llvmFolders()]
		.map((folder) => join(folder, CLANG))
		.find((file) => isProgram(file) && knowsWasm(file));
	if (!clang) return undefined;
	const version = output(clang, ["--version"])?.split("\n", 1)[0] ?? "clang";
	const linkerVersion = output(linker, ["--version"])?.trim() ?? "wasm-ld";
	return { clang, archiver, linker, version, linkerVersion };
}

/** @param {string} clang */
function knowsWasm(clang) {
	return output(clang, ["--print-targets"])?.includes("wasm32") ?? false;
}

/** Returns the folders of LLVM besides PATH, as Homebrew and Debian install it. */
function llvmFolders() {
	const brew = ["/opt/homebrew", "/usr/local"].flatMap((prefix) => [
		`${prefix}/opt/llvm/bin`,
		`${prefix}/opt/lld/bin`,
	]);
	return [
		...brew,
		...VERSIONS.map((version) => `/usr/lib/llvm-${version}/bin`),
	];
}

/** @param {string} name */
function versioned(name) {
	return [name, ...VERSIONS.map((version) => `${name}-${version}`)];
}

function howToGetC() {
	if (process.platform === "darwin") return "brew install llvm lld";
	if (process.platform === "win32") return "winget install LLVM.LLVM";
	return `the packages ${DEBIAN_C.join(", ")} (or what your system calls them)`;
}
