import { aptInstall, hasApt } from "./debian.mjs";
import { findProgram, Problem } from "./run.mjs";

/** Finds Neovim for the tests of the language server, and installs it if it can. */
export async function neovim() {
	const found = findProgram(["nvim"]);
	if (found) return found;
	if (hasApt()) await aptInstall(["neovim"]);
	const installed = findProgram(["nvim"]);
	if (installed) return installed;
	throw new Problem("Missing Neovim 0.7 or newer: install it as `nvim`.");
}
