import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pkg } from "../../js/build/paths.mjs";
import { findProgram, output, Problem } from "../../js/build/run.mjs";

/** Returns the version of the built package. */
export function ragnavVersion() {
	return String(
		JSON.parse(readFileSync(join(pkg, "package.json"), "utf8")).version,
	);
}

export function ctagsProgram() {
	const ctags = findProgram(["ctags"]);
	if (ctags) return ctags;
	throw new Problem("Missing ctags (apt-get, brew: universal-ctags).");
}

export function ctagsVersion() {
	const printed = output(ctagsProgram(), ["--version"]) ?? "";
	return /Ctags ([\d.]+)/.exec(printed)?.[1] ?? "";
}
