import type { Changes, ChangesRequest } from "../../../core/host.js";
import type { NodeHost } from "../../../hosts/node/host.js";
import { batchHead } from "../../../hosts/shared/batch.js";

/** The maximum size of an object, whatever the page requests. */
const MAX_OBJECT_BYTES = 64 * 1024 * 1024;

/** The commits that a page may read, limited to files that a comparison returned. */
export class ServedCommits {
	readonly #host: NodeHost;
	readonly #named = new Set<string>();

	constructor(host: NodeHost) {
		this.#host = host;
	}

	/**
	 * Compares two states.
	 *
	 * @throws Error if git cannot compare them
	 */
	changes(request: ChangesRequest): Changes | null {
		const changes = this.#host.changes(request);
		if (changes === null) return null;
		const files = changes.files.filter(({ path }) => !isHidden(path));
		for (const { before, after } of files) {
			if (before) this.#named.add(before);
			if (after) this.#named.add(after);
		}
		return { ...changes, files };
	}

	/** Returns objects as a batch, without those that no comparison returned. */
	objects(ids: readonly string[], maxBytes: number): Buffer {
		const known = ids.filter((id) => this.#named.has(id));
		const max_bytes = Math.min(maxBytes, MAX_OBJECT_BYTES);
		const read = this.#host.readObjects(known, { max_bytes });
		const contents = new Map(known.map((id, at) => [id, read[at]]));
		const parts = ids.flatMap((id) => {
			const bytes = contents.get(id);
			return bytes instanceof Uint8Array
				? [batchHead(bytes.length), bytes]
				: [batchHead(null)];
		});
		return Buffer.concat(parts);
	}
}

/** Reports whether a file is hidden, so that no walk admits it. */
function isHidden(path: string): boolean {
	return path.split("/").some((name) => name.startsWith("."));
}

/** Parses a request to compare; returns `undefined` for anything else. */
export function changesRequestOf(value: unknown): ChangesRequest | undefined {
	const { from, to, paths, unsaved } = (value ?? {}) as Partial<ChangesRequest>;
	const areTexts = (list: unknown): list is string[] =>
		Array.isArray(list) && list.every((text) => typeof text === "string");
	if (typeof from !== "string") return undefined;
	if (to !== null && typeof to !== "string") return undefined;
	if (!areTexts(paths) || !areTexts(unsaved)) return undefined;
	return { from, to, paths, unsaved };
}

/** Parses a request for objects; returns `undefined` for anything else. */
export function objectsRequestOf(
	value: unknown,
): { ids: string[]; max_bytes: number } | undefined {
	const { ids, max_bytes } = (value ?? {}) as Record<string, unknown>;
	if (typeof max_bytes !== "number" || !Array.isArray(ids)) return undefined;
	return ids.every((id) => typeof id === "string")
		? { ids, max_bytes }
		: undefined;
}
