import { RagnavError } from "./errors.js";

/**
 * Returns why options cannot be used: they are no object, or one of them is unknown. As in the
 * core, `undefined` and `null` stand for an absent option.
 */
export function problemOfOptions(
	given: unknown,
	known: Readonly<Record<string, true>>,
): string | null {
	if (given === undefined || given === null) return null;
	if (typeof given !== "object") {
		return `options must be an object, not ${typeof given}`;
	}
	const unknown = Object.entries(given).find(
		([name, value]) =>
			value !== undefined && value !== null && !Object.hasOwn(known, name),
	);
	if (unknown === undefined) return null;
	const all = Object.keys(known).join(", ");
	return `there is no option ${JSON.stringify(unknown[0])}; the options are ${all}`;
}

/** @throws {RagnavError} `INVALID_ARGUMENT` as {@link problemOfOptions} says. */
export function checkOptions(
	given: unknown,
	known: Readonly<Record<string, true>>,
): void {
	const problem = problemOfOptions(given, known);
	if (problem !== null) throw new RagnavError("INVALID_ARGUMENT", problem);
}
