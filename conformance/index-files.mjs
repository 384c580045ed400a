/** Copies and damages the index of a tool, of which only the paths are known. */
import {
	closeSync,
	cpSync,
	existsSync,
	openSync,
	rmSync,
	statSync,
	truncateSync,
	writeSync,
} from "node:fs";
import { join } from "node:path";
import { filesUnder } from "../js/build/cache.mjs";

const HALF = 0.5;
const GARBAGE = Buffer.alloc(64, 0xa5);

/**
 * Puts the index of one folder in the place of that of another.
 *
 * @param {string} from
 * @param {string} to
 * @param {string[]} paths
 */
export function copyIndex(from, to, paths) {
	removeIndex(to, paths);
	for (const path of paths) {
		if (!existsSync(join(from, path))) continue;
		cpSync(join(from, path), join(to, path), {
			recursive: true,
			preserveTimestamps: true,
		});
	}
}

/**
 * @param {string} folder
 * @param {string[]} paths
 * @param {"truncate" | "empty" | "garbage" | "remove"} how
 */
export function damageIndex(folder, paths, how) {
	if (how === "remove") return removeIndex(folder, paths);
	for (const file of paths.flatMap((path) => filesUnder(join(folder, path)))) {
		const { size } = statSync(file);
		if (how === "garbage") overwrite(file, Math.floor(size * HALF));
		else truncateSync(file, how === "empty" ? 0 : Math.floor(size * HALF));
	}
}

/**
 * @param {string} folder
 * @param {string[]} paths
 */
function removeIndex(folder, paths) {
	for (const path of paths)
		rmSync(join(folder, path), { recursive: true, force: true });
}

/**
 * @param {string} file
 * @param {number} position
 */
function overwrite(file, position) {
	const open = openSync(file, "r+");
	writeSync(open, GARBAGE, 0, GARBAGE.length, position);
	closeSync(open);
}
