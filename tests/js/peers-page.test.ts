// What is measured beside other tools is scored by the same rule for all, and the page names losses.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Declaration } from "../../bench/beside/corpora.mjs";
import { chartFile, chartOf, pageOf } from "../../bench/beside/page.mjs";
import { type Kept, keptResults } from "../../bench/beside/results.mjs";
import {
	addRows,
	emptyScore,
	ratiosOf,
} from "../../bench/beside/score-uses.mjs";
import { inRoot } from "../../js/build/paths.mjs";

const price: Declaration = {
	...{ name: "price", kind: "function", file: "a.go", line: 1, column: 5 },
	uses: [
		["a.go", 10],
		["a.go", 30],
	],
};

function scoreOf(
	rows: [string, number][],
	meaning: "import" | "other" | "unknown",
) {
	const score = emptyScore();
	const truth = {
		...{ name: "a compiler", declarations: [price] },
		meaningOf: () => meaning,
	};
	addRows(score, truth, price, rows);
	return score;
}

test("a row is right on the line of a use, or where its statement starts", () => {
	const rows: [string, number][] = [
		["a.go", 10],
		["a.go", 27],
	];
	assert.deepEqual(scoreOf(rows, "other"), { uses: 2, found: 2, wrong: 0 });
});

test("a row elsewhere is wrong if the compiler says that it means something else", () => {
	const rows: [string, number][] = [
		["b.go", 10],
		["a.go", 40],
	];
	assert.deepEqual(scoreOf(rows, "other"), { uses: 2, found: 0, wrong: 2 });
	assert.deepEqual(scoreOf(rows, "unknown"), { uses: 2, found: 0, wrong: 0 });
	assert.deepEqual(scoreOf(rows, "import"), { uses: 2, found: 0, wrong: 0 });
});

test("rows of one line count once", () => {
	const score = scoreOf(
		[
			["a.go", 10],
			["a.go", 10],
		],
		"other",
	);
	assert.deepEqual(ratiosOf(score), { uses: 2, precision: 1, recall: 0.5 });
});

const row = (tool: string, recall: number, wall: number) => ({
	...{ tool, version: "1", corpus: "shop", what: "calls", command: tool },
	values: { recall, wall },
});

const result: Kept = {
	...{ part: "where-used", title: "References", note: "A note." },
	columns: [
		{ key: "recall", title: "recall", unit: "share", better: "more" },
		{ key: "wall", title: "time", unit: "milliseconds", better: "less" },
	],
	...{ chart: "recall", date: "2026-01-01", machine: "a machine" },
	rows: [row("ragnav", 0.9, 20), row("other & sons", 0.5, 10)],
};

test("the page names what a peer does better, and nothing else", () => {
	const [, losses = ""] =
		/## Where ragnav loses\n\n([\s\S]*?)\n\nWhy/.exec(pageOf([result])) ?? [];
	const rows = losses.split("\n").slice(2);
	assert.deepEqual(
		rows.map((line) => line.split("|").map((cell) => cell.trim())),
		[
			[
				...["", "where-used", "shop, calls", "time"],
				...["ragnav 20 ms", "other & sons 10 ms", ""],
			],
		],
	);
});

test("a chart has a bar for each row, and escapes names", () => {
	const svg = chartOf(result) ?? "";
	assert.equal(svg.match(/<rect /g)?.length, 2);
	assert.match(svg, /other &amp; sons/);
	assert.doesNotMatch(svg, /& /);
});

test("the page and its charts are those of the results; else run bench:peers", () => {
	const page = readFileSync(inRoot("bench", "REPORT-peers.md"), "utf8");
	const parts = [...page.matchAll(/images\/peers-([\w-]+)\.svg/g)];
	const kept = keptResults(parts.map(([, part]) => String(part)));
	assert.ok(kept.length > 0);
	assert.equal(page, pageOf(kept));
	for (const one of kept)
		assert.equal(
			readFileSync(inRoot(chartFile(one.part)), "utf8"),
			chartOf(one),
		);
});
