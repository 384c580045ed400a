import type { Commit } from "../../../core/host.js";
import { readGitHead } from "./head.js";
import { findRepository } from "./repository.js";
import { gitFailure, runGit } from "./run-git.js";

/** Begins the part of git's output that belongs to a commit. */
const COMMIT_START = "\x01";

/** The settings of a repository can make `git log` start programs; these options prevent that. */
export const NO_PROGRAMS = [
	"--no-show-signature",
	"--no-ext-diff",
	"--no-textconv",
];

/** Reads the commits of a folder's repository, and again only if HEAD has changed. */
export class HistoryReader {
	readonly #root: string;
	#head: string | null = null;
	#maxCommits = 0;
	#commits: Commit[] = [];

	constructor(root: string) {
		this.#root = root;
	}

	/**
	 * Returns the latest commits, newest first, without merges; none outside of a repository.
	 *
	 * @throws Error if git is missing or fails
	 */
	read(maxCommits: number): Commit[] {
		const { head } = readGitHead(this.#root);
		if (head === null) return [];
		if (head !== this.#head || maxCommits !== this.#maxCommits) {
			this.#commits = readCommits(this.#root, head, maxCommits);
			this.#head = head;
			this.#maxCommits = maxCommits;
		}
		return this.#commits;
	}
}

function readCommits(root: string, head: string, maxCommits: number): Commit[] {
	const repository = findRepository(root);
	if (!repository?.gitDir) return [];
	const { gitDir, down } = repository;
	const inFolder =
		down === "" ? [] : [`--relative=${down}/`, "--", `:(top,literal)${down}`];
	const args = [
		"log",
		`--max-count=${maxCommits}`,
		"--no-merges",
		"--no-renames",
		"--no-follow",
		"--ignore-submodules=all",
		...NO_PROGRAMS,
		"--name-only",
		"-z",
		"--format=format:%x01",
		head,
		...inFolder,
	];
	try {
		return parseCommits(runGit(gitDir, args));
	} catch (error) {
		throw new Error(`Cannot read the history: ${gitFailure(error)}`, {
			cause: error,
		});
	}
}

/** Parses the output: for each commit a line with its start, then its paths, each with a NUL. */
function parseCommits(output: string): Commit[] {
	const [, ...commits] = output.split(COMMIT_START);
	return commits.map((commit) => ({
		files: commit.replace(/^\n/, "").split("\0").filter(Boolean),
	}));
}
