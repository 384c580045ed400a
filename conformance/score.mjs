/** @typedef {import("./types.d.ts").Answer} Answer */
/** @typedef {import("./types.d.ts").MayClaim} MayClaim */
/** @typedef {import("./types.d.ts").Question} Question */
/** @typedef {Extract<Answer, { kind: "rows" }>} Rows */

/**
 * @typedef {object} Score
 * @property {number} questions
 * @property {number} right rows of the truth that were answered
 * @property {number} missing rows of the truth that were not
 * @property {number} wrong rows that are not true, without a word that they may be outdated
 * @property {number} wrong_said rows that are not true, and said to be possibly outdated
 * @property {number} false_claims answers that claim to be current, complete or of a current index,
 * and are not
 * @property {number} true_claims answers that claim a current index, and may
 * @property {number} refused
 * @property {number} not_applicable
 */

/** @returns {Score} */
export const emptyScore = () => ({
	questions: 0,
	right: 0,
	missing: 0,
	wrong: 0,
	wrong_said: 0,
	false_claims: 0,
	true_claims: 0,
	refused: 0,
	not_applicable: 0,
});

/**
 * @param {Score} sum
 * @param {Score} score
 * @returns {Score}
 */
export const addScores = (sum, score) => ({
	questions: sum.questions + score.questions,
	right: sum.right + score.right,
	missing: sum.missing + score.missing,
	wrong: sum.wrong + score.wrong,
	wrong_said: sum.wrong_said + score.wrong_said,
	false_claims: sum.false_claims + score.false_claims,
	true_claims: sum.true_claims + score.true_claims,
	refused: sum.refused + score.refused,
	not_applicable: sum.not_applicable + score.not_applicable,
});

/**
 * Compares an answer with the truth.
 *
 * @param {Question} question
 * @param {MayClaim} mayClaim
 * @param {Answer} answer
 * @returns {Score}
 */
export function scoreOf(question, mayClaim, answer) {
	const score = { ...emptyScore(), questions: 1 };
	if (answer.kind === "refused") return { ...score, refused: 1 };
	if (answer.kind === "not_applicable") return { ...score, not_applicable: 1 };
	const { right, missing, wrong } = compared(question, answer);
	const isFalse = isFalseClaim(question, mayClaim, answer);
	const unsaid = wrong.filter(({ claim }) => claim !== "outdated");
	return {
		...score,
		right,
		missing,
		wrong: unsaid.length,
		wrong_said: wrong.length - unsaid.length,
		false_claims: isFalse ? 1 : 0,
		true_claims: answer.index === "current" && !isFalse ? 1 : 0,
	};
}

/**
 * @param {Question} question
 * @param {Rows} answer
 */
function compared({ rows, also = [] }, answer) {
	// Several rows of one line are one: tools differ in whether they count columns.
	const byPlace = new Map(answer.rows.map((row) => [placeOf(row), row]));
	const right = rows.filter((place) => byPlace.has(place)).length;
	const known = new Set([...rows, ...also]);
	const wrong = [...byPlace]
		.filter(([place]) => !known.has(place))
		.map(([, row]) => row);
	return { right, missing: rows.length - right, wrong };
}

/**
 * Reports whether an answer claims what is not so.
 *
 * @param {Question} question
 * @param {MayClaim} mayClaim
 * @param {Rows} answer
 */
function isFalseClaim(question, mayClaim, answer) {
	const { missing, wrong } = compared(question, answer);
	if (answer.index === "current" && mayClaim !== "index") return true;
	if (answer.complete && missing > 0) return true;
	return wrong.some(({ claim }) => claim === "current");
}

/** @param {{ file: string, line: number }} row */
const placeOf = ({ file, line }) => `${file}:${line}`;
