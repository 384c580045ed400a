import type {
	ChangedFile,
	CommitChanges,
	CommitsBetweenRequest,
} from "../../../core/host.js";
import {
	commitId,
	differing,
	FILE_MODES,
	reporting,
	requireRepository,
	treeOf,
} from "./commits.js";
import { NO_PROGRAMS } from "./history.js";
import { runGit } from "./run-git.js";

/** Begins the part of git's output that belongs to a commit. */
const COMMIT_START = "\x01";

/**
 * Returns the commits after one up to another along first parents, oldest first, each with the files
 * that it changes. If the first lies on a merged branch, the commit after it is the one that the
 * branch was merged by, with all that differs. Returns `null` if there is no such commit, or if there
 * are too many.
 *
 * @throws Error outside of a repository, and if git is missing or fails
 */
export function commitsBetween(
	root: string,
	{ from, to, max_commits }: CommitsBetweenRequest,
): CommitChanges[] | null {
	const { gitDir, down } = requireRepository(root);
	return reporting(() => {
		const first = commitId(gitDir, from);
		const last = commitId(gitDir, to);
		if (first === null || last === null) return null;
		if (first === last) return [];
		const ids = commitsAfter(gitDir, first, last);
		if (ids.length > max_commits) return null;
		const between = (before: string, after: string): CommitChanges => {
			const [old, now] = [before, after].map((id) => treeOf(gitDir, id, down));
			return { id: after, files: old && now ? differing(old, now) : [] };
		};
		const oldest = ids[0];
		// The first may not be an ancestor of the last.
		if (oldest === undefined) return [between(first, last)];
		if (oldest.parent === first)
			return logOf(gitDir, down, `${first}..${last}`);
		const later = logOf(gitDir, down, `${oldest.id}..${last}`);
		return [between(first, oldest.id), ...later];
	});
}

/**
 * Returns the commits after one along the first parents of another, oldest first, with the parent of
 * each.
 */
function commitsAfter(gitDir: string, first: string, last: string) {
	const range = `${first}..${last}`;
	const list = (...flags: string[]) =>
		runGit(gitDir, ["rev-list", ...flags, range])
			.split("\n")
			.filter(Boolean);
	const after = new Set(list("--ancestry-path"));
	const commits = list("--first-parent", "--parents")
		.reverse()
		.map((line) => {
			const [id = "", parent] = line.split(" ");
			return { id, parent };
		});
	return commits.filter(({ id }) => after.has(id));
}

function logOf(gitDir: string, down: string, range: string): CommitChanges[] {
	const inFolder =
		down === "" ? [] : [`--relative=${down}/`, "--", `:(top,literal)${down}`];
	const args = [
		"log",
		"--first-parent",
		"-m",
		"--reverse",
		"--raw",
		"--no-abbrev",
		"--no-renames",
		"--ignore-submodules=all",
		...NO_PROGRAMS,
		"-z",
		"--format=format:%x01%H",
		range,
		...inFolder,
	];
	const [, ...commits] = runGit(gitDir, args).split(COMMIT_START);
	return commits.map(parseCommit);
}

/** Parses an id, a line break, and `:MODES IDS STATUS` and the path of each file, each with a NUL. */
function parseCommit(text: string): CommitChanges {
	const [head = "", ...rest] = text.split("\n");
	const parts = rest.join("\n").split("\0");
	const files: ChangedFile[] = [];
	for (let at = 0; parts[at]?.startsWith(":"); at += 2) {
		const [about = "", path = ""] = parts.slice(at, at + 2);
		const [oldMode = "", newMode = "", before = "", after = ""] = about
			.replace(/^:/, "")
			.split(" ");
		const file = (mode: string, id: string) =>
			FILE_MODES.has(mode) ? id : null;
		files.push({
			path,
			before: file(oldMode, before),
			after: file(newMode, after),
		});
	}
	return { id: head.replace(/\0+$/, ""), files };
}
