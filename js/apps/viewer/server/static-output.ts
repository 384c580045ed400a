import {
	existsSync,
	mkdirSync,
	readdirSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { performWrite } from "../../../hosts/node/perform-write.js";
import {
	type FileListing,
	LISTING_NAME,
	parseListing,
} from "../../../hosts/shared/file-listing.js";
import type { AppFile } from "./app-files.js";
import type { RepositoryFiles } from "./repository-files.js";

/** The file that marks a folder as written by this command, so that it may be replaced. */
const MARK = ".ragnav-viewer";

/** The folder that was written, with the number and the size of the repository's files in it. */
export interface Written {
	folder: string;
	files: number;
	bytes: number;
}

/**
 * Writes the viewer with a copy of the repository's files, for any server of static files.
 *
 * @throws Error for a folder with other content, or one that contains the repository
 */
export async function writeStatic(
	files: RepositoryFiles,
	app: Map<string, AppFile>,
	{ repo, out }: { repo: string; out: string },
): Promise<Written> {
	const folder = resolve(out);
	checkPlace(folder, repo);
	const { text } = await files.listing();
	const listing = parseListing(text);
	empty(folder);
	put(folder, MARK, "Written by `ragnav viewer --out`.\n");
	for (const [name, { bytes }] of app) put(folder, name, bytes);
	const copied: FileListing = {
		...listing,
		batch: null,
		commits: null,
		files: [],
	};
	const openable = await files.openable(listing.files.map(({ path }) => path));
	let bytes = 0;
	for (const file of listing.files) {
		if (isAtOrBelow(resolve(realpathSync(repo), file.path), folder)) continue;
		const content = openable.read(file.path);
		// A file that has changed since it was listed would contradict the listing.
		if (content?.length !== file.size) continue;
		put(folder, `repo/${listing.folder}${file.path}`, content);
		copied.files.push(file);
		bytes += content.length;
	}
	put(folder, `repo/${LISTING_NAME}`, JSON.stringify(copied));
	return { folder, files: copied.files.length, bytes };
}

function checkPlace(folder: string, repo: string): void {
	if (isAtOrBelow(realpathSync(resolve(repo)), realOrSelf(folder))) {
		throw new Error(`${folder} holds the repository; give another folder`);
	}
	if (!existsSync(folder) || existsSync(join(folder, MARK))) return;
	if (readdirSync(folder).length === 0) return;
	throw new Error(
		`${folder} is not empty, and was not written by this command; give another folder`,
	);
}

function isAtOrBelow(path: string, folder: string): boolean {
	const way = relative(folder, path);
	return way === "" || (way.split(sep)[0] !== ".." && resolve(way) !== way);
}

function realOrSelf(path: string): string {
	return existsSync(path) ? realpathSync(path) : path;
}

function empty(folder: string): void {
	performWrite(folder, () => {
		mkdirSync(folder, { recursive: true });
		for (const name of readdirSync(folder)) {
			rmSync(join(folder, name), { recursive: true });
		}
	});
}

function put(folder: string, path: string, content: string | Buffer): void {
	const file = join(folder, path);
	performWrite(file, () => {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, content);
	});
}
