import { open } from "../../core/api.js";
import type { DirEntry, Failure, FileStamp, Host } from "../../core/host.js";

/** The files that the walk itself reads: ignore rules, and the tag of cache folders. */
const READ_BY_THE_WALK = /(?:^|\/)(?:\.[^/]*|CACHEDIR\.TAG)$|(?:^|\/)\.git\//;

/** A query without matches: only the files that it reads matter. */
const ANYTHING = "\u{10fffd}";

/** The folder of the index. It is hidden so that the query reads every file. */
const INDEX_FOLDER = ".llmc";

/**
 * Lists the files of a repository that no rule ignores, by path. Reads no files but the rules.
 *
 * @throws Error if the walk fails
 */
export async function walkedFiles(
	host: Host,
): Promise<Map<string, FileStamp | null>> {
	const stamps = new Map<string, FileStamp>();
	const found: string[] = [];
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
			const rules = paths.filter(isReadByTheWalk);
			const read = rules.length > 0 ? await host.readMany(rules, options) : [];
			const byPath = new Map(rules.map((path, at) => [path, read[at]]));
			found.push(...paths.filter((path) => !isReadByTheWalk(path)));
			return paths.map((path) =>
				isReadByTheWalk(path)
					? (byPath.get(path) ?? { error: "missing" })
					: new Uint8Array(),
			);
		},
	});
	const { meta } = await nav.search(ANYTHING, { limit: 1 });
	nav.close();
	if (meta.status === "ERROR") {
		throw new Error(meta.message ?? `the walk failed: ${meta.error_code}`);
	}
	const unique = [...new Set(found)].filter((path) => !isOfIndex(path)).sort();
	return new Map(unique.map((path) => [path, stamps.get(path) ?? null]));
}

/** Removes sizes from entries: the core never requests a file that is known to be too large. */
function withoutSizes(
	entries: DirEntry[] | Failure,
	folder: string,
	stamps: Map<string, FileStamp>,
): DirEntry[] | Failure {
	if (!Array.isArray(entries)) return entries;
	const prefix = folder === "" ? "" : `${folder}/`;
	return entries
		.filter(({ name }) => folder !== "" || name !== INDEX_FOLDER)
		.map(({ name, kind, size, stamp, racy }) => {
			if (size !== undefined && stamp !== undefined) {
				stamps.set(prefix + name, { size, stamp, racy });
			}
			return { name, kind };
		});
}

function isReadByTheWalk(path: string): boolean {
	return READ_BY_THE_WALK.test(path) || isOfIndex(path);
}

function isOfIndex(path: string): boolean {
	return path.startsWith(`${INDEX_FOLDER}/`);
}
