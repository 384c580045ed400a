import { signal } from "@preact/signals";
import { notice } from "./state.js";

/** A module that the page loads on first use, so that its first script stays small. */
export class Lazy<T> {
	readonly #request: () => Promise<T>;
	readonly #loaded = signal<T | null>(null);
	#isRequested = false;

	constructor(load: () => Promise<T>) {
		this.#request = load;
	}

	/** The module; `null` until it is loaded. A component that reads it renders again then. */
	get value(): T | null {
		this.load();
		return this.#loaded.value;
	}

	/** Starts to load the module, unless that has begun. */
	load(): void {
		if (this.#isRequested) return;
		this.#isRequested = true;
		this.#request().then(
			(loaded) => {
				this.#loaded.value = loaded;
			},
			() => {
				// The next use requests it again.
				this.#isRequested = false;
				notice.value = "A part of the page cannot be loaded. Reload the page.";
			},
		);
	}
}
