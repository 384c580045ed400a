/** The SCIP indexes of a navigator: when they are read, and which core has them. */

import type { Core, GivenIndex } from "../../generated/glue.js";
import { messageOf, RagnavError } from "../errors.js";
import type { Failure, FileStamp, Host } from "../host.js";

/** The largest index, in bytes. */
const MAX_BYTES = 512 << 20;

const PROBLEMS: Record<Failure["error"], string> = {
	missing: "the repository has no such file",
	denied: "it may not be read",
	too_large: `it is larger than ${MAX_BYTES >> 20} MiB`,
	io: "it cannot be read",
};

/** What a core has: the stamp of each index by its path; `null` if the host has no stamps. */
type Known = Map<string, string | null>;

/** The indexes, which are read when a query first needs them and again once they change. */
export class ScipIndexes {
	readonly #host: Host;
	readonly #paths: readonly string[];
	readonly #known = new WeakMap<Core, Known>();
	#last: Promise<void> = Promise.resolve();

	/**
	 * @throws RagnavError `INVALID_ARGUMENT` for anything but a list of paths
	 */
	constructor(host: Host, given: unknown) {
		this.#host = host;
		this.#paths = pathsOf(given);
	}

	/**
	 * Gives a core the indexes that it does not have. An index that cannot be read is given with the
	 * reason, which the answers say.
	 *
	 * @param requireOpen throws if the core must not be used any more
	 */
	async give(core: Core, requireOpen: () => void): Promise<void> {
		if (this.#paths.length === 0) return;
		// Of two queries at once, the second waits until the first has given the indexes.
		const turn = this.#last.then(() => this.#give(core, requireOpen));
		this.#last = turn.catch(() => undefined);
		await turn;
	}

	async #give(core: Core, requireOpen: () => void): Promise<void> {
		const known: Known = this.#known.get(core) ?? new Map();
		const stamps = await this.#stamps();
		for (const [at, path] of this.#paths.entries()) {
			const stamp = (stamps !== "failed" && stamps?.[at]) || null;
			if (stamps !== "failed" && known.get(path) === stamp) continue;
			const index = await this.#read(path);
			requireOpen();
			core.putCompilerIndex(index);
			known.set(path, stamp);
		}
		this.#known.set(core, known);
	}

	/** Returns the stamps of the indexes; `undefined` if the host has none. */
	async #stamps(): Promise<string[] | "failed" | undefined> {
		try {
			const stamps = await this.#host.stat?.([...this.#paths]);
			return stamps?.map(stampOf);
		} catch {
			// Reading the indexes says what is wrong, and the answers say it.
			return "failed";
		}
	}

	/** Returns when an index was written: the earlier of its times, since a copy has the later. */
	async #written(path: string): Promise<number | null> {
		const [times] = (await this.#host.fileTimes?.([path])) ?? [];
		return times ? Math.min(times.modified, times.changed) : null;
	}

	async #read(path: string): Promise<GivenIndex> {
		try {
			const options = { max_bytes: MAX_BYTES };
			const [read] = await this.#host.readMany([path], options);
			if (read === undefined) return unusable(path, PROBLEMS.io);
			if ("error" in read) return unusable(path, PROBLEMS[read.error]);
			// Only programs with an index need the reader.
			const { readScipIndex } = await import("./read-index.js");
			const { root } = this.#host;
			return readScipIndex(read, {
				path,
				root,
				written: await this.#written(path),
			});
		} catch (thrown) {
			return unusable(path, messageOf(thrown));
		}
	}
}

function pathsOf(given: unknown): string[] {
	if (given === undefined || given === null) return [];
	const isPath = (path: unknown) => typeof path === "string" && path !== "";
	if (!Array.isArray(given) || !given.every(isPath)) {
		const message = "scip must be a list of paths from the root";
		throw new RagnavError("INVALID_ARGUMENT", message);
	}
	const paths = given.map((path: string) =>
		path.replaceAll("\\", "/").replace(/^(?:\.\/+)+/, ""),
	);
	return [...new Set(paths)];
}

function stampOf(stamp: FileStamp | Failure): string {
	return "error" in stamp ? stamp.error : `${stamp.size} ${stamp.stamp}`;
}

function unusable(path: string, problem: string): GivenIndex {
	const nothing = { symbols: [], implementations: [], documents: [] };
	return { path, problem, written: null, ...nothing };
}
