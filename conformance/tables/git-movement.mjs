import {
	ASK,
	COMMIT,
	git,
	groupOf,
	INDEX,
	LOWER,
	LOWER_TRUTH,
	PRICES,
	scenario,
	TRUTH,
	write,
} from "./words.mjs";

/** The branch `other` has one line more above the definition; `main` is checked out. */
const BRANCHES = [
	...COMMIT,
	git("checkout -qb other"),
	write("prices.py", LOWER),
	git("commit -qam lower"),
	git("checkout -q main"),
];
/** `main` has a commit of its own, which the branch `other` does not have. */
const DIVERGED = [
	...BRANCHES,
	write("offers.py", "def offer(article):\n    return 1\n"),
	git("add -A"),
	git("commit -qm offers"),
];
const CONFLICT = [
	...BRANCHES,
	write("prices.py", PRICES.replace("def", "# Prices are in euros.\ndef")),
	git("commit -qam euros"),
];
const OFFER = "def offer offers.py:1";
const current = { may_claim: /** @type {const} */ ("index") };

export default groupOf("git-movement", "Movements of git", [
	scenario(
		"checkout",
		"Another branch is checked out",
		[...BRANCHES, INDEX, git("checkout -q other")],
		LOWER_TRUTH,
	),
	scenario(
		"checkout-and-back",
		"Another branch is checked out, and then the first one again",
		[
			...BRANCHES,
			INDEX,
			git("checkout -q other"),
			ASK,
			git("checkout -q main"),
		],
		TRUTH,
		current,
	),
	scenario(
		"checkout-equal",
		"A branch with the same files is checked out",
		[...COMMIT, INDEX, git("checkout -qb same")],
		TRUTH,
		current,
	),
	scenario(
		"checkout-file",
		"One file is checked out of another branch",
		[...BRANCHES, INDEX, git("checkout -q other -- prices.py")],
		LOWER_TRUTH,
	),
	scenario(
		"detached",
		"The commit before is checked out",
		[...BRANCHES, git("checkout -q other"), INDEX, git("checkout -q HEAD~1")],
		TRUTH,
	),
	scenario(
		"commit",
		"What was indexed is committed",
		[...COMMIT, write("prices.py", LOWER), INDEX, git("commit -qam lower")],
		LOWER_TRUTH,
		current,
	),
	scenario(
		"edit-and-commit",
		"An edit after the index is committed",
		[...COMMIT, INDEX, write("prices.py", LOWER), git("commit -qam lower")],
		LOWER_TRUTH,
	),
	scenario(
		"amend",
		"The last commit is changed together with its file",
		[
			...COMMIT,
			INDEX,
			write("prices.py", LOWER),
			git("commit -qa --amend --no-edit"),
		],
		LOWER_TRUTH,
	),
	scenario(
		"stash",
		"An edit that was indexed is put on the stash",
		[...COMMIT, write("prices.py", LOWER), INDEX, git("stash -q")],
		TRUTH,
	),
	scenario(
		"stash-pop",
		"An edit comes back from the stash",
		[
			...COMMIT,
			write("prices.py", LOWER),
			git("stash -q"),
			INDEX,
			git("stash pop -q"),
		],
		LOWER_TRUTH,
	),
	scenario(
		"merge",
		"A branch is merged",
		[...DIVERGED, INDEX, git("merge -q --no-edit other")],
		`${LOWER_TRUTH}; ${OFFER}`,
	),
	scenario(
		"merge-fast-forward",
		"A branch is merged without a commit of its own",
		[...BRANCHES, INDEX, git("merge -q --ff-only other")],
		LOWER_TRUTH,
	),
	scenario(
		"merge-conflict",
		"A merge stops at a conflict, with marks in the file",
		[...CONFLICT, INDEX, git("merge -q other", { fails: true })],
		"def price prices.py:6; text price prices.py:6 cart.py:1 cart.py:5",
	),
	scenario(
		"rebase",
		"A branch is put on top of another one",
		[...DIVERGED, git("checkout -q other"), INDEX, git("rebase -q main")],
		`${LOWER_TRUTH}; ${OFFER}`,
	),
	scenario(
		"reset-hard",
		"A commit is dropped with its files",
		[
			...BRANCHES,
			git("checkout -q other"),
			INDEX,
			git("reset -q --hard HEAD~1"),
		],
		TRUTH,
	),
	scenario(
		"reset-soft",
		"A commit is dropped, and the files stay",
		[
			...BRANCHES,
			git("checkout -q other"),
			INDEX,
			git("reset -q --soft HEAD~1"),
		],
		LOWER_TRUTH,
		current,
	),
	scenario(
		"revert",
		"A commit is reverted by another one",
		[
			...BRANCHES,
			git("checkout -q other"),
			INDEX,
			git("revert --no-edit HEAD"),
		],
		TRUTH,
	),
	scenario(
		"cherry-pick",
		"A commit of another branch is picked",
		[...DIVERGED, INDEX, git("cherry-pick other")],
		`${LOWER_TRUTH}; ${OFFER}`,
	),
	scenario(
		"mv",
		"Git renames a file",
		[...COMMIT, INDEX, git("mv prices.py costs.py"), git("commit -qm renamed")],
		"def price costs.py:1; text price costs.py:1 cart.py:1 cart.py:5",
	),
	scenario(
		"clean",
		"Git deletes a file that it does not know",
		[
			...COMMIT,
			write("offers.py", "def offer(article):\n    return 1\n"),
			INDEX,
			git("clean -qfd"),
		],
		`${TRUTH}; def offer; text offer`,
	),
]);
