/** Counts the calls that have not been answered. */
export class CallsUnderWay {
	#count = 0;
	readonly #waiting: (() => void)[] = [];

	/** Counts a call; returns a function that ends it. */
	begin(): () => void {
		this.#count += 1;
		return () => {
			this.#count -= 1;
			// The SDK writes the answer after the call has ended.
			setImmediate(() => this.#resolveIfNone());
		};
	}

	/** Resolves when no call is left. */
	none(): Promise<void> {
		return new Promise((resolve) => {
			this.#waiting.push(resolve);
			// The last message that was read may become a call only now.
			setImmediate(() => this.#resolveIfNone());
		});
	}

	#resolveIfNone(): void {
		if (this.#count > 0) return;
		for (const resolve of this.#waiting.splice(0)) resolve();
	}
}
