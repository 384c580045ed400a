import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { MAX_DEFAULT_WORKERS, type StartHelpers } from "../pool.js";
import type { Helper } from "../protocol.js";

/** Helpers on Node's worker threads. */
export const nodeHelpers: StartHelpers = {
	count: () => Math.min(availableParallelism(), MAX_DEFAULT_WORKERS),
	start(): Helper {
		// Without the flags of the process: a program that is run by a loader hands that on otherwise.
		const worker = new Worker(
			new URL("./extract-node-worker.js", import.meta.url),
			{ execArgv: [], stdout: false },
		);
		return {
			post: (message, transfer) => worker.postMessage(message, transfer),
			listen(onResult, onFailure) {
				worker.on("message", onResult);
				worker.on("error", onFailure);
				worker.on("exit", onFailure);
			},
			stop: () => void worker.terminate(),
		};
	},
};
