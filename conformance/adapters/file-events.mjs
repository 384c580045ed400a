/** What a perfect watcher of files would have said between two moments. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The numbers of the Language Server Protocol. */
const CREATED = 1;
const CHANGED = 2;
const DELETED = 3;

/**
 * Returns a hash of each file outside of hidden folders, by path.
 *
 * @param {string} folder
 * @returns {Map<string, string>}
 */
export const fileStates = (folder) => new Map(statesBelow(folder, ""));

/**
 * @param {Map<string, string>} before
 * @param {Map<string, string>} now
 */
export function fileEvents(before, now) {
	const gone = [...before.keys()].filter((file) => !now.has(file));
	const differing = [...now].filter(
		([file, hash]) => before.get(file) !== hash,
	);
	return [
		...gone.map((file) => ({ file, type: DELETED })),
		...differing.map(([file]) => ({
			file,
			type: before.has(file) ? CHANGED : CREATED,
		})),
	];
}

/**
 * @param {string} folder
 * @param {string} below
 * @returns {[file: string, hash: string][]}
 */
function statesBelow(folder, below) {
	const entries = readdirSync(join(folder, below), { withFileTypes: true });
	return entries.flatMap((entry) => {
		if (entry.name.startsWith(".")) return [];
		const path = below ? `${below}/${entry.name}` : entry.name;
		if (entry.isDirectory()) return statesBelow(folder, path);
		const hash = hashOf(join(folder, path));
		return hash ? [/** @type {[string, string]} */ ([path, hash])] : [];
	});
}

/** @param {string} path */
function hashOf(path) {
	if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
	return createHash("sha256").update(readFileSync(path)).digest("hex");
}
