/** Counts calls that have not been answered. */
export class CallsUnderWay {
	#count = 0;
	readonly #waiting: (() => void)[] = [];

	/** Notes a call; gives what ends it. */
	begin(): () => void {
		this.#count += 1;
		return () => {
			this.#count -= 1;
			// What a call answers is written after it has ended.
			setImmediate(() => this.#tell());
		};
	}

	/** Resolves once there are none. */
	none(): Promise<void> {
		return new Promise((resolve) => {
			this.#waiting.push(resolve);
			// What was read last may only now become a call.
			setImmediate(() => this.#tell());
		});
	}

	#tell(): void {
		if (this.#count > 0) return;
		for (const resolve of this.#waiting.splice(0)) resolve();
	}
}
