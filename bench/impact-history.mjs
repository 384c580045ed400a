/**
 * Compares the symbols that `impact` returns for the commits of a real history with those that
 * CPython's parser finds on both sides: `npm run impact-history -- CLONE…`. With `--write` it writes
 * `bench/REPORT-impact.md`.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { build } from "../js/build/build.mjs";
import { inRoot } from "../js/build/paths.mjs";
import { asProgram, output, Problem, say } from "../js/build/run.mjs";
import { loadPackage } from "./navigator.mjs";
import { table } from "./table.mjs";

/** Commits that are compared, each with the one before. */
const COMMITS = Number(process.env.RAGNAV_COMMITS ?? 200);

/** @typedef {Record<string, [head: string, body: string][]>} Definitions */

/**
 * A symbol by its file and its name in it, with what differs.
 *
 * @typedef {Map<string, string>} Changes
 */

/** @typedef {{ right: number, missing: string[], wrong: string[] }} Score */

await asProgram(async () => {
	const flags = new Set(process.argv.slice(2));
	const isWritten = flags.delete("--write");
	const clones = [...flags];
	if (clones.length === 0) {
		throw new Problem("Name clones of repositories with their history.");
	}
	await build();
	const rows = [];
	for (const clone of clones) {
		const commits = commitsOf(clone);
		const { right, missing, wrong } = await scoreOf(clone, commits);
		const counts = [commits, missing, wrong].map(({ length }) => length);
		const [all, ...others] = counts.map(String);
		rows.push([basename(clone), all ?? "", String(right), ...others]);
		for (const line of [...missing, ...wrong].slice(0, 40)) say(line);
	}
	const head = ["repository", "commits", "right", "missing", "wrong"];
	const report = table(head, rows);
	say(report);
	if (isWritten) {
		writeFileSync(inRoot("bench", "REPORT-impact.md"), page(report));
	}
});

/**
 * Compares each commit with the one before.
 *
 * @param {string} clone
 * @param {string[]} commits
 */
async function scoreOf(clone, commits) {
	const { open, nodeHost } = await loadPackage();
	const nav = await open(nodeHost(resolve(clone)));
	/** @type {Score} */
	const score = { right: 0, missing: [], wrong: [] };
	for (const to of commits) {
		const options = { from: `${to}~1`, to, limit: 10_000 };
		const { meta, items } = await nav.impact(options);
		if (meta.status === "ERROR") throw new Problem(`${to}: ${meta.message}`);
		compare(score, to, truthOf(clone, to), found(items));
	}
	nav.close();
	return score;
}

/**
 * Returns the last commits that change a Python file and have one parent.
 *
 * @param {string} clone
 */
function commitsOf(clone) {
	const flags = ["--no-merges", `--max-count=${COMMITS}`, "--format=%H"];
	const listed = git(clone, ["log", ...flags, "HEAD", "--", "*.py"]);
	return listed.split("\n").filter(Boolean);
}

/**
 * @param {string} clone
 * @param {string[]} args
 */
function git(clone, args) {
	const text = output("git", ["-C", clone, ...args]);
	if (text === undefined) throw new Problem(`git ${args.join(" ")} failed`);
	return text;
}

/**
 * Returns how the symbols of the changed files differ, by CPython. Names are compared within a file,
 * so a symbol that moved or has another name is one that was removed and one that was added.
 *
 * @param {string} clone
 * @param {string} commit
 * @returns {Changes}
 */
function truthOf(clone, commit) {
	const flags = ["--no-renames", "--name-status", "-z"];
	const listed = git(clone, ["diff", ...flags, `${commit}~1`, commit]);
	const parts = listed.split("\0").filter(Boolean);
	/** @type {{ key: string, text: string }[]} */
	const texts = [];
	for (let at = 0; at < parts.length; at += 2) {
		const [status, file = ""] = parts.slice(at, at + 2);
		if (!file.endsWith(".py")) continue;
		const show = (/** @type {string} */ at) => git(clone, ["show", at]);
		const before = status === "A" ? "" : show(`${commit}~1:${file}`);
		const after = status === "D" ? "" : show(`${commit}:${file}`);
		texts.push({ key: `before ${file}`, text: before });
		texts.push({ key: `after ${file}`, text: after });
	}
	const parsed = parse(texts);
	/** @type {Changes} */
	const changes = new Map();
	for (const [key, after] of parsed) {
		if (!key.startsWith("after ")) continue;
		const file = key.slice("after ".length);
		const before = parsed.get(`before ${file}`);
		if (!before || !after) continue;
		for (const name of Object.keys({ ...before, ...after })) {
			const what = differs(before[name], after[name]);
			if (what !== undefined) changes.set(`${file} ${name}`, what);
		}
	}
	return changes;
}

