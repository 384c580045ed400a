/** The counts of the comparison of ragnav and pyright, and their report. */
import { causeOf } from "./links-causes.mjs";
import { table } from "./table.mjs";

const EXAMPLES = Number(process.env.RAGNAV_EXAMPLES ?? 2);

/**
 * @typedef {{ found: number, missed: number, extra: number, candidates: number, added: number,
 * renamed: number }} Score
 */
/** @typedef {Map<string, { count: number, examples: string[] }>} Causes */

/**
 * Counts a difference under its cause.
 *
 * @param {Causes | undefined} causes
 * @param {Map<string, string[]>} files
 * @param {string} at
 * @param {string} symbol
 */
export function noteCause(causes, files, at, symbol) {
	const [file = "", line, column] = at.split(":");
	const lines = files.get(file) ?? [];
	const cause = causeOf(lines, Number(line), Number(column));
	const known = causes?.get(cause) ?? { count: 0, examples: [] };
	known.count += 1;
	if (known.examples.length < EXAMPLES)
		known.examples.push(`${at} of ${symbol.slice("sym:".length)}`);
	causes?.set(cause, known);
}

/**
 * Prints the counts, and returns precision and recall over all kinds.
 *
 * @param {string} name
 * @param {Map<string, Score>} scores
 * @param {Record<string, Causes>} causes
 */
export function report(name, scores, causes) {
	const total = {
		found: 0,
		missed: 0,
		extra: 0,
		candidates: 0,
		added: 0,
		renamed: 0,
	};
	for (const score of scores.values())
		for (const key of /** @type {(keyof Score)[]} */ (Object.keys(total)))
			total[key] += score[key];
	const rows = [...scores].sort().concat([["all", total]]);
	const share = (/** @type {number} */ part, /** @type {number} */ whole) =>
		whole === 0 ? "-" : (part / whole).toFixed(4);
	console.log(`\n${name}\n`);
	console.log(
		table(
			[
				"kind",
				"references",
				"precision",
				"recall",
				"recall with candidates",
				"precision of candidates",
				"by another name",
			],
			rows.map(
				([kind, { found, missed, extra, candidates, added, renamed }]) => [
					kind,
					String(found + missed),
					share(found, found + extra),
					share(found, found + missed),
					share(found + added, found + missed),
					share(added, candidates),
					String(renamed),
				],
			),
		),
	);
	const titles = {
		missed: "pyright has, ragnav has not",
		candidate: "pyright has, for ragnav a candidate",
		extra: "ragnav has, pyright has not",
	};
	for (const [side, title] of Object.entries(titles)) {
		const found = [...(causes[side] ?? [])].sort(
			([, a], [, b]) => b.count - a.count,
		);
		const cells = found.map(([cause, { count, examples }]) => [
			cause,
			String(count),
			examples.join(", "),
		]);
		console.log(`\n${table([title, "count", "examples"], cells)}`);
	}
	const precision = total.found / (total.found + total.extra);
	const recall = total.found / (total.found + total.missed);
	return { precision, recall };
}
