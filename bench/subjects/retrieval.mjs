import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pythonProgram } from "../../js/build/python.mjs";
import { output, Problem, say } from "../../js/build/run.mjs";
import { commit, standardLibrary } from "../corpus.mjs";
import { miniLm } from "../minilm.mjs";

/**
 * @typedef {{ path: string, name: string, text: string }} Pair a docstring's first paragraph, and
 * its function
 */

/** The number of pairs to query, sampled evenly. */
const ASKED = 400;
/** The number of documents that count as found. */
const RECALL_AT = 10;
/** The number of documents for the reciprocal rank. */
const LOOKED_AT = 100;

/**
 * Measures how well a function is found by its docstring, in sources without docstrings.
 *
 * @param {string} temp
 * @returns {Promise<import("../report.mjs").Group>}
 */
export async function retrieval(temp) {
	const folder = join(temp, "library-without-docstrings");
	mkdirSync(folder);
	const pairs = pairsOf(folder);
	await commit("the standard library without docstrings", folder);
	const step = Math.max(1, Math.floor(pairs.length / ASKED));
	const asked = pairs.filter((_, at) => at % step === 0);
	const byTerms = await quality(folder, asked, {});
	const embed = await miniLm();
	const byVectors = await quality(folder, asked, {
		embed,
		embedder: "all-MiniLM-L6-v2, 8 bits",
	});
	const cells = [
		cellsOf("ragnav: terms alone", byTerms),
		cellsOf("ragnav: with the vectors of all-MiniLM-L6-v2", byVectors),
	];
	return {
		id: "retrieval",
		title: "Retrieval: functions of the standard library by their docstrings",
		note:
			`${asked.length} of ${pairs.length} first paragraphs of docstrings that are of one ` +
			"function alone, asked of CPython's top-level modules with all docstrings taken out; MRR " +
			`over the first ${LOOKED_AT} documents`,
		rows: [],
		quality: {
			head: ["", "MRR", `recall@${RECALL_AT}`, "documents"],
			cells,
		},
	};
}

/**
 * @param {string} folder
 * @returns {Pair[]}
 */
function pairsOf(folder) {
	const python = pythonProgram();
	if (!python) throw new Problem("python3 is missing");
	const script = join(import.meta.dirname, "..", "docstrings.py");
	const pairs = output(python, [script, standardLibrary(), folder]);
	if (pairs === undefined)
		throw new Problem("the docstrings of the standard library cannot be read");
	return JSON.parse(pairs);
}

/**
 * @param {string} folder
 * @param {Pair[]} pairs
 * @param {import("#ragnav").Embedding} embedding
 */
async function quality(folder, pairs, embedding) {
	const { open } = await import("#ragnav");
	const { nodeHost } = await import("#ragnav/hosts/node");
	const nav = await open(nodeHost(folder), embedding);
	say(`retrieval: documents ${embedding.embedder ?? "by terms"}`);
	const built = await nav.buildGraph({ documents: true });
	if (!built.documents) throw new Problem(`${built.meta.message}`);
	const watching = await nav.watch({ build: false });
	let rank = 0;
	let recall = 0;
	for (const pair of pairs) {
		const place = await placeOf(nav, pair);
		if (place > 0) rank += 1 / place;
		if (place > 0 && place <= RECALL_AT) recall += 1;
	}
	watching.close();
	nav.close();
	return {
		rank: rank / pairs.length,
		recall: recall / pairs.length,
		documents: built.documents.documents,
	};
}

/**
 * Returns the rank of the function among the documents; 0 if it is missing.
 *
 * @param {import("#ragnav").Navigator} nav
 * @param {Pair} pair
 */
async function placeOf(nav, { path, name, text }) {
	const answer = await nav.ask("", {
		limit: LOOKED_AT,
		deduplicate: false,
		plan: {
			semantic_search_needed: true,
			semantic_query: text,
			filters: [],
			response_format: "metadata_only",
		},
	});
	if (answer.meta.status !== "OK")
		throw new Problem(`${answer.meta.status}: ${answer.meta.message}`);
	return (
		answer.items.findIndex(
			({ citation }) => citation?.path === path && citation.heading === name,
		) + 1
	);
}

/**
 * @param {string} name
 * @param {Awaited<ReturnType<typeof quality>>} found
 */
function cellsOf(name, { rank, recall, documents }) {
	return [
		name,
		rank.toFixed(3),
		recall.toFixed(3),
		documents.toLocaleString("en"),
	];
}
