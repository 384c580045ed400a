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
 * What opening the index takes in a process that goes on, with a first question and its proof: what a later question takes is not
 * taken from it, since that is as much as the runs differ by.
 *
 * @param {Group[]} groups
 * @param {string} corpus
 * @param {string} first
 */
export function opening(groups, corpus, first) {
	return wall(rowIn(groups, `${corpus}-open-in-process`, first));
}

/** @param {Row | undefined} row */
export function wall(row) {
	return row?.wall ?? Number.NaN;
}
