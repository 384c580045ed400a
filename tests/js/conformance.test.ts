// The freshness vectors are as their schema says and true, and ragnav answers them truthfully.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { ragnavApi } from "../../conformance/adapters/ragnav-api.mjs";
import { selfCheck } from "../../conformance/adapters/self-check.mjs";
import { play } from "../../conformance/runner.mjs";
import { addScores, emptyScore, scoreOf } from "../../conformance/score.mjs";
import { GROUPS } from "../../conformance/tables/index.mjs";
import type { Adapter, Scenario } from "../../conformance/types.js";
import { readVectors } from "../../conformance/vectors.mjs";
import { inRoot } from "../../js/build/paths.mjs";

const groups = readVectors();

/** Every third scenario: the tables repeat after 4 and 5, so each of their variants is met. */
const SAMPLE = 3;
const sample = groups.flatMap(({ scenarios }) =>
	scenarios.filter((_, at) => at % SAMPLE === 0),
);

async function played(adapter: Adapter, scenario: Scenario) {
	const answers = await play(adapter, scenario);
	return answers
		.map(({ question, answer }) =>
			scoreOf(question, scenario.may_claim, answer),
		)
		.reduce(addScores, emptyScore());
}

test("the vectors are as their schema says", () => {
	const schema = readFileSync(inRoot("conformance", "vector.schema.json"));
	const isValid = new Ajv2020({ allErrors: true }).compile(
		JSON.parse(String(schema)),
	);
	for (const group of groups)
		assert.ok(
			isValid(group),
			`${group.group}: ${JSON.stringify(isValid.errors?.slice(0, 3))}`,
		);
});

test("there are ten groups of twenty scenarios with names of their own", () => {
	assert.equal(groups.length, 10);
	for (const { group, scenarios } of groups) {
		assert.equal(scenarios.length, 20, group);
		for (const { id } of scenarios) assert.ok(id.startsWith(`${group}/`), id);
	}
	const ids = groups.flatMap(({ scenarios }) => scenarios.map(({ id }) => id));
	assert.equal(new Set(ids).size, ids.length);
});

test("the vectors are what the tables say; else run conformance/generate.mjs", () => {
	for (const group of GROUPS)
		assert.deepEqual(
			groups.find((each) => each.group === group.group),
			JSON.parse(JSON.stringify(group)),
		);
});

test("the self-check finds the rows of the vectors, and its index is as they say", async () => {
	for (const scenario of sample) {
		const score = await played(selfCheck, scenario);
		const { missing, wrong, false_claims, true_claims, refused } = score;
		assert.deepEqual(
			{ missing, wrong, false_claims, refused },
			{ missing: 0, wrong: 0, false_claims: 0, refused: 0 },
			scenario.id,
		);
		const isInterrupted = scenario.steps.some(
			(step) => step.do === "interrupt-index",
		);
		if (scenario.may_claim === "index" && !isInterrupted)
			assert.equal(true_claims, scenario.questions.length, scenario.id);
	}
});

test("ragnav gives no wrong row and makes no false claim", async () => {
	let sum = emptyScore();
	for (const scenario of sample) {
		const score = await played(ragnavApi, scenario);
		const { missing, wrong, wrong_said, false_claims } = score;
		assert.deepEqual(
			{ missing, wrong, wrong_said, false_claims },
			{ missing: 0, wrong: 0, wrong_said: 0, false_claims: 0 },
			scenario.id,
		);
		sum = addScores(sum, score);
	}
	assert.ok(sum.true_claims > 0 && sum.right > 100);
});

test("a score tells wrong rows from those that are said to be outdated", () => {
	const question = {
		ask: "definitions" as const,
		symbol: "price",
		rows: ["prices.py:2"],
	};
	const row = (line: number, claim: "current" | "outdated" | "unsaid") => ({
		kind: "rows" as const,
		rows: [{ file: "prices.py", line, claim }],
		index: "unsaid" as const,
		complete: false,
	});
	const right = scoreOf(question, "rows", row(2, "unsaid"));
	assert.deepEqual([right.right, right.missing, right.wrong], [1, 0, 0]);
	const silent = scoreOf(question, "rows", row(1, "unsaid"));
	assert.deepEqual([silent.missing, silent.wrong], [1, 1]);
	assert.equal(silent.false_claims, 0);
	const honest = scoreOf(question, "rows", row(1, "outdated"));
	assert.deepEqual([honest.wrong, honest.wrong_said], [0, 1]);
	const lying = scoreOf(question, "rows", row(1, "current"));
	assert.deepEqual([lying.wrong, lying.false_claims], [1, 1]);
});

test("a claim of a current index is false where the files differ from it", () => {
	const question = {
		ask: "definitions" as const,
		symbol: "price",
		rows: ["prices.py:2"],
	};
	const answer = {
		kind: "rows" as const,
		rows: [{ file: "prices.py", line: 2, claim: "current" as const }],
		index: "current" as const,
		complete: true,
	};
	assert.equal(scoreOf(question, "rows", answer).false_claims, 1);
	assert.equal(scoreOf(question, "index", answer).false_claims, 0);
	assert.equal(scoreOf(question, "index", answer).true_claims, 1);
});
