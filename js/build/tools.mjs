import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./cache.mjs";
import { inCache, inRoot } from "./paths.mjs";
import { isProgram, Problem, run } from "./run.mjs";

/**
 * A program that cargo installs into the cache folder, one folder a version.
 *
 * @typedef {{ crate: string, version: string, program: string }} Tool
 */

const WASM_PACK = "0.15.1";

/** @returns {Tool[]} */
export function tools() {
	return [
		{
			crate: "wasm-bindgen-cli",
			version: wasmBindgenVersion(),
			program: "wasm-bindgen",
		},
		{ crate: "wasm-pack", version: WASM_PACK, program: "wasm-pack" },
	];
}

/** @param {Tool} tool */
export const toolFolder = (tool) =>
	inCache("tools", `${tool.crate}-${tool.version}`);

/** @param {Tool} tool */
export const toolBin = (tool) => join(toolFolder(tool), "bin");

/** @param {Tool} tool */
export function isInstalled(tool) {
	const file = join(toolBin(tool), tool.program);
	return isProgram(file) || isProgram(`${file}.exe`);
}

/** @param {Tool} tool */
export async function installTool(tool) {
	// A folder without its program, perhaps emptied by hand, would stand in the way for ever.
	rmSync(toolFolder(tool), { recursive: true, force: true });
	await makeFolder(toolFolder(tool), (unfinished) =>
		run(
			"cargo",
			[
				"install",
				tool.crate,
				"--version",
				`=${tool.version}`,
				"--root",
				unfinished,
			],
			{
				// The compiled dependencies of both tools are shared, and an interrupted install goes on.
				env: { ...process.env, CARGO_TARGET_DIR: inCache("target", "tools") },
			},
		),
	);
}

/** The version in Cargo.lock: the command must be of exactly the library's. */
function wasmBindgenVersion() {
	const lock = inRoot("Cargo.lock");
	const text = existsSync(lock) ? readFileSync(lock, "utf8") : "";
	const version = /^name = "wasm-bindgen"\r?\nversion = "([^"]+)"/m.exec(
		text,
	)?.[1];
	if (!version)
		throw new Problem(
			"Cargo.lock names no wasm-bindgen. Run: cargo generate-lockfile",
		);
	return version;
}
