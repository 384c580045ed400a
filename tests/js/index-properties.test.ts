// After any changes of a working tree, an index affects the source of rows and never the rows.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import {
	type Definition,
	type FileVerdict,
	open,
	type RagResult,
	type SearchResult,
	type StalePolicy,
} from "#ragnav";
import { nodeHost } from "#ragnav/hosts/node";
import {
	type Answers,
	assertStanding,
	CODE,
	differing,
	EVERYTHING,
	Trial,
	truthOf,
} from "./index-trial.js";
import { type Story, story } from "./random-tree.js";
import { filesBelow } from "./tree-files.js";
import {
	assertRoute,
	assertTrueRows,
	assertTruthful,
	type Bytes,
	type Truth,
} from "./truthful.js";

const RUNS = Number(process.env.RAGNAV_PROPERTY_RUNS ?? 25);
/** A fixed seed, unless the environment requests more runs. */
const SEED = process.env.RAGNAV_PROPERTY_RUNS === undefined ? { seed: 1 } : {};

/** Checks a property over many random stories. */
async function always(check: (trial: Trial) => Promise<void>): Promise<void> {
	const removals: Promise<void>[] = [];
	const property = fc.asyncProperty(story, async (drawn: Story) => {
		const trial = await Trial.begin(drawn);
		try {
			await trial.tell(drawn);
			await check(trial);
		} finally {
			removals.push(trial.end());
		}
	});
	await fc.assert(property, {
		numRuns: RUNS,
		...SEED,
		includeErrorInReport: true,
	});
	await Promise.all(removals);
}

test("an indexed tree, one without an index and a newly indexed one give equal rows", () =>
	always(async (trial) => {
		const copy = trial.tree.copy("copy");
		const plain = await open(trial.tree.host(copy));
		await trial.remember(plain);
		const live = await trial.ask(plain);
		plain.close();
		const builder = await open(nodeHost(copy));
		await builder.buildGraph();
		builder.close();
		const fresh = await open(trial.tree.host(copy));
		const anew = await trial.ask(fresh);
		fresh.close();
		const indexed = await trial.ask(trial.nav);
		assertSame(trial, indexed, live, "without an index");
		assertSame(trial, indexed, anew, "indexed anew");
		trial.tree.saveBuffers(copy);
		const truth = truthOf(trial, copy);
		assertAnswers(trial, indexed, truth, truth.admitted);
	}));

test("each policy allows only its sources", () =>
	always(async (trial) => {
		const copy = trial.tree.copy("copy");
		trial.tree.saveBuffers(copy);
		const truth = truthOf(trial, copy);
		for (const policy of ["live", "allow", "error"] as const) {
			const answers = await trial.ask(trial.nav, policy);
			for (const result of resultsOf(answers)) {
				assertTruthful(result, policy);
				// The policy does not affect status.
				if (result !== answers.status) assertPolicy(result, policy, truth);
			}
		}
	}));

test("a second build changes nothing, and a check writes nothing", () =>
	always(async (trial) => {
		const before = trial.built;
		trial.tree.allowAll();
		const untouched = ownFiles(trial);
		const check = await trial.nav.buildGraph({ check: true });
		assert.deepEqual(ownFiles(trial), untouched, "a check wrote");
		const built = await trial.nav.buildGraph();
		assert.deepEqual(check.items, built.items, "a check foresees the build");
		const now = trial.saved();
		const changed = differing(
			{ built: before, now: new Map() },
			now,
			EVERYTHING.admits,
		);
		const searched = changed.filter((path) => !isBinary(now.get(path)));
		assert.deepEqual(
			built.items.map(({ file }) => file),
			searched.sort(byBytes),
		);
		const again = await trial.nav.buildGraph();
		assert.deepEqual([again.up_to_date, again.items], [true, []]);
		const { meta } = await trial.nav.search("needle", { stale_policy: "live" });
		assert.equal(
			meta.reason === "HEAD_MATCHES",
			!trial.tree.hasBuffers || meta.status === "OK",
		);
	}));

/** Returns the files of the index on disk, with their times. */
function ownFiles({ tree }: Trial): unknown[] {
	const folder = join(tree.folder, ".llmc");
	return filesBelow(folder).map((path) => {
		const file = join(folder, path);
		return [path, statSync(file).mtimeMs, readFileSync(file, "base64")];
	});
}

function assertAnswers(
	trial: Trial,
	answers: Answers,
	truth: Truth,
	admitted: Bytes,
): void {
	for (const result of resultsOf(answers)) assertTruthful(result);
	const standing = (
		result: RagResult<unknown> | SearchResult,
		paths: string[],
	) => assertStanding(result.meta, trial, paths);
	for (const { scope, result } of answers.searches) {
		assertTrueRows(result, truth);
		standing(result, differing(truth, admitted, scope.admits));
	}
	for (const { result } of answers.locations) {
		assertTrueRows(result, truth);
		standing(result, differing(truth, admitted, CODE.admits));
	}
	for (const { path, result } of answers.identities) {
		assertTrueRows(result, truth);
		const others = differing(truth, truth.now, (other) => other === path);
		// Ignored files have no status.
		if (admitted.has(path) || others.length === 0) standing(result, others);
	}
	standing(answers.status, differing(truth, admitted, EVERYTHING.admits));
	assertVerdicts(trial, answers.status.items, truth, admitted);
	assertRoute(answers.route);
	assert.equal(
		answers.route.reason,
		answers.status.meta.reason,
		"route and status",
	);
}

