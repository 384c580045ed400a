import {
	CART,
	COMMIT,
	git,
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

const current = { may_claim: /** @type {const} */ ("index") };
const LIBRARY = "def offer(article):\n    return 1\n";
const LOWER_LIBRARY = `# Offers of the week.\n${LIBRARY}`;
const library = { in: "../library" };

/** A repository beside this one, with two commits, as the submodule `lib`. */
const SUBMODULE = [
	...COMMIT,
	write("../library/offers.py", LIBRARY),
	git("init", library),
	git("add -A", library),
	git("commit -qm first", library),
	git("submodule --quiet add ../library lib"),
	git("commit -qm library"),
];
const MOVED_SUBMODULE = [
	...SUBMODULE,
	write("lib/offers.py", LOWER_LIBRARY),
	git("commit -qam lower", { in: "lib" }),
];
const FOLDERS = { "shop/prices.py": PRICES, "tools/run.py": "START = 1\n" };
const SPARSE = [
	git("init"),
	git("add -A"),
	git("commit -qm first"),
	git("sparse-checkout set --cone shop"),
];
/** @param {string} folder */
const enter = (folder) => ({ do: /** @type {const} */ ("enter"), folder });

export default groupOf("git-structures", "Submodules, worktrees and others", [
	scenario(
		"no-git",
		"A folder without git is edited",
		[INDEX, write("prices.py", LOWER)],
		LOWER_TRUTH,
		{ is_plain: true },
	),
	scenario(
		"init-later",
		"A folder becomes a repository after the index",
		[INDEX, ...COMMIT],
		TRUTH,
		{ ...current, is_plain: true },
	),
	scenario(
		"git-removed",
		"The folder of git is deleted, and a file is edited",
		[...COMMIT, INDEX, remove(".git"), write("prices.py", LOWER)],
		LOWER_TRUTH,
	),
	scenario(
		"unborn",
		"The branch has no commit yet, and a file is edited",
		[git("init"), INDEX, write("prices.py", LOWER)],
		LOWER_TRUTH,
	),
	scenario(
		"orphan",
		"A branch without commits is checked out; the files stay",
		[...COMMIT, INDEX, git("checkout -q --orphan empty")],
		TRUTH,
		current,
	),
	scenario(
		"packed",
		"Git packs its references and objects",
		[...COMMIT, INDEX, git("pack-refs --all"), git("gc -q")],
		TRUTH,
		current,
	),
	scenario(
		"packed-and-edited",
		"Git packs its references, and a file is edited",
		[...COMMIT, INDEX, git("pack-refs --all"), write("prices.py", LOWER)],
		LOWER_TRUTH,
	),
	scenario(
		"assume-unchanged",
		"Git is told not to look at a file, which is edited",
		[
			...COMMIT,
			git("update-index --assume-unchanged prices.py"),
			INDEX,
			write("prices.py", LOWER),
		],
		LOWER_TRUTH,
	),
	scenario(
		"skip-worktree",
		"Git is told to leave a file out, which is edited",
		[
			...COMMIT,
			git("update-index --skip-worktree prices.py"),
			INDEX,
			write("prices.py", LOWER, { keep_time: true }),
		],
		LOWER_TRUTH,
	),
	scenario(
		"separate-folder",
		"The folder of git is elsewhere, and a branch is checked out",
		[
			git("init --separate-git-dir ../metadata"),
			git("add -A"),
			git("commit -qm first"),
			git("checkout -qb other"),
			write("prices.py", LOWER),
			git("commit -qam lower"),
			INDEX,
			git("checkout -q main"),
		],
		TRUTH,
	),
	scenario(
		"submodule-added",
		"A submodule is added after the index",
		[...COMMIT, INDEX, ...SUBMODULE.slice(COMMIT.length)],
		"def offer lib/offers.py:1; text offer lib/offers.py:1; def price prices.py:1",
	),
	scenario(
		"submodule-edited",
		"A file of a submodule is edited",
		[...SUBMODULE, INDEX, write("lib/offers.py", LOWER_LIBRARY)],
		"def offer lib/offers.py:2; text offer lib/offers.py:2",
	),
	scenario(
		"submodule-moved",
		"A submodule goes back to the commit that its repository names",
		[...MOVED_SUBMODULE, INDEX, git("submodule --quiet update lib")],
		"def offer lib/offers.py:1; text offer lib/offers.py:1",
	),
	scenario(
		"submodule-removed",
		"The files of a submodule are removed",
		[...SUBMODULE, INDEX, git("submodule --quiet deinit -f lib")],
		"def offer; text offer; def price prices.py:1",
	),
	scenario(
		"worktree",
		"A second worktree of another commit is opened; the first one is indexed",
		[
			...COMMIT,
			git("branch old"),
			write("prices.py", LOWER),
			git("commit -qam lower"),
			INDEX,
			git("worktree add -q ../second old"),
			enter("../second"),
		],
		TRUTH,
	),
	scenario(
		"worktree-edited",
		"A second worktree is indexed and edited",
		[
			...COMMIT,
			git("worktree add -q ../second -b other"),
			enter("../second"),
			INDEX,
			write("prices.py", LOWER),
		],
		LOWER_TRUTH,
	),
	scenario(
		"worktree-beside",
		"A commit in a second worktree changes nothing in the first one",
		[
			...COMMIT,
			git("worktree add -q ../second -b other"),
			INDEX,
			write("../second/prices.py", LOWER),
			git("commit -qam lower", { in: "../second" }),
		],
		TRUTH,
		current,
	),
	scenario(
		"sparse",
		"A sparse checkout removes a folder",
		[...SPARSE.slice(0, 3), INDEX, git("sparse-checkout set --cone tools")],
		"def price; text price; text START tools/run.py:1",
		{ files: FOLDERS },
	),
	scenario(
		"sparse-disabled",
		"A sparse checkout becomes a full one",
		[...SPARSE, INDEX, git("sparse-checkout disable")],
		"def price shop/prices.py:1; text START tools/run.py:1",
		{ files: FOLDERS },
	),
	scenario(
		"nested",
		"A repository inside of this one moves to another branch",
		[
			...COMMIT,
			write("inner/offers.py", LIBRARY),
			git("init", { in: "inner" }),
			git("add -A", { in: "inner" }),
			git("commit -qm first", { in: "inner" }),
			INDEX,
			git("mv offers.py deals.py", { in: "inner" }),
			rename("cart.py", "basket.py"),
			write("basket.py", CART),
		],
		"def offer inner/deals.py:1; ref price basket.py:5 ~basket.py:1; text offer inner/deals.py:1",
	),
]);
