import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { filesUnder, hashOf } from "./cache.mjs";

/**
 * The files below a folder with the hashes of their bytes.
 *
 * @param {string} folder
 * @returns {Map<string, string>}
 */
export function hashesOf(folder) {
	if (!existsSync(folder)) return new Map();
	return new Map(
		filesUnder(folder).map((file) => [
			relative(folder, file),
			hashOf({ values: [readFileSync(file, "base64")] }),
		]),
	);
}

/**
 * The files that are not the same in both.
 *
 * @param {Map<string, string>} one
 * @param {Map<string, string>} other
 */
export function differences(one, other) {
	const files = [...new Set([...one.keys(), ...other.keys()])];
	return files.filter((file) => one.get(file) !== other.get(file));
}
