/** @typedef {{ name: string, peer?: string, run: () => unknown }} Subject `peer` names the row it is set against */
/** @typedef {{ name: string, peer: string | undefined, median: number, min: number, ratio: number | undefined }} Timing */

/**
 * Times the subjects in turn, round after round, so that what slows the machine down for a while
 * slows all of them. The first round is not counted.
 *
 * @param {Subject[]} subjects
 * @param {number} rounds
 * @returns {Promise<Timing[]>}
 */
export async function timed(subjects, rounds) {
	/** @type {Map<string, number[]>} */
	const times = new Map(subjects.map(({ name }) => [name, []]));
	for (let round = 0; round <= rounds; round += 1) {
		for (const { name, run } of subjects) {
			const started = performance.now();
			await run();
			if (round > 0) times.get(name)?.push(performance.now() - started);
		}
	}
	const medianOf = (/** @type {string} */ name) =>
		median(times.get(name) ?? []);
	return subjects.map(({ name, peer }) => ({
		name,
		peer,
		median: medianOf(name),
		min: Math.min(...(times.get(name) ?? [])),
		ratio: peer === undefined ? undefined : medianOf(name) / medianOf(peer),
	}));
}

/** @param {number[]} values */
export function median(values) {
	const sorted = [...values].sort((a, b) => a - b);
	const [low, high] = [
		sorted[(sorted.length - 1) >> 1],
		sorted[sorted.length >> 1],
	];
	return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}
