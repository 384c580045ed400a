import type { ProgressNotification } from "@modelcontextprotocol/sdk/types.js";
import type { CallOptions, Progress } from "../../entries/node.js";

/** What a call has for telling how far it is. */
interface Extra {
	_meta?: { progressToken?: string | number | undefined } | undefined;
	sendNotification(notification: ProgressNotification): Promise<void>;
}

/**
 * Tells the client how far a call is, where it asked for that. The protocol wants numbers that only grow: each phase counts on from the one
 * before.
 */
export function progressTo({
	_meta,
	sendNotification,
}: Extra): CallOptions["onProgress"] {
	const progressToken = _meta?.progressToken;
	if (progressToken === undefined) return null;
	let phase: Progress["phase"] | undefined;
	let before = 0;
	let last = 0;
	return (now) => {
		if (now.phase !== phase) before = last;
		phase = now.phase;
		const progress = before + now.done;
		if (progress <= last) return;
		last = progress;
		const total = now.total === null ? {} : { total: before + now.total };
		const message = `${now.phase}: ${now.done}${now.total === null ? "" : ` of ${now.total}`}`;
		const params = { progressToken, progress, ...total, message };
		// A client that is gone ends the call itself.
		sendNotification({ method: "notifications/progress", params }).catch(
			() => undefined,
		);
	};
}
