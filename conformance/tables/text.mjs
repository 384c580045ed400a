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

/** @param {string} text */
const crlf = (text) => text.replaceAll("\n", "\r\n");
const MARK = "\u{feff}";
const LATIN = "# -*- coding: latin-1 -*-\n# Préis\n";
const SPACES = "def price(article): \n    return 3 \n";
const UTF_16 = /** @type {const} */ ({ encoding: "utf-16le" });
const LATIN_1 = /** @type {const} */ ({ encoding: "latin1" });
const SIZE = "def größe(article):\n    return 5\n";

export default groupOf("text", "Line ends and encodings", [
	scenario(
		"to-crlf",
		"The line ends of a file become CRLF",
		[INDEX, write("prices.py", crlf(PRICES))],
		TRUTH,
	),
	scenario(
		"to-crlf-lower",
		"The line ends of a file become CRLF, and a line is added",
		[INDEX, write("prices.py", crlf(LOWER))],
		LOWER_TRUTH,
	),
	scenario(
		"to-lf",
		"The line ends of a file become LF, and a line is added",
		[INDEX, write("prices.py", LOWER)],
		LOWER_TRUTH,
		{ files: { "prices.py": crlf(PRICES), "cart.py": crlf(CART) } },
	),
	scenario(
		"crlf-of-equal-size",
		"Spaces at line ends become carriage returns; size and time stay",
		[INDEX, write("prices.py", crlf(PRICES), { keep_time: true })],
		TRUTH,
		{ files: { "prices.py": SPACES, "cart.py": CART } },
	),
	scenario(
		"mixed",
		"One line has another end than the others",
		[INDEX, write("prices.py", LOWER.replace("\n", "\r\n"))],
		LOWER_TRUTH,
	),
	scenario(
		"all-crlf",
		"All files get CRLF",
		[
			INDEX,
			write("prices.py", crlf(LOWER)),
			write("cart.py", crlf(`\n${CART}`)),
		],
		"def price prices.py:2; ref price cart.py:6 ~cart.py:2; text price prices.py:2 cart.py:2 cart.py:6",
	),
	scenario(
		"mark-added",
		"A file gets a byte order mark and a line",
		[INDEX, write("prices.py", MARK + LOWER)],
		LOWER_TRUTH,
	),
	scenario(
		"mark-removed",
		"A file loses its byte order mark and gets a line",
		[INDEX, write("prices.py", LOWER)],
		LOWER_TRUTH,
		{ files: { "prices.py": MARK + PRICES, "cart.py": CART } },
	),
	scenario(
		"to-utf-16",
		"A text becomes UTF-16",
		[INDEX, write("notes.txt", `${MARK}first\nthe price list\n`, UTF_16)],
		"text list notes.txt:2; text price prices.py:1 cart.py:1 cart.py:5 notes.txt:2",
		{ files: { "prices.py": PRICES, "cart.py": CART, "notes.txt": "price\n" } },
	),
	scenario(
		"from-utf-16",
		"A text of UTF-16 becomes UTF-8",
		[
			write("notes.txt", `${MARK}price\n`, UTF_16),
			INDEX,
			write("notes.txt", "first\nthe price list\n"),
		],
		"text list notes.txt:2; text price prices.py:1 cart.py:1 cart.py:5 notes.txt:2",
	),
	scenario(
		"to-latin-1",
		"A file becomes Latin-1, and says so in its first line",
		[INDEX, write("prices.py", LATIN + PRICES, LATIN_1)],
		"def price prices.py:3; ref price cart.py:5 ~cart.py:1; text price prices.py:3 cart.py:1 cart.py:5",
	),
	scenario(
		"from-latin-1",
		"A file of Latin-1 becomes UTF-8, with a line less",
		[
			write("prices.py", LATIN + PRICES, LATIN_1),
			INDEX,
			write("prices.py", LOWER),
		],
		LOWER_TRUTH,
	),
	scenario(
		"no-last-end",
		"The last line loses its end",
		[INDEX, write("prices.py", LOWER.trimEnd())],
		LOWER_TRUTH,
	),
	scenario(
		"last-end",
		"The last line gets its end, and another one follows",
		[INDEX, write("prices.py", `${PRICES}\n\nlast = price("tea")\n`)],
		"def price prices.py:1; ref price cart.py:5 prices.py:5 ~cart.py:1; text last prices.py:5",
		{ files: { "prices.py": PRICES.trimEnd(), "cart.py": CART } },
	),
	scenario(
		"blank-lines",
		"Only blank lines are added",
		[INDEX, write("prices.py", `\n\n\n${PRICES}`)],
		"def price prices.py:4; ref price cart.py:5 ~cart.py:1; text price prices.py:4 cart.py:1 cart.py:5",
	),
	scenario(
		"tabs",
		"Spaces become tabs",
		[INDEX, write("prices.py", LOWER.replaceAll("    ", "\t"))],
		LOWER_TRUTH,
	),
	scenario(
		"beyond-ascii",
		"A comment with letters, signs and emoji is added above",
		[INDEX, write("prices.py", `# Größe 値段 😀\n${PRICES}`)],
		`${LOWER_TRUTH}; text 値段 prices.py:1`,
	),
	scenario(
		"beyond-ascii-name",
		"A function gets a name beyond ASCII",
		[INDEX, write("prices.py", SIZE)],
		"def größe prices.py:1; def price; text größe prices.py:1",
	),
	scenario(
		"beyond-ascii-file",
		"A file gets a name beyond ASCII",
		[INDEX, write("größe.py", "def offer(article):\n    return 1\n")],
		`def offer größe.py:1; ${TRUTH}`,
	),
	scenario(
		"spaces-in-name",
		"A file gets a name with spaces",
		[
			INDEX,
			write("my shop/the offers.py", "def offer(article):\n    return 1\n"),
		],
		`def offer my%20shop/the%20offers.py:1; ${TRUTH}`,
	),
]);
