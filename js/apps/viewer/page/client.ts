import { type Remote, wrap } from "comlink";
import { trouble } from "./state.js";
import type { ViewerWorker } from "./worker-api.js";

const thread = new Worker(new URL("./worker.js", import.meta.url), {
	type: "module",
});
// Without it nothing would ever be answered, and nothing said.
thread.addEventListener("error", ({ message }) => {
	trouble.value = `The worker failed: ${message || "it cannot be loaded"}`;
});

/** The worker that ragnav runs in, so that the page itself never waits. */
export const worker: Remote<ViewerWorker> = wrap(thread);

let questions = 0;

/** Asks one question of its kind at a time: a newer one cancels the one before. */
export class Latest {
	#current: number | undefined;

	/** The answer; `undefined` where a newer question was asked in the meantime. */
	async ask<T>(question: (id: number) => Promise<T>): Promise<T | undefined> {
		this.cancel();
		questions += 1;
		const id = questions;
		this.#current = id;
		const answer = await question(id);
		if (this.#current !== id) return undefined;
		this.#current = undefined;
		return answer;
	}

	/** Ends the question that is under way; its answer no longer counts. */
	cancel(): void {
		if (this.#current !== undefined) void worker.cancel(this.#current);
		this.#current = undefined;
	}
}
