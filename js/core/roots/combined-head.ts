import type { Mount } from "./mount.js";

/**
 * Returns an id that stands for the commits of several repositories: it is equal if and only if all
 * commits are. `null` if one of them has no commit, or the environment cannot hash.
 */
export async function combinedHead(
	mounts: readonly Mount[],
): Promise<string | null> {
	const states = mounts.map(({ state }) => state);
	if (states.some(({ head }) => head === null)) return null;
	// Pages that were loaded without encryption have no `subtle`.
	const { subtle } = globalThis.crypto as Partial<Crypto>;
	if (subtle === undefined) return null;
	const heads = states.map(({ name, head }) => [name, head]);
	const bytes = new TextEncoder().encode(JSON.stringify(heads));
	const hash = new Uint8Array(await subtle.digest("SHA-256", bytes));
	return Array.from(hash, hex).join("");
}

function hex(byte: number): string {
	return byte.toString(16).padStart(2, "0");
}
