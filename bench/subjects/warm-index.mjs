import { Problem } from "../../js/build/run.mjs";
import { ripgrep } from "../commands.mjs";
import { measured } from "../measured.mjs";
import { ABSENT, FREQUENT } from "../needles.mjs";
import { walkAndStat } from "../node-peers.mjs";
import { timed } from "../rounds.mjs";
import { shownRounds } from "../units.mjs";
import { openNavigator, settle } from "./index-files.mjs";
import { WALK } from "./rebuild.mjs";

/** @typedef {import("#ragnav").Navigator} Navigator */
/** @typedef {import("../measured-corpora.mjs").Corpus} Corpus */
/**
 * @typedef {{ name: string, before?: () => Promise<void>, ask: () => Promise<{ meta: { status:
 * string, message: string | null } }> }} Question
 */
/** @typedef {{ close: () => void }} Watching */

/** The name of a navigator that watches, in reports. */
export const WATCHED = ", watched";

/** The number of questions whose references a navigator that watches keeps. */
const KEPT_QUESTIONS = 16;

/** @param {Corpus} corpus */
export function textsOf({ asked }) {
	return [
		{ kind: "absent", text: ABSENT },
		{ kind: "frequent", text: FREQUENT },
		{ kind: "rare", text: asked.rare },
	];
}

/**
 * Measures queries of one navigator over a current index, each with its proof.
 *
 * @param {import("../bench.mjs").Bench} bench
 * @param {Corpus} corpus
 * @param {number} rounds
 * @returns {Promise<import("../report.mjs").Group>}
 */
export async function warmIndex(bench, corpus, rounds) {
	await settle(corpus);
	const { rg } = bench.peers;
	const nav = await openNavigator(corpus.ours);
	const watched = await watchedNavigator(corpus.ours);
	const walk = {
		name: WALK,
		run: () => walkAndStat(corpus.ours, corpus.files),
	};
	const greps = textsOf(corpus).map(({ kind, text }) => ({
		name: `rg -nF, ${kind} text (a process)`,
		measure: () => measured(ripgrep(rg ?? "", corpus.ours, "-nF", text)),
	}));
	const questions = await questionsTo(nav, corpus, "");
	if (watched)
		questions.push(...(await questionsTo(watched.nav, corpus, WATCHED)));
	await checkFresh(questions);
	const asked = questions.map(({ name, before, ask }) => ({
		name,
		peers: [WALK],
		before,
		run: ask,
	}));
	const rows = await timed([walk, ...(rg ? greps : []), ...asked], rounds);
	watched?.close();
	nav.close();
	return {
		id: `${corpus.id}-warm`,
		title: `${corpus.title}: questions in a process that goes on`,
		note: `the index is fresh; a rare text is \`${corpus.asked.rare}\`, a frequent one \`${FREQUENT}\`; ${shownRounds(rounds)} after one that is not counted${watched ? "" : "; this version's navigator has no `watch`, so no rows of a host that watches"}`,
		rows,
	};
}

/**
 * Opens a navigator that watches, if this version can.
 *
 * @param {string} folder
 */
async function watchedNavigator(folder) {
	const nav = await openNavigator(folder);
	/** @type {unknown} */
	const watch = Reflect.get(nav, "watch");
	if (typeof watch !== "function") {
		nav.close();
		return undefined;
	}
	/** @type {Watching} */
	const watching = await watch.call(nav, { build: false });
	return {
		nav,
		close() {
			watching.close();
			nav.close();
		},
	};
}

/**
 * @param {Navigator} nav
 * @param {Corpus} corpus
 * @param {string} suffix
 * @returns {Promise<Question[]>}
 */
async function questionsTo(nav, corpus, suffix) {
	const { asked } = corpus;
	const [place] = (await nav.locate(asked.function)).items;
	if (!place) throw new Problem(`${asked.function} is not in ${corpus.title}.`);
	const { file, start_line: line } = place;
	const searches = textsOf(corpus).map(({ kind, text }) => ({
		name: `search, ${kind} text`,
		ask: () => nav.search(text),
	}));
	const uses = /** @type {const} */ (["class", "function", "method"]).map(
		(kind) => ({
			name: `whereUsed of a ${kind}, ${asked[kind]}`,
			...(suffix === WATCHED && {
				before: () => forgetReferences(nav, asked.function),
			}),
			ask: () => nav.whereUsed(asked[kind]),
		}),
	);
	const again = {
		name: `whereUsed of a method, ${asked.method}, asked again`,
		ask: () => nav.whereUsed(asked.method),
	};
	const questions = [
		{ name: "status", ask: () => nav.status() },
		...uses,
		again,
		...searches,
		{ name: `locate ${asked.function}`, ask: () => nav.locate(asked.function) },
		{ name: "identify a line", ask: () => nav.identify(file, line) },
		{
			name: `lineage of ${asked.function}, upstream`,
			ask: () => nav.lineage(asked.function, "upstream"),
		},
	];
	return questions.map((/** @type {Question} */ { name, ...question }) => ({
		name: `ragnav: ${name}${suffix}`,
		...question,
	}));
}

/**
 * Asks so many other questions that the next one finds its references anew.
 *
 * @param {Navigator} nav
 * @param {string} symbol
 */
async function forgetReferences(nav, symbol) {
	for (let number = 0; number < KEPT_QUESTIONS; number += 1)
		await nav.whereUsed(symbol, { folder: `folder-${number}` });
}

/**
 * Asserts that rows are fresh.
 *
 * @param {Question[]} questions
 */
async function checkFresh(questions) {
	for (const { name, ask } of questions) {
		const { meta } = await ask();
		if (meta.status !== "OK")
			throw new Problem(`${name} is ${meta.status}: ${meta.message}`);
	}
}
