import { lstatSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import type { Failure } from "../../core/host.js";
import { failureOf, notAFile, refused } from "../shared/file-failure.js";
import { folderOf, nameOf, pathProblem } from "../shared/relative-path.js";

/** Whether Windows' rules for paths hold on this machine. */
export const ON_WINDOWS = sep === "\\";

/**
 * Folders below one root, each checked once and remembered for as long as this object lives.
 *
 * A folder that is reached through a link counts while its real path is inside the real root.
 * Node opens files by path alone, so a folder replaced by a link between the check and the open
 * is not noticed.
 */
export class Folders {
	readonly #top: string | Failure;
	readonly #known = new Map<string, string>();
	/** The folder of the last requested entry, and the absolute path before its entries' names. */
	#last = { folder: "", start: "" };

	constructor(root: string) {
		this.#top = realPathOf(root);
		this.#remember("", this.#top);
	}

	/** Whether the root exists. */
	get usable(): boolean {
		return isPlace(this.#top);
	}

	/** Absolute real path of `folder` (relative, already validated), or why there is none. */
	resolve(folder: string): string | Failure {
		const known = this.#known.get(folder);
		if (known !== undefined) return known;
		let place = this.#top;
		// Segment by segment rather than by recursion: the caller chooses how deep a path is.
		for (let start = 0; start <= folder.length && isPlace(place); ) {
			const slash = folder.indexOf("/", start);
			const end = slash < 0 ? folder.length : slash;
			const path = folder.slice(0, end);
			place =
				this.#known.get(path) ?? this.#step(place, folder.slice(start, end));
			this.#remember(path, place);
			start = end + 1;
		}
		return place;
	}

	/** Absolute path of a file in a resolved folder, or why there is none; the file is not looked at. */
	entry(path: string): string | Failure {
		// Requests go folder by folder, and checking the folder for each file costs half a stat.
		const { folder: last, start } = this.#last;
		const isNext = last !== "" && path.lastIndexOf("/") === last.length;
		if (isNext && !ON_WINDOWS && path.startsWith(last)) {
			const name = path.slice(last.length + 1);
			if (isPlainName(name)) return start + name;
		}
		return this.#checkedEntry(path);
	}

	#checkedEntry(path: string): string | Failure {
		const problem = pathProblem(path, ON_WINDOWS);
		if (problem !== null) return refused(problem);
		if (path === "") return notAFile();
		const folder = folderOf(path);
		const place = this.resolve(folder);
		if (!isPlace(place)) return place;
		this.#last = { folder, start: childPath(place, "") };
		return childPath(place, nameOf(path));
	}

	/** Records that a listing names `folder`, in a folder resolved to `parent`, as a plain folder. */
	listed(folder: string, parent: string, name: string): void {
		this.#known.set(folder, childPath(parent, name));
	}

	/** Real path behind a link, refused as `denied` where it lies outside the root. */
	follow(link: string): string | Failure {
		const target = realPathOf(link);
		if (!isPlace(target)) return target;
		return this.#contains(target) ? target : { error: "denied" };
	}

	/** Remembers a folder, but no failure: a missing folder may be created later. */
	#remember(folder: string, place: string | Failure): void {
		if (isPlace(place)) this.#known.set(folder, place);
	}

	#step(parent: string, name: string): string | Failure {
		const path = childPath(parent, name);
		try {
			const stats = lstatSync(path, { throwIfNoEntry: false });
			if (stats === undefined) return { error: "missing" };
			if (stats.isDirectory()) return path;
			return stats.isSymbolicLink() ? this.follow(path) : { error: "missing" };
		} catch (error) {
			return failureOf(error);
		}
	}

	#contains(path: string): boolean {
		const top = this.#top;
		if (!isPlace(top)) return false;
		return path === top || path.startsWith(top.endsWith(sep) ? top : top + sep);
	}
}

function isPlainName(name: string): boolean {
	return name !== "" && name !== "." && name !== ".." && !name.includes("\0");
}

/** Whether a folder or link was resolved. */
export function isPlace(found: string | Failure): found is string {
	return typeof found === "string";
}

/** Path of an entry of a folder; cheaper than `path.join`, both parts being normalised. */
export function childPath(folder: string, name: string): string {
	return folder.endsWith(sep) ? folder + name : folder + sep + name;
}

function realPathOf(path: string): string | Failure {
	try {
		return realpathSync.native(path);
	} catch (error) {
		return failureOf(error);
	}
}
