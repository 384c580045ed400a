/**
 * Compares where `trace` finds the definitions of old commits with where CPython's parser and git
 * follow them to, a commit at a time: `npm run trace-history -- CLONE…`. With `--write` it writes
 * `bench/REPORT-trace.md`.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { build } from "../js/build/build.mjs";
import { inRoot } from "../js/build/paths.mjs";
import { asProgram, Problem, say } from "../js/build/run.mjs";
import { loadPackage } from "./navigator.mjs";
import { table } from "./table.mjs";

/** The distances of the old commits from HEAD. */
const AGO = [100, 500, 1500];
/** The largest number of definitions at the same place that are asked about for one commit. */
const MAX_UNMOVED = 100;

/** @typedef {{ file: string, name: string, line: number }} Place */
/** @typedef {Place & { commit: string, now: Place | null }} Label */
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
		for (const ago of AGO) {
			const labels = chosen(labelsOf(clone, ago));
			for (const [kind, some] of byKind(labels)) {
				const { right, missing, wrong } = await scoreOf(clone, some);
				const counts = [right, missing.length, wrong.length].map(String);
				const commits = String(ago);
				rows.push([
					basename(clone),
					commits,
					kind,
					`${some.length}`,
					...counts,
				]);
				for (const line of [...missing, ...wrong].slice(0, 20)) say(line);
			}
		}
	}
	const head = ["repository", "commits ago", "now", "definitions"];
	const report = table([...head, "right", "missing", "wrong"], rows);
	say(report);
	if (isWritten)
		writeFileSync(inRoot("bench", "REPORT-trace.md"), page(report));
});

/**
 * @param {string} clone
 * @param {number} ago
 * @returns {Label[]}
 */
function labelsOf(clone, ago) {
	const script = inRoot("bench", "trace_truth.py");
	const run = spawnSync("python3", [script, clone, String(ago)], {
		encoding: "utf8",
		maxBuffer: 1 << 28,
	});
	if (run.status !== 0) throw new Problem(`${clone}: ${run.stderr}`);
	const lines = run.stdout.split("\n").filter(Boolean);
	return lines.map((line) => JSON.parse(line));
}

/**
 * Returns the definitions that moved, and some of the others, evenly spread.
 *
 * @param {Label[]} labels
 */
function chosen(labels) {
	const unmoved = labels.filter((label) => kindOf(label) === "as it was");
	const every = Math.ceil(unmoved.length / MAX_UNMOVED);
	const some = new Set(unmoved.filter((_, at) => at % every === 0));
	return labels.filter(
		(label) => some.has(label) || kindOf(label) !== "as it was",
	);
}

/** @param {Label[]} labels */
function byKind(labels) {
	/** @type {Map<string, Label[]>} */
	const kinds = new Map();
	for (const label of labels) {
		const kind = kindOf(label);
		kinds.set(kind, [...(kinds.get(kind) ?? []), label]);
	}
	return [...kinds].sort();
}

/** @param {Label} label */
function kindOf({ file, name, now }) {
	if (now === null) return "removed";
	const is = now.file === file && now.name === name;
	return is ? "as it was" : "another name or file";
}

/**
 * @param {string} clone
 * @param {Label[]} labels
 */
async function scoreOf(clone, labels) {
	const { open, nodeHost } = await loadPackage();
	const nav = await open(nodeHost(resolve(clone), { readOnly: true }));
	/** @type {Score} */
	const score = { right: 0, missing: [], wrong: [] };
	for (const { commit, file, line, name, now } of labels) {
		const { meta, items } = await nav.trace(file, line, commit, { limit: 1 });
		if (meta.status === "ERROR") throw new Problem(`${file}: ${meta.message}`);
		const found = items[0]?.found ?? null;
		const expected = now === null ? "nowhere" : `${now.file}:${now.line}`;
		const got =
			found === null ? "nowhere" : `${found.file}:${found.start_line}`;
		const said = `${file}:${line} ${name} in ${commit}: ${got}, not ${expected}`;
		if (got === expected) score.right += 1;
		else if (found === null) score.missing.push(said);
		else score.wrong.push(said);
	}
	nav.close();
	return score;
}

/** @param {string} report */
function page(report) {
	return `# Symbols of old commits

\`npm run trace-history -- CLONE… --write\` wrote this page.
The truth follows the definitions of Python files through the first-parent history, a commit at a
time, by CPython's \`ast\` and git's detection of renamed files: a definition is the one of the same
name in the same file, or else the only new one with an equal body.
Definitions of which that cannot be said are left out.
Of those at the same place some are asked about, and of the others all.
\`trace\` answers where each is now. "missing" ones are said to be nowhere, "wrong" ones are said to
be at another place.

${report}
`;
}
