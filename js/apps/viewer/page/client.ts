import { type Remote, wrap } from "comlink";
import { notice } from "./state.js";
import type { ViewerWorker } from "./worker-api.js";

const thread = new Worker(new URL("./worker.js", import.meta.url), {
	type: "module",
});
// Without the worker every query waits forever, and no other code reports that.
thread.addEventListener("error", ({ message }) => {
	notice.value = `The worker failed: ${message || "it cannot be loaded"}`;
});

/** The worker that runs ragnav, so that the page itself never waits. */
export const worker: Remote<ViewerWorker> = wrap(thread);

let queries = 0;

/** Runs one query of a kind at a time: a newer one cancels the one before. */
export class Latest {
	#current: number | undefined;

	/**
	 * Returns the answer; `undefined` if the query has been cancelled in the meantime, or a newer one
	 * has begun. The failure of such a query is dropped.
	 */
	async run<T>(query: (id: number) => Promise<T>): Promise<T | undefined> {
		this.cancel();
		queries += 1;
		const id = queries;
		this.#current = id;
		try {
			const answer = await query(id);
			return this.isCurrent(id) ? answer : undefined;
		} catch (error) {
			if (!this.isCurrent(id)) return undefined;
			throw error;
		} finally {
			if (this.isCurrent(id)) this.#current = undefined;
		}
	}

	/** Reports whether a query is running and is the latest one. */
	isCurrent(id: number): boolean {
		return this.#current === id;
	}

	/** Cancels the running query; its answer is dropped. */
	cancel(): void {
		if (this.#current !== undefined) void worker.cancel(this.#current);
		this.#current = undefined;
	}
}