/** Asserts that exactly the files have statuses, and that these match their bytes. */
function assertVerdicts(
	{ tree }: Trial,
	verdicts: readonly FileVerdict[],
	{ built }: Truth,
	now: Bytes,
): void {
	const readable = verdicts.filter(({ file }) => !file.endsWith("/"));
	const files = new Set([...built.keys(), ...now.keys()]);
	if (!tree.isDenied) {
		assert.deepEqual(
			readable.map(({ file }) => file),
			[...files].sort(byBytes),
		);
	}
	for (const { file, verdict } of readable) {
		const right = verdictOf(built.get(file), now.get(file));
		const isUnknown = verdict === "unknown" && tree.denies(file);
		if (!isUnknown) assert.equal(verdict, right, file);
	}
}

function verdictOf(then: Buffer | undefined, now: Buffer | undefined): string {
	if (then === undefined) return "added";
	if (now === undefined) return "removed";
	if (!then.equals(now)) return "changed";
	return isBinary(now) ? "skipped" : "unchanged";
}

/** Reports whether a file is binary: it has NUL bytes, and does not begin as UTF-16 does. */
function isBinary(content: Buffer | undefined): boolean {
	if (content === undefined) return false;
	const isUtf16 = ["fffe", "feff"].includes(content.toString("hex", 0, 2));
	return !isUtf16 && content.includes(0);
}

function assertPolicy(
	result: RagResult<unknown> | SearchResult,
	policy: StalePolicy,
	{ now, built }: Truth,
): void {
	const { status, error_code } = result.meta;
	if (policy === "error" && status !== "OK") {
		const refusals = ["STALE_INDEX", "FILE_UNREADABLE"];
		assert.ok(refusals.includes(`${error_code}`), `${status} ${error_code}`);
	}
	if (policy !== "allow" || !("query" in result)) return;
	for (const { file } of result.items) {
		const [then, today] = [built.get(file), now.get(file)];
		assert.ok(
			today && then?.equals(today),
			`text of ${file}, which has changed`,
		);
	}
}

function resultsOf(answers: Answers): (RagResult<unknown> | SearchResult)[] {
	const { searches, locations, identities, status } = answers;
	const queries = [...searches, ...locations, ...identities];
	return [...queries.map(({ result }) => result), status];
}

/** Asserts that two navigators give equal rows, regardless of their sources. */
function assertSame(
	trial: Trial,
	actual: Answers,
	expected: Answers,
	than: string,
): void {
	actual.searches.forEach(({ result }, index) => {
		const other = expected.searches[index]?.result;
		const [mine, theirs] = [foundRows(result), other && foundRows(other)];
		// For an unreadable file, the index may have the reason why it is not searched.
		if (trial.tree.isDenied && theirs) theirs.skipped = mine.skipped;
		assert.deepEqual(mine, theirs, than);
	});
	actual.identities.forEach(({ path, line, result }, index) => {
		const other = expected.identities[index]?.result;
		assert.deepEqual(
			definitions(result),
			other && definitions(other),
			`${path}:${line} ${than}`,
		);
	});
	// The index may have definitions of a file that is unreadable now.
	if (trial.tree.isDenied) return;
	actual.locations.forEach(({ symbol, result }, index) => {
		const other = expected.locations[index]?.result;
		// Only the index knows the new name of a symbol, so rows for the old name differ.
		if (result.items.some(({ match }) => match === "renamed")) return;
		assert.deepEqual(
			definitions(result),
			other && definitions(other),
			`${symbol} ${than}`,
		);
	});
}

function foundRows({
	meta,
	items,
	total,
	truncated,
	skipped,
	query,
}: SearchResult) {
	const rows = items.map(
		({ file, line, start_utf16, end_utf16, snippet, symbol, kind, score }) => ({
			file,
			line,
			start_utf16,
			end_utf16,
			snippet,
			symbol,
			kind,
			score,
		}),
	);
	return { query, error: meta.error_code, rows, total, truncated, skipped };
}

function definitions({ meta, items }: RagResult<Definition>): unknown {
	const rows = items.map(
		({ symbol, ordinal, kind, file, start_line, end_line }) => ({
			symbol,
			ordinal,
			kind,
			file,
			start_line,
			end_line,
		}),
	);
	return { error: meta.error_code, rows };
}

function byBytes(a: string, b: string): number {
	return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
