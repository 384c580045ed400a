import {
	ASK,
	CART,
	COMMIT,
	git,
	groupOf,
	INDEX,
	LOWER,
	LOWER_TRUTH,
	PRICES,
	SHOP,
	scenario,
	TRUTH,
	write,
} from "./words.mjs";

/** @typedef {import("../types.d.ts").Step} Step */

/** @type {Step} */
const INTERRUPT = { do: "interrupt-index" };
/** @type {Step} */
const KEEP = { do: "keep-index" };
/** @type {Step} */
const RESTORE = { do: "restore-index" };
/**
 * @param {Record<string, string>} files
 * @returns {Step}
 */
const copied = (files) => ({ do: "copy-index", files });
const current = { may_claim: /** @type {const} */ ("index") };
const OFFER = "def offer(article):\n    return 1\n";

/** @type {{ how: Extract<Step, { do: "damage-index" }>["how"], title: string }[]} */
const DAMAGES = [
	{ how: "truncate", title: "Half of the bytes of the index are lost" },
	{ how: "empty", title: "The files of the index are empty" },
	{ how: "garbage", title: "Bytes in the middle of the index are overwritten" },
	{ how: "remove", title: "The index is deleted" },
];

export default groupOf("the-index", "The index itself", [
	scenario("none", "There is no index", [ASK], TRUTH),
	scenario(
		"none-edited",
		"There is no index, and a file is edited between two questions",
		[ASK, write("prices.py", LOWER, { keep_time: true })],
		LOWER_TRUTH,
	),
	scenario(
		"of-nothing",
		"The index was built before the first file",
		[INDEX, write("prices.py", PRICES), write("cart.py", CART)],
		TRUTH,
		{ files: {}, is_plain: true },
	),
	scenario(
		"built-twice",
		"The index is built, and again after an edit",
		[INDEX, write("prices.py", LOWER), INDEX],
		LOWER_TRUTH,
		current,
	),
	scenario(
		"of-older-commit",
		"The index is of the commit before",
		[
			...COMMIT,
			INDEX,
			write("prices.py", LOWER),
			git("commit -qam lower"),
			ASK,
		],
		LOWER_TRUTH,
	),
	scenario(
		"of-other-branch",
		"The index is of another branch, and what was committed there is gone",
		[
			...COMMIT,
			git("checkout -qb other"),
			write("offers.py", OFFER),
			git("add -A"),
			git("commit -qm offers"),
			INDEX,
			git("checkout -q main"),
		],
		`def offer; text offer; ${TRUTH}`,
	),
	scenario(
		"interrupted",
		"The first build is interrupted",
		[INTERRUPT],
		TRUTH,
		current,
	),
	scenario(
		"interrupted-edited",
		"The first build is interrupted, and a file is edited",
		[INTERRUPT, write("prices.py", LOWER)],
		LOWER_TRUTH,
	),
	scenario(
		"update-interrupted",
		"A build after an edit is interrupted",
		[INDEX, write("prices.py", LOWER), INTERRUPT],
		LOWER_TRUTH,
		current,
	),
	scenario(
		"interrupted-and-built",
		"A build is interrupted, and the next one is not",
		[INTERRUPT, write("prices.py", LOWER), INDEX],
		LOWER_TRUTH,
		current,
	),
	scenario(
		"copied-equal",
		"The index was copied from a repository with the same files",
		[copied(SHOP)],
		TRUTH,
		current,
	),
	scenario(
		"copied-older",
		"The index was copied from a repository with an older file",
		[write("prices.py", LOWER), copied(SHOP)],
		LOWER_TRUTH,
	),
	scenario(
		"copied-same-size",
		"The index was copied from a repository with a file of equal size and time",
		[
			copied({
				"prices.py": PRICES.replace("price", "prize"),
				"cart.py": CART,
			}),
		],
		"def price prices.py:1; def prize; text price prices.py:1 cart.py:1 cart.py:5",
	),
	scenario(
		"copied-other",
		"The index was copied from a repository with other files",
		[copied({ "offers.py": OFFER })],
		`def offer; ${TRUTH}`,
	),
	scenario(
		"restored",
		"An older index was restored from a backup",
		[INDEX, KEEP, write("prices.py", LOWER), INDEX, RESTORE],
		LOWER_TRUTH,
	),
	scenario(
		"relocated",
		"The repository moves with its index, and a file is edited",
		[INDEX, { do: "relocate", folder: "../moved" }, write("prices.py", LOWER)],
		LOWER_TRUTH,
	),
	...DAMAGES.map(({ how, title }) =>
		scenario(
			`damaged-${how}`,
			`${title}, and a file was edited`,
			[INDEX, { do: "damage-index", how }, write("prices.py", LOWER)],
			LOWER_TRUTH,
		),
	),
]);
