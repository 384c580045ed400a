import {
	ASK,
	CART,
	chmod,
	groupOf,
	INDEX,
	LOWER,
	LOWER_TRUTH,
	PRICES,
	remove,
	rename,
	scenario,
	symlink,
	TRUTH,
	write,
} from "./words.mjs";

const links = { needs: /** @type {["links"]} */ (["links"]) };
const guarded = { needs: /** @type {["permissions"]} */ (["permissions"]) };
const current = { may_claim: /** @type {const} */ ("index") };
const OFFER = "def offer(article):\n    return 1\n";

/**
 * @param {string} file
 * @param {string} target
 * @returns {import("../types.d.ts").Step}
 */
const hardlink = (file, target) => ({ do: "hardlink", file, target });

export default groupOf("links", "Permissions and links", [
	scenario(
		"executable",
		"A file becomes executable",
		[INDEX, chmod("prices.py", "755")],
		TRUTH,
		current,
	),
	scenario(
		"executable-edited",
		"A file becomes executable and gets a line",
		[
			INDEX,
			write("prices.py", LOWER, { keep_time: true }),
			chmod("prices.py", "755"),
		],
		LOWER_TRUTH,
	),
	scenario(
		"read-only",
		"A file becomes read-only",
		[INDEX, chmod("prices.py", "444")],
		TRUTH,
		current,
	),
	scenario(
		"read-only-replaced",
		"Another file takes the place of a read-only one",
		[
			chmod("prices.py", "444"),
			INDEX,
			write("prices.py", LOWER, { replace: true, keep_time: true }),
		],
		LOWER_TRUTH,
	),
	scenario(
		"read-only-folder",
		"A folder is read-only while a file in it is edited",
		[INDEX, chmod("shop", "555"), write("shop/prices.py", LOWER)],
		"def price shop/prices.py:2; text price shop/prices.py:2",
		{ files: { "shop/prices.py": PRICES } },
	),
	scenario(
		"unreadable",
		"A file can no longer be read; its rows are gone",
		[INDEX, chmod("prices.py", "000")],
		"def price ~prices.py:1; text price cart.py:1 cart.py:5 ~prices.py:1",
		guarded,
	),
	scenario(
		"unreadable-folder",
		"A folder can no longer be read; its rows are gone",
		[INDEX, chmod("shop", "000")],
		"def price ~shop/prices.py:1; text START main.py:1",
		{
			...guarded,
			files: { "shop/prices.py": PRICES, "main.py": "START = 1\n" },
		},
	),
	scenario(
		"readable-again",
		"A file that could not be read when it was indexed can be read",
		[chmod("prices.py", "000"), INDEX, chmod("prices.py", "644")],
		TRUTH,
		guarded,
	),
	scenario(
		"link-added",
		"A symbolic link to a file is added",
		[INDEX, symlink("alias.py", "prices.py")],
		"def price prices.py:1 ~alias.py:1; text price prices.py:1 cart.py:1 cart.py:5 ~alias.py:1",
		{ ...links, ...current },
	),
	scenario(
		"link-target-edited",
		"The target of a symbolic link is edited",
		[symlink("alias.py", "prices.py"), INDEX, write("prices.py", LOWER)],
		"def price prices.py:2 ~alias.py:2; text price prices.py:2 cart.py:1 cart.py:5 ~alias.py:2",
		links,
	),
	scenario(
		"link-edited",
		"A file is edited through a symbolic link, and keeps its time",
		[
			symlink("alias.py", "prices.py"),
			INDEX,
			write("alias.py", LOWER, { keep_time: true }),
		],
		"def price prices.py:2 ~alias.py:2; text price prices.py:2 cart.py:1 cart.py:5 ~alias.py:2",
		links,
	),
	scenario(
		"link-moved",
		"A symbolic link leads to another file",
		[
			symlink("alias.py", "prices.py"),
			INDEX,
			remove("alias.py"),
			symlink("alias.py", "offers.py"),
		],
		"def offer offers.py:1 ~alias.py:1; def price prices.py:1",
		{
			...links,
			...current,
			files: { "prices.py": PRICES, "offers.py": OFFER },
		},
	),
	scenario(
		"link-broken",
		"The target of a symbolic link is deleted",
		[symlink("alias.py", "prices.py"), INDEX, remove("prices.py")],
		"def price; text price cart.py:1 cart.py:5",
		links,
	),
	scenario(
		"link-to-folder",
		"A file behind a link to a folder is edited",
		[symlink("store", "shop"), INDEX, write("shop/prices.py", LOWER)],
		"def price shop/prices.py:2 ~store/prices.py:2; text price shop/prices.py:2 ~store/prices.py:2",
		{ ...links, files: { "shop/prices.py": PRICES } },
	),
	scenario(
		"link-in-circle",
		"A symbolic link leads to the folder that it is in",
		[INDEX, symlink("shop/again", "../shop"), write("shop/prices.py", LOWER)],
		"text START main.py:1; def price shop/prices.py:2 ~shop/again/prices.py:2",
		{ ...links, files: { "shop/prices.py": PRICES, "main.py": "START = 1\n" } },
	),
	scenario(
		"link-to-file",
		"A file takes the place of a symbolic link",
		[
			symlink("alias.py", "prices.py"),
			INDEX,
			ASK,
			remove("alias.py"),
			write("alias.py", OFFER),
		],
		`def offer alias.py:1; ${TRUTH}`,
		links,
	),
	scenario(
		"file-to-link",
		"A symbolic link takes the place of a file",
		[INDEX, remove("offers.py"), symlink("offers.py", "prices.py")],
		"def offer; def price prices.py:1 ~offers.py:1; text offer",
		{ ...links, files: { "prices.py": PRICES, "offers.py": OFFER } },
	),
	scenario(
		"hard-link-edited",
		"A file is edited through another name of it, outside of the repository",
		[
			hardlink("../outside.py", "prices.py"),
			INDEX,
			ASK,
			write("../outside.py", LOWER, { keep_time: true }),
		],
		LOWER_TRUTH,
		links,
	),
	scenario(
		"hard-link-both",
		"A file with two names in the repository is edited",
		[hardlink("same.py", "prices.py"), INDEX, write("same.py", LOWER)],
		"def price prices.py:2 same.py:2; text price prices.py:2 same.py:2 cart.py:1 cart.py:5",
		links,
	),
	scenario(
		"hard-link-parted",
		"One of two names of a file gets a file of its own",
		[
			hardlink("same.py", "prices.py"),
			INDEX,
			write("same.py", LOWER, { replace: true, keep_time: true }),
			rename("cart.py", "basket.py"),
			write("basket.py", CART),
		],
		"def price prices.py:1 same.py:2; text price prices.py:1 same.py:2 basket.py:1 basket.py:5",
		links,
	),
]);
