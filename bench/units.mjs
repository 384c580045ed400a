/** @param {number | undefined} milliseconds */
export function time(milliseconds) {
	if (milliseconds === undefined || !Number.isFinite(milliseconds)) return "";
	if (milliseconds < 10_000) return `${milliseconds.toFixed(1)} ms`;
	return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** @param {number | undefined} bytes */
export function megabytes(bytes) {
	return bytes === undefined ? "" : `${(bytes / 1e6).toFixed(0)} MB`;
}

/** @param {number} count */
export function shownRounds(count) {
	return count === 1 ? "1 round" : `${count} rounds`;
}