/**
 * @param {{ key: string, text: string }[]} texts
 * @returns {Map<string, Definitions | null>}
 */
function parse(texts) {
	const input = texts.map((one) => JSON.stringify(one)).join("\n");
	const run = spawnSync("python3", [inRoot("bench", "impact_truth.py")], {
		input,
		encoding: "utf8",
		maxBuffer: 1 << 28,
	});
	const lines = run.stdout.split("\n").filter(Boolean);
	return new Map(
		lines.map((line) => {
			const { key, definitions } = JSON.parse(line);
			return [key, definitions];
		}),
	);
}

/**
 * @param {Definitions[string] | undefined} before
 * @param {Definitions[string] | undefined} after
 */
function differs(before, after) {
	const [old = [], now = []] = [before, after];
	if (Math.max(old.length, now.length) > 1) {
		return JSON.stringify(old) === JSON.stringify(now) ? undefined : "several";
	}
	if (before === undefined) return "added";
	if (after === undefined) return "removed";
	return JSON.stringify(before) === JSON.stringify(after)
		? undefined
		: "changed";
}

/**
 * Returns the rows of an answer in the terms of the truth.
 *
 * @param {import("#ragnav").ImpactItem[]} items
 * @returns {Changes}
 */
function found(items) {
	/** @type {Changes} */
	const changes = new Map();
	/** @type {(file: string, symbol: string) => string} */
	const key = (file, symbol) => `${file} ${nameIn(file, symbol)}`;
	/** @type {(at: string, what: string) => void} */
	const add = (at, what) => {
		// A name that several definitions have is only compared as a whole.
		changes.set(at, changes.has(at) ? "changed" : what);
	};
	for (const { changes: kinds, file, symbol, was } of items) {
		if (!file.endsWith(".py")) continue;
		const now = key(file, symbol);
		const [kind] = kinds;
		if (kind === "added" || kind === "removed") add(now, kind);
		else {
			const then = was && key(was.file, was.symbol);
			if (then === now || then === null) add(now, "changed");
			else {
				add(then, "removed");
				add(now, "added");
			}
		}
	}
	return changes;
}

/**
 * Returns the name of a symbol in its file.
 *
 * @param {string} file
 * @param {string} symbol
 */
function nameIn(file, symbol) {
	const module = file
		.replace(/\.py$/, "")
		.replace(/(^|\/)__init__$/, "")
		.replaceAll("/", ".");
	const dotted = symbol.replace(/^sym:/, "").replaceAll("%2E", ".");
	return module === "" ? dotted : dotted.slice(module.length + 1);
}

/**
 * @param {Score} score
 * @param {string} commit
 * @param {Changes} truth
 * @param {Changes} answer
 */
function compare(score, commit, truth, answer) {
	const short = commit.slice(0, 10);
	for (const [at, what] of truth) {
		const said = answer.get(at);
		// Which of several definitions of one name differs is not compared.
		if (said === what || (what === "several" && said)) score.right += 1;
		else score.missing.push(`${short} ${at}: ${what}, not ${said}`);
	}
	for (const [at, what] of answer) {
		if (!truth.has(at)) score.wrong.push(`${short} ${at}: ${what}`);
	}
}

/** @param {string} report */
function page(report) {
	return `# What commits touch

\`npm run impact-history -- CLONE… --write\` wrote this page, from the last commits of each clone
that change a Python file. The truth is CPython's \`ast\` on both sides of each commit: the definitions that
are in one of them, and those whose signature or body differs, without comments and blanks. A symbol
that moved or has another name counts as removed and added. "missing" symbols differ, and \`impact\`
does not say so, or says something else; "wrong" ones do not differ: their texts do, in parentheses,
commas or quotes. Which of several definitions of one name differs is not compared.

${report}
`;
}
