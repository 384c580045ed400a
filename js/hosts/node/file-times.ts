import { lstatSync } from "node:fs";
import type { FileTimes } from "../../core/host.js";
import { type Folders, isPlace } from "./folders.js";

/** Returns the times of each file, in the order of `paths`. A link has the later ones of both. */
export function fileTimes(
	folders: Folders,
	paths: string[],
): (FileTimes | null)[] {
	return paths.map((path) => {
		const place = folders.entry(path);
		if (!isPlace(place)) return null;
		const own = timesOf(place);
		if (own === null || !own.isLink) return own;
		const target = folders.follow(place);
		const other = isPlace(target) ? timesOf(target) : null;
		return (
			other && {
				modified: Math.max(own.modified, other.modified),
				changed: Math.max(own.changed, other.changed),
			}
		);
	});
}

function timesOf(place: string): (FileTimes & { isLink: boolean }) | null {
	const stats = lstatSync(place, { throwIfNoEntry: false });
	if (stats === undefined) return null;
	const { mtimeMs: modified, ctimeMs: changed } = stats;
	return { modified, changed, isLink: stats.isSymbolicLink() };
}
