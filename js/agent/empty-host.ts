import type { Failure, Host } from "../core/host.js";

const MISSING: Failure = { error: "missing" };

/** Returns a host without files, whose clock starts at `now`. */
export function emptyHost(now?: Date | null): Host {
	const started = performance.now();
	const from = (now ?? new Date()).getTime();
	return {
		gitHead: () => null,
		readDirs: (paths) => paths.map(() => MISSING),
		readMany: (paths) => paths.map(() => MISSING),
		now: () => new Date(from + performance.now() - started).toISOString(),
	};
}
