/**
 * Lets questions that are under way together share one look at the repository: what a question looked at after another one was
 * asked is an answer to that one as well.
 */
export class Instants {
	#clock = 0;
	#underWay = 0;
	#look: Look | undefined;

	/** Notes a question, at the moment it is asked. */
	begin(): Instant {
		this.#underWay += 1;
		const asked = ++this.#clock;
		let own: Look | undefined;
		return {
			word: () => {
				if (own !== undefined) return own.began;
				const other = this.#look;
				if (other !== undefined && other.began > asked) {
					return other.over.then(() => other.began);
				}
				// A question alone looks at no more than it needs.
				if (this.#underWay < 2) return null;
				own = newLook(++this.#clock);
				this.#look = own;
				return own.began;
			},
			end: () => {
				this.#underWay -= 1;
				own?.end();
			},
		};
	}

	/** How many questions are under way. */
	get underWay(): number {
		return this.#underWay;
	}
}

/** A question that is under way. */
export interface Instant {
	/** The number of the look that this question may share or is to make; `null` where there is nobody to share it with. */
	word(): number | null | Promise<number>;
	end(): void;
}

/** A look at the repository, from when it began to when its question is over. */
interface Look {
	began: number;
	over: Promise<void>;
	end(): void;
}

function newLook(began: number): Look {
	let end = () => {};
	const over = new Promise<void>((resolve) => {
		end = resolve;
	});
	return { began, over, end };
}
