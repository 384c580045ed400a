import {
	ASK,
	CART,
	groupOf,
	INDEX,
	LOWER,
	LOWER_TRUTH,
	PRICES,
	remove,
	rename,
	scenario,
	TRUTH,
	write,
} from "./words.mjs";

const COST = "def cost(article):\n    return 4\n";
const FOLDERS = { "shop/prices.py": PRICES, "main.py": "START = 1\n" };
const PAIR = { "prices.py": PRICES, "costs.py": COST };

export default groupOf("renames", "Renamed, moved and deleted files", [
	scenario(
		"rename",
		"The file of a definition has another name",
		[INDEX, rename("prices.py", "costs.py")],
		"def price costs.py:1; text price costs.py:1 cart.py:1 cart.py:5",
	),
	scenario(
		"rename-and-import",
		"The file of a definition has another name, and the import follows",
		[
			INDEX,
			rename("prices.py", "costs.py"),
			write("cart.py", CART.replace("from prices", "from costs")),
		],
		"def price costs.py:1; ref price cart.py:5 ~cart.py:1; text price costs.py:1 cart.py:1 cart.py:5",
	),
	scenario(
		"rename-and-edit",
		"A file has another name and a line more",
		[INDEX, rename("prices.py", "costs.py"), write("costs.py", LOWER)],
		"def price costs.py:2; text price costs.py:2 cart.py:1 cart.py:5",
	),
	scenario(
		"rename-back",
		"A file has another name and then its old one",
		[
			INDEX,
			rename("prices.py", "costs.py"),
			ASK,
			rename("costs.py", "prices.py"),
		],
		TRUTH,
		{ may_claim: "index" },
	),
	scenario(
		"swap",
		"Two files change their names",
		[
			INDEX,
			rename("prices.py", "third.py"),
			rename("costs.py", "prices.py"),
			rename("third.py", "costs.py"),
		],
		"def price costs.py:1; def cost prices.py:1; text cost prices.py:1",
		{ files: PAIR },
	),
	scenario(
		"rename-over",
		"A file takes the place of another one",
		[INDEX, rename("costs.py", "prices.py")],
		"def cost prices.py:1; def price; text cost prices.py:1; text price",
		{ files: PAIR },
	),
	scenario(
		"case-only",
		"The name of a file differs in case only",
		[INDEX, rename("prices.py", "Prices.py")],
		"def price Prices.py:1; text price Prices.py:1 cart.py:1 cart.py:5",
	),
	scenario(
		"case-only-folder",
		"The name of a folder differs in case only",
		[INDEX, rename("shop", "Shop")],
		"def price Shop/prices.py:1; text price Shop/prices.py:1",
		{ files: FOLDERS },
	),
	scenario(
		"case-only-edit",
		"The name of a file differs in case only, and a line is added",
		[INDEX, rename("prices.py", "Prices.py"), write("Prices.py", LOWER)],
		"def price Prices.py:2; text price Prices.py:2 cart.py:1 cart.py:5",
	),
	scenario(
		"into-folder",
		"A file moves into a new folder",
		[INDEX, rename("prices.py", "shop/prices.py")],
		"def price shop/prices.py:1; text price shop/prices.py:1 cart.py:1 cart.py:5",
	),
	scenario(
		"rename-folder",
		"A folder has another name",
		[INDEX, rename("shop", "store")],
		"def price store/prices.py:1; text price store/prices.py:1",
		{ files: FOLDERS },
	),
	scenario(
		"extension",
		"A file of code becomes one of plain text",
		[INDEX, rename("prices.py", "prices.txt")],
		"def price; text price prices.txt:1 cart.py:1 cart.py:5",
	),
	scenario(
		"delete-definition",
		"The file of a definition is deleted",
		[INDEX, remove("prices.py")],
		"def price; text price cart.py:1 cart.py:5",
	),
	scenario(
		"delete-call",
		"The file of the only call is deleted",
		[INDEX, remove("cart.py")],
		"def price prices.py:1; ref price; def total; text price prices.py:1",
	),
	scenario(
		"delete-folder",
		"A folder is deleted",
		[INDEX, remove("shop")],
		"def price; text price; text START main.py:1",
		{ files: FOLDERS },
	),
	scenario(
		"delete-all",
		"All files are deleted",
		[INDEX, remove("prices.py"), remove("cart.py")],
		"def price; ref price; text price",
	),
	scenario(
		"recreate",
		"A file is deleted and written again, as it was",
		[INDEX, remove("prices.py"), ASK, write("prices.py", PRICES)],
		TRUTH,
		{ may_claim: "index" },
	),
	scenario(
		"recreate-other",
		"A file is deleted and written again with a line more",
		[INDEX, remove("prices.py"), ASK, write("prices.py", LOWER)],
		LOWER_TRUTH,
	),
	scenario(
		"file-to-folder",
		"A folder takes the place of a file",
		[INDEX, remove("prices.py"), write("prices.py/all.py", LOWER)],
		"def price prices.py/all.py:2; text price prices.py/all.py:2 cart.py:1 cart.py:5",
	),
	scenario(
		"folder-to-file",
		"A file takes the place of a folder",
		[INDEX, remove("shop"), write("shop", "price list\n")],
		"def price; text price shop:1",
		{ files: FOLDERS },
	),
]);
