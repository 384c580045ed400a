import {
	closeSync,
	constants,
	fstatSync,
	lstatSync,
	openSync,
	readFileSync,
	realpathSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** The flags that follow no link and do not wait for a named pipe. Windows has neither. */
const OPEN_FLAGS =
	constants.O_RDONLY |
	(constants.O_NOFOLLOW ?? 0) |
	(constants.O_NONBLOCK ?? 0);
const OPEN_REFUSES_LINKS = constants.O_NOFOLLOW !== undefined;

/**
 * A reader of admitted files that are not links and are in no linked folder. It checks each folder
 * once, so it serves for one response.
 *
 * It does not use promises: for small files they take several times as long as the reads.
 */
export class UnlinkedFiles {
	readonly #top: string;
	readonly #admits: (path: string) => boolean;
	readonly #folders = new Map<string, boolean>();

	/** @param top an absolute path without links */
	constructor(top: string, admits: (path: string) => boolean) {
		this.#top = top;
		this.#admits = admits;
	}

	/** Returns the content of a file; `undefined` for one that cannot be opened or read. */
	read(path: string): Buffer | undefined {
		const opened = this.open(path);
		if (opened === undefined) return undefined;
		try {
			return readFileSync(opened);
		} catch {
			return undefined;
		} finally {
			closeSync(opened);
		}
	}

	/** Returns the descriptor of an open file; `undefined` for anything but a file without links. */
	open(path: string): number | undefined {
		if (!this.#admits(path)) return undefined;
		const file = join(this.#top, path);
		try {
			if (!this.#isUnlinked(dirname(file))) return undefined;
			return openFile(file);
		} catch {
			// For the page, a deleted or unreadable file is missing.
			return undefined;
		}
	}

	#isUnlinked(folder: string): boolean {
		const known = this.#folders.get(folder);
		if (known !== undefined) return known;
		const isUnlinked = realpathSync(folder) === folder;
		this.#folders.set(folder, isUnlinked);
		return isUnlinked;
	}
}

function openFile(file: string): number | undefined {
	if (!OPEN_REFUSES_LINKS && lstatSync(file).isSymbolicLink()) return undefined;
	const opened = openSync(file, OPEN_FLAGS);
	if (fstatSync(opened).isFile()) return opened;
	closeSync(opened);
	return undefined;
}
