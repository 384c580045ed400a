import { open } from "../../core/api.js";
import type { DirEntry, Failure, FileStamp, Host } from "../../core/host.js";
import type { Navigator } from "../../core/navigator.js";

/** The folder of the index, which the walk must not use: it lists the files as they are. */
const INDEX_FOLDER = ".llmc/";

/** The page size: the largest that the core accepts. */
const PAGE = 10_000;

/**
 * Lists the files of a repository that no rule ignores, by path. Reads no files but the rules.
 *
 * @throws Error if the walk fails
 */
export async function walkedFiles(
	host: Host,
): Promise<Map<string, FileStamp | null>> {
	const stamps = new Map<string, FileStamp>();
	const nav = await open({
		gitHead: () => null,
		ignoreRules: async () => (await host.ignoreRules?.()) ?? [],
		readDirs: async (paths) => {
			const listed = await host.readDirs(paths);
			return listed.map((entries, at) =>
				withoutSizes(entries, paths[at] ?? "", stamps),
			);
		},
		readMany: async (paths, options) => {
			const wanted = paths.filter((path) => !path.startsWith(INDEX_FOLDER));
			const read =
				wanted.length > 0 ? await host.readMany(wanted, options) : [];
			const byPath = new Map(wanted.map((path, at) => [path, read[at]]));
			return paths.map((path) => byPath.get(path) ?? { error: "missing" });
		},
	});
	try {
		const files = await admittedFiles(nav);
		return new Map(files.map((path) => [path, stamps.get(path) ?? null]));
	} finally {
		nav.close();
	}
}

/** Returns the files that the walk admits, page by page. */
async function admittedFiles(nav: Navigator): Promise<string[]> {
	const files: string[] = [];
	let cursor: string | null = null;
	do {
		const page = await nav.files({ limit: PAGE, cursor });
		if (page.meta.status === "ERROR") {
			const { message, error_code } = page.meta;
			throw new Error(message ?? `the walk failed: ${error_code}`);
		}
		const admitted = page.items.filter(({ skipped }) => skipped === null);
		files.push(...admitted.map(({ file }) => file));
		cursor = page.cursor;
	} while (cursor !== null);
	return files;
}

/** Removes sizes from entries, so that a file counts whatever its size, and keeps their stamps. */
function withoutSizes(
	entries: DirEntry[] | Failure,
	folder: string,
	stamps: Map<string, FileStamp>,
): DirEntry[] | Failure {
	if (!Array.isArray(entries)) return entries;
	const prefix = folder === "" ? "" : `${folder}/`;
	return entries.map(({ name, kind, size, stamp, racy }) => {
		if (size !== undefined && stamp !== undefined) {
			stamps.set(prefix + name, { size, stamp, racy });
		}
		return { name, kind };
	});
}
