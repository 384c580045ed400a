import { RagnavError } from "./errors.js";

/**
 * Returns why options cannot be used: they are no object, or one of them is unknown. As in the core,
 * `undefined` and `null` stand for an absent option.
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
	return unknown === undefined
		? null
		: noSuchOption(unknown[0], Object.keys(known));
}

/** @throws {RagnavError} `INVALID_ARGUMENT` as {@link problemOfOptions} says. */
export function checkOptions(
	given: unknown,
	known: Readonly<Record<string, true>>,
): void {
	const problem = problemOfOptions(given, known);
	if (problem !== null) throw new RagnavError("INVALID_ARGUMENT", problem);
}

/** Returns the message of the core about an unknown option of a query. */
function noSuchOption(name: string, known: readonly string[]): string {
	const distances = known.map((other) => editDistance(name, other));
	const closest = known[distances.indexOf(Math.min(...distances))];
	const all = known.join(", ");
	return `there is no option ${JSON.stringify(name)}; did you mean \`${closest}\`? The options are ${all}`;
}

/**
 * Returns how many letters to insert, remove, replace or swap with their neighbours turn one name
 * into another.
 */
function editDistance(one: string, other: string): number {
	let beforeLast: number[] = [];
	let last = Array.from({ length: other.length + 1 }, (_, at) => at);
	for (let i = 1; i <= one.length; i += 1) {
		const row = [i];
		for (let j = 1; j <= other.length; j += 1) {
			const replaced = at(last, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1);
			const isSwapped =
				i > 1 &&
				j > 1 &&
				one[i - 1] === other[j - 2] &&
				one[i - 2] === other[j - 1];
			const swapped = isSwapped ? at(beforeLast, j - 2) + 1 : Infinity;
			row.push(
				Math.min(replaced, swapped, at(last, j) + 1, at(row, j - 1) + 1),
			);
		}
		[beforeLast, last] = [last, row];
	}
	return at(last, other.length);
}

function at(row: readonly number[], index: number): number {
	return row[index] ?? Infinity;
}
