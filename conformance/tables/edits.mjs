import {
	CART,
	groupOf,
	INDEX,
	LOWER,
	LOWER_TRUTH,
	PRICES,
	scenario,
	TRUTH,
	write,
} from "./words.mjs";

const PRICE_THREE =
	"ref price cart.py:5 ~cart.py:1; text price prices.py:1 cart.py:1 cart.py:5";
const COST = "def cost(article):\n    return 3\n";
const CART_OF_COST =
	"from prices import cost\n\n\ndef total(articles):\n    return sum(cost(each) for each in articles)\n";
const OFFER = "def offer(article):\n    return 1\n";
const CLASS =
	"class Shop:\n    def price(self, article):\n        return 3\n\n\nSTOCK = []\n";
const CALLS_OFFER =
	"from offers import offer\nfrom prices import price\n\n\ndef total(articles):\n    return sum(price(each) - offer(each) for each in articles)\n";

export default groupOf("edits", "Edits of text", [
	scenario("none", "Nothing changes after the index", [INDEX], TRUTH, {
		may_claim: "index",
	}),
	scenario(
		"insert-above",
		"A line above a definition moves it down",
		[INDEX, write("prices.py", LOWER)],
		LOWER_TRUTH,
	),
	scenario(
		"remove-above",
		"A removed line above a definition moves it up",
		[INDEX, write("prices.py", PRICES)],
		TRUTH,
		{ files: { "prices.py": LOWER, "cart.py": CART } },
	),
	scenario(
		"insert-above-call",
		"Two lines above a call move it down",
		[INDEX, write("cart.py", `# The cart.\n\n${CART}`)],
		"def price prices.py:1; ref price cart.py:7 ~cart.py:3; def total cart.py:6",
	),
	scenario(
		"rename-definition",
		"A definition has another name; the call does not follow yet",
		[INDEX, write("prices.py", COST)],
		"def price; def cost prices.py:1; text price cart.py:1 cart.py:5",
	),
	scenario(
		"rename-both",
		"A definition and its calls have another name",
		[INDEX, write("prices.py", COST), write("cart.py", CART_OF_COST)],
		"def price; def cost prices.py:1; ref cost cart.py:5 ~cart.py:1; text price cart.py:1",
	),
	scenario(
		"body",
		"Only the body of a function differs",
		[INDEX, write("prices.py", PRICES.replace("3", "30 + 4"))],
		`def price prices.py:1; ${PRICE_THREE}; text 30 prices.py:2`,
	),
	scenario(
		"append-definition",
		"A second definition is added below",
		[INDEX, write("prices.py", `${PRICES}\n\n${OFFER}`)],
		"def offer prices.py:5; def price prices.py:1; ref offer; text offer prices.py:5",
	),
	scenario(
		"new-file",
		"A new file defines a further function",
		[INDEX, write("offers.py", OFFER)],
		"def offer offers.py:1; def price prices.py:1; text offer offers.py:1",
	),
	scenario(
		"new-file-and-call",
		"A new file defines a function, and an old one calls it",
		[INDEX, write("offers.py", OFFER), write("cart.py", CALLS_OFFER)],
		"def offer offers.py:1; ref offer cart.py:6 ~cart.py:1; ref price cart.py:6 ~cart.py:2",
	),
	scenario(
		"remove-call",
		"The only call is removed",
		[INDEX, write("cart.py", "def total(articles):\n    return 0\n")],
		"def price prices.py:1; ref price; text price prices.py:1; def total cart.py:1",
	),
	scenario(
		"add-call",
		"A second call is added in the same function",
		[INDEX, write("cart.py", `${CART}\n\nFIRST = price("tea")\n`)],
		"ref price cart.py:5 cart.py:8 ~cart.py:1; text FIRST cart.py:8",
	),
	scenario(
		"swap-order",
		"Two functions of a file change places",
		[INDEX, write("prices.py", `${OFFER}\n\n${PRICES}`)],
		"def price prices.py:5; def offer prices.py:1; text offer prices.py:1",
		{ files: { "prices.py": `${PRICES}\n\n${OFFER}`, "cart.py": CART } },
	),
	scenario(
		"move-to-file",
		"A function moves to another file",
		[
			INDEX,
			write("offers.py", PRICES),
			write("prices.py", "STOCK = []\n"),
			write("cart.py", CART.replace("from prices", "from offers")),
		],
		"def price offers.py:1; ref price cart.py:5 ~cart.py:1; text price offers.py:1 cart.py:1 cart.py:5",
	),
	scenario(
		"comment-out",
		"A definition is turned into a comment",
		[INDEX, write("prices.py", "# def price(article):\n#     return 3\n")],
		"def price; text price prices.py:1 cart.py:1 cart.py:5",
	),
	scenario(
		"into-class",
		"A function becomes a method of a class",
		[INDEX, write("prices.py", CLASS)],
		"def price prices.py:2; def Shop prices.py:1; text price prices.py:2 cart.py:1 cart.py:5",
	),
	scenario(
		"empty",
		"The file of a definition becomes empty",
		[INDEX, write("prices.py", "")],
		"def price; text price cart.py:1 cart.py:5",
	),
	scenario(
		"far-down",
		"Four hundred lines above a definition move it far down",
		[INDEX, write("prices.py", `${"#\n".repeat(400)}${PRICES}`)],
		"def price prices.py:401; ref price cart.py:5 ~cart.py:1; text price prices.py:401 cart.py:1 cart.py:5",
	),
	scenario(
		"edit-back",
		"An edit is undone; the file has its old content and a new time",
		[INDEX, write("prices.py", LOWER), write("prices.py", PRICES)],
		TRUTH,
		{ may_claim: "index" },
	),
	scenario(
		"unfinished",
		"The last lines of a file are being typed",
		[INDEX, write("prices.py", `${LOWER}\n\ndef half(\n`)],
		"def price prices.py:2; ref price cart.py:5 ~cart.py:1; text half prices.py:6",
	),
]);
