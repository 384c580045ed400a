import { RagnavError } from "./errors.js";
import { describeGiven } from "./given-value.js";

/** The greatest whole number that the core takes. */
const MOST = 2 ** 32 - 1;

/** The options and arguments of queries that are whole numbers, each with the least value. */
const LEAST = {
	limit: 1,
	depth: 1,
	line: 1,
	token_budget: 1,
	max_retries: 0,
	deadline_ms: 0,
} as const;

/**
 * Checks an option that is a whole number, unless it is absent. The core receives `Infinity` and
 * `NaN` as texts, so its own message about them would mislead.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for anything but a whole number within the range.
 */
export function checkNumber(
	name: string,
	given: unknown,
	least = 1,
	most = MOST,
): void {
	if (given === undefined || given === null) return;
	const isWhole = typeof given === "number" && Number.isInteger(given);
	if (isWhole && given >= least && given <= most) return;
	const expected = `a whole number from ${least} to ${most}`;
	throw new RagnavError("INVALID_ARGUMENT", refusal(name, expected, given));
}

/**
 * Checks the numbers among the options of a query.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for the first that is out of its range.
 */
export function checkNumbers(options: object): void {
	const given = options as Record<string, unknown>;
	for (const [name, least] of Object.entries(LEAST)) {
		// The core refuses 0 itself, so that all runtimes answer in the same words.
		if (given[name] !== 0) checkNumber(name, given[name], least);
	}
}

/** @throws {RagnavError} `INVALID_ARGUMENT` unless an amount is absent, at least 0 or infinite. */
export function checkAmount(name: string, given: unknown): void {
	if (given === undefined || given === null) return;
	if (typeof given === "number" && given >= 0) return;
	const expected = "a number of at least 0, or Infinity";
	throw new RagnavError("INVALID_ARGUMENT", refusal(name, expected, given));
}

function refusal(name: string, expected: string, given: unknown): string {
	return `${name} must be ${expected}, not ${describeGiven(given)}`;
}
