import type { ProgressNotification } from "@modelcontextprotocol/sdk/types.js";
import type { CallOptions, Progress } from "../../entries/node.js";

/** The parts of a call that report its progress. */
interface Extra {
	_meta?: { progressToken?: string | number | undefined } | undefined;
	sendNotification(notification: ProgressNotification): Promise<void>;
}

/**
 * Returns a callback that reports progress to the client; `null` if the client did not ask for it.
 * The protocol requires growing numbers, so each phase continues the count of the one before.
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
		// If the client is gone, the SDK cancels the call.
		sendNotification({ method: "notifications/progress", params }).catch(
			() => undefined,
		);
	};
}
