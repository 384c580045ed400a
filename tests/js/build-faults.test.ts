// Builds over hosts that fail at any request: no data is lost, no answer claims too much, and the
// next build repairs the index.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type BuildResult, type Navigator, open } from "#ragnav";
import { type MemoryHost, memoryHost } from "#ragnav/hosts/memory";
import {
	type Answered,
	assertTold,
	FaultyHost,
	FILES,
	type QueryRun,
	rowsOf,
} from "./faulty-host.js";
import { FAULTS, type FaultKind, SEED, sampled } from "./host-fault-kinds.js";
import { GRAPH, LOCK_DIES_MS, withNavigator } from "./index-repo.js";
import { assertTruthful } from "./truthful.js";

const HEAD = "a".repeat(40);
const SUMMARY = "checks who somebody is";
/** The percentage of faults that are tried with each request. */
const SAMPLED = Number(process.env.RAGNAV_FAULT_PERCENT ?? 8);

/** Returns a time at which every abandoned lock has expired. */
const later = () => new Date(Date.now() + 2 * LOCK_DIES_MS).toISOString();

/** Wrong bytes. With the file's own stamp, ragnav cannot detect them. */
const LIES: ReadonlySet<FaultKind> = new Set([
	"answers other bytes",
	"answers a view of nothing",
]);

/** The states before a build. */
const BEGINNINGS: Record<string, () => Promise<MemoryHost>> = {
	"without an index": async () => bare(),
	"with the index as it is": indexed,
	"with an index of before some edits": async () => {
		const host = await indexed();
		edit(host);
		return host;
	},
};

function bare(): MemoryHost {
	const host = memoryHost(FILES, { head: HEAD });
	host.overlay = () => [];
	return host;
}

/** Adds enrichment of a function. */
async function indexed(): Promise<MemoryHost> {
	const host = bare();
	await withNavigator(host, build);
	const graph = JSON.parse(Buffer.from(graphOf(host)).toString());
	for (const entity of graph.entities) {
		if (entity.id === "sym:src.auth.login")
			entity.metadata = { summary: SUMMARY };
	}
	host.files.set(GRAPH, Buffer.from(JSON.stringify(graph)));
	return host;
}

function graphOf(host: MemoryHost): Uint8Array {
	const graph = host.files.get(GRAPH);
	assert.ok(graph);
	return graph;
}

function edit(host: MemoryHost): void {
	host.files.set(
		"src/auth.py",
		Buffer.from(`# above\n${FILES["src/auth.py"]}`),
	);
	host.files.set(
		"src/more.py",
		Buffer.from("def more():\n    return needle\n"),
	);
	host.files.delete("src/util.py");
}

function build(nav: Navigator): Promise<BuildResult> {
	return nav.buildGraph({ documents: true });
}

const QUERIED: QueryRun[] = [
	(nav) => nav.search("needle"),
	(nav) => nav.whereUsed("helper"),
	(nav) => nav.locate("login"),
	(nav) => nav.ask("where is the needle?"),
];

async function answers(nav: Navigator): Promise<Answered[]> {
	const given: Answered[] = [];
	for (const query of QUERIED) given.push(await query(nav));
	return given;
}

/** Returns the rows without enrichment. */
function rows(given: Answered[]): unknown[] {
	return given.flatMap(rowsOf).map((row) => {
		const { enrichment, match, score, ...found } = row as Record<
			string,
			unknown
		>;
		return found;
	});
}

for (const [beginning, begin] of Object.entries(BEGINNINGS)) {
	test(`a build ${beginning} survives a fault in each response of the host`, async (t) => {
		const honest = await begin();
		const counting = new FaultyHost(honest, 0, () => undefined);
		await withNavigator(counting.host, build);
		const right = rows(await withNavigator(honest, answers));
		const knows = beginning !== "without an index";
		const faults = sampled(counting.calls, SAMPLED);
		for (const { n, kind } of faults) await assertSurvives(n, kind);
		t.diagnostic(
			`${faults.length} faults of ${counting.calls * Object.keys(FAULTS).length}, seed ${SEED}`,
		);

		async function assertSurvives(n: number, kind: FaultKind) {
			const host = await begin();
			const faulty = new FaultyHost(host, n, FAULTS[kind]);
			const nav = await open(faulty.host);
			const built = await build(nav);
			const what = `${beginning}: ask ${n}, ${faulty.hit}, ${kind}`;
			assert.ok(faulty.hit, what);
			// If the host only claims to write the lock, another build may own it.
			if (built.meta.error_code !== "INDEX_LOCKED" || faulty.hit !== "write") {
				assertTold(built, what);
			}
			assertTruthful(built);
			if (!LIES.has(kind)) {
				await assertRight(nav, what);
				await withNavigator(host, (anew) => assertRight(anew, what));
			}
			nav.close();
			const hostLater = { ...host, now: later };
			await withNavigator(hostLater, (anew) => assertMended(anew, what));
		}

		async function assertRight(nav: Navigator, what: string) {
			const given = await answers(nav);
			for (const answer of given) {
				assertTold(answer, what);
				if ("meta" in answer) {
					assertTruthful(answer);
					assert.notEqual(answer.meta.status, "ERROR", what);
				}
			}
			assert.deepEqual(rows(given), right, what);
		}

		async function assertMended(nav: Navigator, what: string) {
			const { meta } = await build(nav);
			assert.deepEqual(
				[meta.status, meta.freshness_state],
				["OK", "FRESH"],
				`${what}: ${meta.message}`,
			);
			const given = await answers(nav);
			for (const answer of given) {
				assert.ok("meta" in answer && answer.meta.status === "OK", what);
			}
			assert.deepEqual(rows(given), right, what);
			if (!knows) return;
			const { items } = await nav.search("needle", {
				include: ["src/auth.py"],
			});
			assert.equal(items[0]?.enrichment?.summary, SUMMARY, what);
		}
	});
}
