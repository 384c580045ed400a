/** @typedef {import("./report.mjs").Group} Group */
/** @typedef {import("./rounds.mjs").Row} Row */

/**
 * A row of a run, if it was measured.
 *
 * @param {Group[]} groups
 * @param {string} id
 * @param {string} name
 */
export function rowIn(groups, id, name) {
	return rowsOf(groups, id).find((row) => row.name === name);
}

/**
 * @param {Group[]} groups
 * @param {string} id
 */
export function rowsOf(groups, id) {
	return groups.find((group) => group.id === id)?.rows ?? [];
}

/**
 * ragnav's cold builds: with one worker and with two, where the command line knows workers, else one row for both.
 *
 * @param {Group[]} groups
 * @param {string} corpus
 */
export function coldBuilds(groups, corpus) {
	const rows = rowsOf(groups, `${corpus}-cold`);
	const own = rows.filter(({ name }) => name.startsWith("ragnav"));
	return { one: own[0], most: own.at(-1) };
}

/**
 * What opening the index takes in a process that goes on.
 *
 * @param {Group[]} groups
 * @param {string} corpus
 * @param {{ first: string, warm: string }} names
 */
export function opening(groups, corpus, { first, warm }) {
	const id = `${corpus}-open-in-process`;
	return wall(rowIn(groups, id, first)) - wall(rowIn(groups, id, warm));
}

/** @param {Row | undefined} row */
export function wall(row) {
	return row?.wall ?? Number.NaN;
}
