/** Translates ragnav's envelopes, which its three surfaces share. */

/** @typedef {import("../types.d.ts").Answer} Answer */
/** @typedef {import("../types.d.ts").Asked} Asked */
/** @typedef {import("../types.d.ts").Claim} Claim */
/**
 * @typedef {object} Envelope what the translation reads of an answer
 * @property {{ status: string, freshness_state: string, message?: string | null, error_code?: string
 * | null, rows?: { proof?: string } }} meta
 * @property {{ file: string, line?: number, start_line?: number, proof?: string }[]} items
 * @property {string | null} [completeness]
 * @property {boolean} [truncated]
 */

export const CLAIMS =
	"Each row has a proof, and `meta` says whether the index is current.";

/** More rows than any scenario has. */
export const ROWS = 200;

/**
 * @param {Envelope} envelope
 * @returns {Answer}
 */
export function answerOf({ meta, items, completeness, truncated }) {
	if (meta.status === "ERROR")
		return { kind: "refused", reason: meta.message ?? "ERROR" };
	return {
		kind: "rows",
		rows: items.map(({ file, line, start_line, proof }) => ({
			file,
			line: line ?? start_line ?? 0,
			claim: claimOf(proof ?? meta.rows?.proof),
		})),
		index: indexClaim(meta),
		complete: completeness === "proven" && !truncated,
	};
}

/**
 * @param {string | undefined} proof
 * @returns {Claim}
 */
function claimOf(proof) {
	if (proof === undefined) return "unsaid";
	return proof === "none" ? "outdated" : "current";
}

/**
 * @param {Envelope["meta"]} meta
 * @returns {Claim}
 */
function indexClaim({ status, freshness_state }) {
	if (status === "OK" || freshness_state === "FRESH") return "current";
	return freshness_state === "STALE" ? "outdated" : "unsaid";
}
