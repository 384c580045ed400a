import { messageOf } from "../errors.js";
import type { Watcher } from "../host.js";
import type { Mount } from "./mount.js";

/** One repository with its watcher, or the reason why it has none. */
type Watched = { name: string } & ({ watcher: Watcher } | { reason: string });

/** Watches several repositories. The token proves freshness while each of them does. */
export function watchAll(
	mounts: readonly Mount[],
	onChange: () => void,
): Watcher {
	const watched = mounts.map((mount) => watchOne(mount, onChange));
	const reason = () => {
		for (const one of watched) {
			const own = "reason" in one ? one.reason : one.watcher.reason;
			if (own) return `${one.name}: ${own}`;
		}
		return null;
	};
	return {
		async token() {
			if (reason() !== null || mounts.some(({ isBlocked }) => isBlocked)) {
				return null;
			}
			const tokens = await Promise.all(watched.map(tokenOf));
			return tokens.includes(null) ? null : JSON.stringify(tokens);
		},
		get reason() {
			return reason();
		},
		close() {
			for (const one of watched) if ("watcher" in one) one.watcher.close();
		},
	};
}

function watchOne({ name, host }: Mount, onChange: () => void): Watched {
	if (host.watch === undefined) {
		return { name, reason: "the host has no `watch`" };
	}
	try {
		return { name, watcher: host.watch(onChange) };
	} catch (thrown) {
		return { name, reason: `the host's watch failed: ${messageOf(thrown)}` };
	}
}

async function tokenOf(one: Watched): Promise<string | null> {
	if (!("watcher" in one)) return null;
	try {
		return await one.watcher.token();
	} catch {
		return null;
	}
}
