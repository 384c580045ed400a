import {
	ASK,
	CART,
	groupOf,
	INDEX,
	PRICES,
	scenario,
	write,
} from "./words.mjs";

const ABOVE = `# note\n${PRICES}`;
const BELOW = `${PRICES}# note\n`;
const COFFEE = "def coffee():\n    return 1\n";
const BISCUIT = "def cookie():\n    return 2\n";

/** @typedef {import("../types.d.ts").Step} Step */
/** @typedef {Parameters<typeof write>[2]} How */
/**
 * @typedef {{ id: string, title: string, files: Record<string, string>, after: Record<string,
 * string>, truth: string }} Change edits that keep the size of each file
 */

/** @type {Change[]} */
const CHANGES = [
	{
		id: "name",
		title: "a function has another name of equal length",
		files: { "prices.py": PRICES, "cart.py": CART },
		after: { "prices.py": PRICES.replace("price", "prize") },
		truth:
			"def price; def prize prices.py:1; text prize prices.py:1; text price cart.py:1 cart.py:5",
	},
	{
		id: "order",
		title: "a comment moves from above a function to below it",
		files: { "prices.py": ABOVE, "cart.py": CART },
		after: { "prices.py": BELOW },
		truth:
			"def price prices.py:1; text note prices.py:3; text price prices.py:1 cart.py:1 cart.py:5",
	},
	{
		id: "call",
		title: "a call becomes a call of another name of equal length",
		files: { "prices.py": PRICES, "cart.py": CART },
		after: { "cart.py": CART.replace("price(each)", "prize(each)") },
		truth:
			"ref price ~cart.py:1; text prize cart.py:5; text price prices.py:1 cart.py:1",
	},
	{
		id: "swap",
		title: "two files of equal size change their contents",
		files: { "hot.py": COFFEE, "sweet.py": BISCUIT },
		after: { "hot.py": BISCUIT, "sweet.py": COFFEE },
		truth: "def coffee sweet.py:1; def cookie hot.py:1; text coffee sweet.py:1",
	},
];

/** @type {{ id: string, title: string, steps: (change: Change) => Step[], isIndexed?: true }[]} */
const WAYS = [
	{
		id: "in-place",
		title: "the file keeps its time",
		steps: (change) => [INDEX, ...edits(change, { keep_time: true })],
	},
	{
		id: "replaced",
		title: "another file with the same time takes the place of the file",
		steps: (change) => [
			INDEX,
			...edits(change, { keep_time: true, replace: true }),
		],
	},
	{
		id: "new-time",
		title: "the file gets the time of the edit",
		steps: (change) => [INDEX, ...edits(change, {})],
	},
	{
		id: "asked-before",
		title: "the tool has just answered, and the file keeps its time",
		steps: (change) => [INDEX, ASK, ...edits(change, { keep_time: true })],
	},
	{
		id: "indexed-again",
		title: "the file keeps its time, and the index is built again",
		steps: (change) => [INDEX, ...edits(change, { keep_time: true }), INDEX],
		isIndexed: true,
	},
];

/**
 * @param {Change} change
 * @param {How} how
 */
const edits = ({ after }, how) =>
	Object.entries(after).map(([file, text]) => write(file, text, how));

export default groupOf(
	"same-size",
	"Edits that keep the size and the time",
	CHANGES.flatMap((change) =>
		WAYS.map((way) =>
			scenario(
				`${change.id}-${way.id}`,
				`Of equal size, ${change.title}; ${way.title}`,
				way.steps(change),
				change.truth,
				{
					files: change.files,
					may_claim: way.isIndexed ? "index" : "rows",
				},
			),
		),
	),
);
