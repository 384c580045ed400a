import {
	ASK,
	buffer,
	CART,
	COMMIT,
	closeBuffer,
	git,
	groupOf,
	INDEX,
	LOWER,
	LOWER_TRUTH,
	PRICES,
	remove,
	scenario,
	TRUTH,
	write,
} from "./words.mjs";

/** @typedef {Partial<Pick<import("../types.d.ts").Scenario, "files" | "may_claim">>} More */

const COST = "def cost(article):\n    return 3\n";
const OFFER = "def offer(article):\n    return 1\n";
const LOWEST = `\n\n\n\n${PRICES}`;
const LOWEST_TRUTH = LOWER_TRUTH.replaceAll("prices.py:2", "prices.py:5");
const current = { may_claim: /** @type {const} */ ("index") };

/**
 * @param {string} id
 * @param {string} title
 * @param {import("../types.d.ts").Step[]} steps
 * @param {string} truth
 * @param {More} [more]
 */
const unsaved = (id, title, steps, truth, more = {}) =>
	scenario(id, title, steps, truth, { ...more, needs: ["buffers"] });

export default groupOf("buffers", "Unsaved buffers of an editor", [
	unsaved(
		"insert-above",
		"A line is typed above a definition",
		[INDEX, buffer("prices.py", LOWER)],
		LOWER_TRUTH,
	),
	unsaved(
		"same-size",
		"A name of equal length is typed",
		[INDEX, buffer("prices.py", PRICES.replace("price", "prize"))],
		"def price; def prize prices.py:1; text prize prices.py:1",
	),
	unsaved(
		"equal",
		"A buffer has the text of its file",
		[INDEX, buffer("prices.py", PRICES)],
		TRUTH,
		current,
	),
	unsaved(
		"typed-twice",
		"A buffer changes twice",
		[INDEX, buffer("prices.py", LOWER), ASK, buffer("prices.py", LOWEST)],
		LOWEST_TRUTH,
	),
	unsaved(
		"typed-back",
		"A buffer has the text of its file again",
		[INDEX, buffer("prices.py", LOWER), ASK, buffer("prices.py", PRICES)],
		TRUTH,
		current,
	),
	unsaved(
		"closed",
		"A buffer is closed without saving",
		[INDEX, buffer("prices.py", LOWER), ASK, closeBuffer("prices.py")],
		TRUTH,
		current,
	),
	unsaved(
		"saved",
		"A buffer is saved and stays open",
		[INDEX, buffer("prices.py", LOWER), ASK, write("prices.py", LOWER)],
		LOWER_TRUTH,
	),
	unsaved(
		"saved-and-closed",
		"A buffer is saved and closed",
		[
			INDEX,
			buffer("prices.py", LOWER),
			ASK,
			write("prices.py", LOWER),
			closeBuffer("prices.py"),
		],
		LOWER_TRUTH,
	),
	unsaved(
		"file-edited-below",
		"Another program edits the file of an open buffer",
		[INDEX, buffer("prices.py", LOWER), write("prices.py", LOWEST)],
		LOWER_TRUTH,
	),
	unsaved(
		"file-deleted-below",
		"Another program deletes the file of an open buffer",
		[INDEX, buffer("prices.py", LOWER), remove("prices.py")],
		LOWER_TRUTH,
	),
	unsaved(
		"new-file",
		"A buffer has no file yet",
		[INDEX, buffer("offers.py", OFFER)],
		`def offer offers.py:1; text offer offers.py:1; ${TRUTH}`,
	),
	unsaved(
		"new-file-closed",
		"A buffer without a file is closed",
		[INDEX, buffer("offers.py", OFFER), ASK, closeBuffer("offers.py")],
		`def offer; text offer; ${TRUTH}`,
		current,
	),
	unsaved(
		"empty",
		"A buffer is empty, and its file is not",
		[INDEX, buffer("prices.py", "")],
		"def price; text price cart.py:1 cart.py:5",
	),
	unsaved(
		"unfinished",
		"The last lines of a buffer are being typed",
		[INDEX, buffer("prices.py", `${LOWER}\n\ndef half(\n`)],
		"def price prices.py:2; text half prices.py:6",
	),
	unsaved(
		"call",
		"A call is typed in another file than the definition",
		[INDEX, buffer("cart.py", `${CART}\n\nFIRST = price("tea")\n`)],
		"ref price cart.py:5 cart.py:8 ~cart.py:1; text FIRST cart.py:8",
	),
	unsaved(
		"two",
		"Two buffers have another name for a function",
		[
			INDEX,
			buffer("prices.py", COST),
			buffer(
				"cart.py",
				"from prices import cost\n\n\ndef total(articles):\n    return sum(cost(each) for each in articles)\n",
			),
		],
		"def price; def cost prices.py:1; ref cost cart.py:5 ~cart.py:1; text price cart.py:1",
	),
	unsaved(
		"indexed-meanwhile",
		"The index is built while a buffer is unsaved, which is then closed",
		[buffer("prices.py", LOWER), INDEX, closeBuffer("prices.py")],
		TRUTH,
		current,
	),
	unsaved(
		"checkout-below",
		"Git checks out another version below a buffer",
		[
			...COMMIT,
			git("checkout -qb other"),
			write("prices.py", LOWEST),
			git("commit -qam lowest"),
			git("checkout -q main"),
			INDEX,
			buffer("prices.py", LOWER),
			git("checkout -q other"),
		],
		LOWER_TRUTH,
	),
	unsaved(
		"line-ends",
		"A buffer has other line ends than its file",
		[INDEX, buffer("prices.py", LOWER.replaceAll("\n", "\r\n"))],
		LOWER_TRUTH,
	),
	unsaved(
		"without-index",
		"There is no index, and a line is typed",
		[ASK, buffer("prices.py", LOWER)],
		LOWER_TRUTH,
	),
]);
