/** Runs a callback once calls for it pause. */
export class Delayed {
	readonly #run: () => void;
	readonly #pauseMs: number;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(pauseMs: number, run: () => void) {
		this.#pauseMs = pauseMs;
		this.#run = run;
	}

	/** Schedules the callback; a further call postpones it. */
	later(): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(this.#run, this.#pauseMs);
	}

	close(): void {
		clearTimeout(this.#timer);
	}
}
