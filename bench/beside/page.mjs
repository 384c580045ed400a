/** The page and the charts of what `npm run bench:peers` kept. */
import { readFileSync } from "node:fs";
import { inRoot } from "../../js/build/paths.mjs";
import { table } from "../table.mjs";
import { barChart } from "./chart.mjs";

/** @typedef {import("./results.mjs").Column} Column */
/** @typedef {import("./results.mjs").Kept} Kept */
/** @typedef {import("./results.mjs").Row} Row */

/** The causes that are known, which are written by hand. */
const CAUSES = inRoot("bench", "losses.md");
/** Differences below this share are noise. */
const NOISE = 0.005;

/** @param {string} part */
export const chartFile = (part) => `docs/images/peers-${part}.svg`;

/** @param {Kept[]} results */
export function pageOf(results) {
	const parts = [
		"# Beside other tools",
		"`npm run bench:peers -- --data DIR --write` writes this page, its charts and the raw results in\n[`results`](results), where each row has its tool, version, corpus and command.\n`--only PART` measures one part. [The bench](retrieval/README.md#how-to-run-it) and\n[the vectors](../conformance/README.md) say how to repeat the parts that are recorded.",
		"codebase-memory-mcp, jcodemunch, Serena and CodeGraphContext are not here:\n[the vectors say why](../conformance/README.md#tools-that-are-not-here).",
		"## Where ragnav loses",
		lossesOf(results),
		"Why, as far as we know:",
		readFileSync(CAUSES, "utf8").trim(),
		...results.flatMap(sectionOf),
	];
	return `${parts.join("\n\n")}\n`;
}

/** @param {Kept} result */
function sectionOf(result) {
	const { title, note, part, columns, rows, isRecorded } = result;
	const hasCorpus = rows.some(({ corpus }) => corpus);
	const head = [
		...(hasCorpus ? ["corpus"] : []),
		...["of", "tool", ...columns.map((column) => column.title)],
	];
	const cells = rows.map(({ corpus, what, tool, version, values }) => [
		...(hasCorpus ? [corpus] : []),
		...[what, `${tool} ${version}`],
		...columns.map(({ key, unit }) => shown(values[key], unit)),
	]);
	return [
		`## ${title}`,
		wrapped(isRecorded ? note : `${note} (${result.date}, ${result.machine}.)`),
		`![${title}](../${chartFile(part)})`,
		table(head, cells),
		commandsOf(rows),
	];
}

/** @param {Row[]} rows */
function commandsOf(rows) {
	const commands = new Set(rows.map(({ command }) => command));
	const unique = [...commands].map((command) => `- \`${command}\``);
	return `Commands:\n\n${unique.join("\n")}`;
}

/**
 * Lists each value of ragnav with those of other tools that are better.
 *
 * @param {Kept[]} results
 */
function lossesOf(results) {
	const cells = results.flatMap(({ part, columns, rows }) =>
		rows.filter(isOwn).flatMap((own) =>
			columns.flatMap((column) => {
				const better = betterThan(own, rows, column);
				if (better.length === 0) return [];
				const of = [own.corpus, own.what].filter(Boolean).join(", ");
				const [ours = "", ...theirs] = [own, ...better].map(
					({ tool, values }) =>
						`${tool} ${shown(values[column.key], column.unit)}`,
				);
				return [[part, of, column.title, ours, theirs.join(", ")]];
			}),
		),
	);
	return table(["part", "of", "value", "ragnav", "better"], cells);
}

/**
 * Returns the rows of other tools that are better than one of ragnav, the best first.
 *
 * @param {Row} own
 * @param {Row[]} rows
 * @param {Column} column
 */
function betterThan(own, rows, { key, better }) {
	const sign = better === "more" ? 1 : -1;
	const rankOf = (/** @type {Row} */ row) => sign * (row.values[key] ?? 0);
	if (!better || own.values[key] === undefined) return [];
	const least = rankOf(own) + Math.abs(rankOf(own)) * NOISE;
	return rows
		.filter((row) => !isOwn(row) && keyOf(row) === keyOf(own))
		.filter((row) => row.values[key] !== undefined && rankOf(row) > least)
		.sort((a, b) => rankOf(b) - rankOf(a));
}

/** @param {Row} row what rows that are compared have in common */
const keyOf = ({ corpus, what }) => `${corpus}\0${what}`;

/** @param {Row} row */
const isOwn = ({ tool }) => tool.startsWith("ragnav");

/**
 * Returns the rows by what they measure.
 *
 * @param {Row[]} rows
 */
function groupsOf(rows) {
	/** @type {Map<string, Row[]>} */
	const groups = new Map();
	for (const row of rows) {
		const key = keyOf(row);
		groups.set(key, [...(groups.get(key) ?? []), row]);
	}
	return [...groups.values()];
}

/** @param {Kept} result */
export function chartOf({ title, chart, columns, rows }) {
	const column = columns.find(({ key }) => key === chart);
	if (!column) return undefined;
	const clusters = groupsOf(rows).map((group) => ({
		title: [group[0]?.corpus, group[0]?.what].filter(Boolean).join(": "),
		full:
			column.unit === "share"
				? 1
				: Math.max(...group.map(({ values }) => values[chart] ?? 0)),
		bars: group.map((row) => ({
			label: row.tool,
			value: row.values[chart] ?? 0,
			shown: shown(row.values[chart], column.unit),
			isOwn: isOwn(row),
		})),
	}));
	return barChart(`${title}: ${column.title}`, clusters);
}

/**
 * @param {number | undefined} value
 * @param {Column["unit"]} unit
 */
function shown(value, unit) {
	if (value === undefined) return "";
	switch (unit) {
		case "share":
			return value.toFixed(3);
		case "milliseconds":
			return `${Math.round(value).toLocaleString("en")} ms`;
		case "bytes":
			return `${(value / 1e6).toFixed(1)} MB`;
		case "count":
		case "tokens":
			return value.toLocaleString("en");
	}
}

const COLUMNS = 100;

/**
 * @param {string} text
 * @param {string} [indent] of the lines after the first
 */
function wrapped(text, indent = "") {
	const lines = [""];
	for (const word of text.split(" ")) {
		const last = lines.at(-1) ?? "";
		const joined = last.trim() ? `${last} ${word}` : `${last}${word}`;
		if (joined.length <= COLUMNS) lines[lines.length - 1] = joined;
		else lines.push(`${indent}${word}`);
	}
	return lines.join("\n");
}
