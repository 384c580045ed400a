import { readFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { inRoot } from "../js/build/paths.mjs";
import { packageSizes } from "../js/build/size.mjs";
import { aims } from "./aims.mjs";
import { growth } from "./growth.mjs";
import { table } from "./table.mjs";
import { megabytes, time } from "./units.mjs";

/** @typedef {import("./rounds.mjs").Row} Row */
/** @typedef {{ id: string, title: string, note: string, rows: Row[], quality?: Quality }} Group rows that were measured in turn */
/** @typedef {{ head: string[], cells: string[][] }} Quality what was counted and not timed */

const FINDINGS = inRoot("bench", "findings.md");

/**
 * @param {Group[]} groups
 * @param {import("./peers.mjs").Peers} peers
 * @param {string} command
 */
export function reportOf(groups, peers, command) {
	const parts = [
		"# Measurements",
		`${machine()}; ${new Date().toISOString().slice(0, 10)}; \`${command}\`.`,
		`Beside it: ${peers.versions.join("; ") || "nothing"}.`,
		...missingPart(peers.missing),
		HOW,
		...groups.flatMap(groupParts),
		...growth(groups),
		...(groups.some(({ id }) => id.endsWith("-warm")) ? ending(groups) : []),
	];
	return `${parts.join("\n\n")}\n`;
}

/**
 * What a report of the index ends with.
 *
 * @param {Group[]} groups
 */
function ending(groups) {
	return [
		"## Sizes of the package",
		table(["", "size", "to its budget"], sizeRows()),
		"## Against the aims",
		aims(groups).join("\n"),
		...findings(),
	];
}

const HOW = `Rows of one table are measured in turn, round after round, and stand with their medians; \`×\` is the ratio of two medians of one
run, and below 1 ragnav takes less. For whole processes \`wall\` is the time from start to exit, \`CPU\` user and system time of the process and
all that it started, together; \`memory\` is the peak of the largest single process (none shows as less than some 15 MB, which is the
measuring program's own); \`on disk\` is all that a build leaves, in \`.llmc\` or \`.codegraph\`. MB are 1,000,000 bytes. Each tool has a copy of each corpus to itself. codegraph runs without its daemon and
telemetry, started by its npm script.`;

/** @param {string[]} missing */
function missingPart(missing) {
	if (missing.length === 0) return [];
	return [`**Not measured:** ${missing.join("; ")}.`];
}

/** @param {Group} group */
export function groupParts({ title, note, rows, quality }) {
	if (quality) {
		const { head, cells } = quality;
		return [`## ${title}`, `${capital(note)}.`, table(head, cells)];
	}
	const isOfProcesses = rows.some(({ memory }) => memory !== undefined);
	const hasDisk = rows.some(({ disk }) => disk !== undefined);
	const head = [
		"",
		isOfProcesses ? "wall" : "median",
		"least",
		...(isOfProcesses ? ["CPU", "memory"] : []),
		...(hasDisk ? ["on disk"] : []),
		"to its peers",
	];
	const cells = rows.map((row) => [
		row.name,
		row.failure
			? "failed"
			: `${row.isCutOff ? "more than " : ""}${time(row.wall)}`,
		time(row.least),
		...(isOfProcesses ? [time(row.cpu), megabytes(row.memory)] : []),
		...(hasDisk ? [megabytes(row.disk)] : []),
		ratios(row, rows),
	]);
	const failures = rows.flatMap(({ name, failure }) =>
		failure ? [`${name} failed: ${failure.replaceAll(/\s+/g, " ")}`] : [],
	);
	return [`## ${title}`, `${capital(note)}.`, table(head, cells), ...failures];
}

/**
 * @param {Row} row
 * @param {Row[]} rows
 */
function ratios(row, rows) {
	return row.peers
		.flatMap((name) => {
			const peer = rows.find((other) => other.name === name);
			if (!peer || peer.failure) return [];
			const bound = peer.isCutOff ? "less than " : "";
			const ratio = (row.wall / peer.wall).toFixed(2);
			return `${bound}× ${ratio} ${name.split(":")[0]}`;
		})
		.join(", ");
}

function sizeRows() {
	/** @type {Record<string, number>} */
	const budget = JSON.parse(
		readFileSync(inRoot("js", "build", "size-budget.json"), "utf8"),
	);
	const sizes = Object.entries(packageSizes()).filter(
		([name]) => name in budget,
	);
	return sizes.map(([name, size]) => [
		name,
		`${(size / 1000).toFixed(0)} kB`,
		`× ${(size / (budget[name] ?? Number.NaN)).toFixed(2)}`,
	]);
}

function findings() {
	const text = readFileSync(FINDINGS, "utf8").trim();
	return text ? ["## What was tried and what it gave", text] : [];
}

/** @param {string} text */
function capital(text) {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

function machine() {
	const [first] = cpus();
	const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
	return `${cpus().length} × ${first?.model.trim() ?? "unknown processor"}, ${memory}, ${type()} ${release()}, Node ${process.versions.node}`;
}
