// Hosts that fail: every question, at everything that it asks, and what comes after.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Host, open } from "#ragnav";
import { memoryHost } from "#ragnav/hosts/memory";
import {
	type Answered,
	assertTold,
	type Call,
	FaultyHost,
	FILES,
	type HostFault,
	QUESTIONS,
	rowsOf,
} from "./faulty-host.js";
import { withNavigator } from "./index-repo.js";
import {
	assertRoute,
	assertTrueRows,
	assertTruthful,
	type Truth,
} from "./truthful.js";

const HEAD = "a".repeat(40);
/** Of the faults, so many in a hundred are tried with each ask; which ones follows from the seed. */
const SAMPLED = 15;
const SEED = 1;

function throwing(thrown: unknown): HostFault {
	return () => {
		throw thrown;
	};
}

/** What throws wherever it is touched. */
function trap(target: object): unknown {
	const fail = () => {
		throw new Error("a trap of the host");
	};
	return new Proxy(target, {
		get: fail,
		has: fail,
		ownKeys: fail,
		getOwnPropertyDescriptor: fail,
	});
}

function withGetter(name: string): object {
	return Object.defineProperty({}, name, {
		enumerable: true,
		get: () => {
			throw new Error(`the getter ${name} of the host`);
		},
	});
}

/** The answer for each of what was asked for. */
function each(make: () => unknown): HostFault {
	return ({ paths }) => paths.map(make);
}

function list(call: Call): unknown[] {
	const answer = call.honest();
	return Array.isArray(answer) ? answer : [];
}

/** Answers that are not what was asked for, or none at all. */
const FAULTS: Record<string, HostFault> = {
	throws: throwing(new Error("the disk is on fire")),
	"throws a text": throwing("on fire"),
	"throws nothing": throwing(undefined),
	"throws what has no words": throwing(Object.create(null)),
	"throws what has none to give": throwing(
		Object.defineProperty(new Error(), "message", {
			get: () => {
				throw new Error("no words");
			},
		}),
	),
	rejects: async () => {
		throw new Error("the network went away");
	},
	"rejects with nothing": () => Promise.reject(undefined),
	"answers null": () => null,
	"answers undefined": () => undefined,
	"answers a number": () => 7,
	"answers a text": () => "text",
	"answers an object": () => ({}),
	"answers a function": () => () => [],
	"answers a symbol": () => Symbol("answer"),
	"answers a big number": () => 7n,
	"answers an array of nothing": ({ paths }) => paths.map(() => undefined),
	"answers a sparse array": ({ paths }) => new Array(paths.length),
	"answers too few": (call) => list(call).slice(1),
	"answers too many": (call) => [...list(call), ...list(call)],
	"answers numbers": each(() => 7),
	"answers empty objects": each(() => ({})),
	"answers a failure of another kind": each(() => ({ error: "other" })),
	"answers a failure that is no text": each(() => ({ error: { code: 1 } })),
	"answers a getter that throws": each(() => withGetter("error")),
	"answers a size that throws": each(() => withGetter("size")),
	"answers entries that throw": each(() => [withGetter("name")]),
	"answers entries of no kind": each(() => [{ name: "a.py", kind: "odd" }]),
	"answers entries without a name": each(() => [{ kind: "file" }]),
	"answers entries that lead out": each(() =>
		["..", ".", "", "a/b", "/etc", "..\\x", "a\0b", "C:"].flatMap((name) => [
			{ name, kind: "file" },
			{ name, kind: "dir" },
		]),
	),
	"answers a trap": () => trap({}),
	"answers a trap of an array": () => trap([]),
	"answers traps": each(() => trap({})),
	"answers traps of bytes": each(() => trap(new Uint8Array(3))),
	"answers other bytes": each(() => new Float64Array(3)),
	"answers a view of nothing": each(() => new DataView(new ArrayBuffer(3))),
	"answers what has a then that throws": () => withGetter("then"),
	"answers what has a then, and is no promise": (call) => ({
		// biome-ignore lint/suspicious/noThenProperty: that is the fault
		then: (resolve: (answer: unknown) => void) => resolve(call.honest()),
	}),
	"answers what is frozen": (call) => {
		const answer = call.honest();
		if (Array.isArray(answer)) {
			for (const one of answer) {
				if (!ArrayBuffer.isView(one)) Object.freeze(one);
			}
		}
		return ArrayBuffer.isView(answer) ? answer : Object.freeze(answer);
	},
	"answers promises in a list": (call) =>
		list(call).map((one) => Promise.resolve(one)),
	denied: each(() => ({ error: "denied" })),
	missing: each(() => ({ error: "missing" })),
	"too large": each(() => ({ error: "too_large" })),
	unreadable: each(() => ({ error: "io", message: "EIO" })),
	"denied, all but the first": (call) =>
		list(call).map((one, at) => (at === 0 ? one : { error: "denied" })),
};

/** A repository in memory, with an index and a store of documents or without. */
async function repository(indexed: boolean): Promise<Host> {
	const host = memoryHost(FILES, {
		head: HEAD,
		ignoreRules: [{ prefix: "", lines: ["*.tmp"] }],
	});
	host.overlay = () => [];
	if (indexed) {
		await withNavigator(host, async (nav) => {
			const { meta } = await nav.buildGraph({ documents: true });
			assert.equal(meta.status, "OK", `${meta.message}`);
		});
	}
	return host;
}

const bytes = new Map(
	Object.entries(FILES).map(([path, text]) => [path, Buffer.from(text)]),
);
const TRUTH: Truth = { now: bytes, built: bytes };

/** Asserts that an answer claims nothing that is not so, and that what is missing from it is said. */
function assertHonest(answer: Answered, right: Answered, what: string): void {
	assertTold(answer, what);
	if (!("meta" in answer)) {
		assertRoute(answer);
		return;
	}
	assertTruthful(answer);
	const { status, message, files } = answer.meta;
	if (status === "ERROR") return;
	if (/search|locate|identify/.test(what)) {
		assertTrueRows(answer as Parameters<typeof assertTrueRows>[0], TRUTH);
	}
	const rows = rowsOf(answer);
	const isShort = rowsOf(right).some(
		(row) => !rows.some((other) => same(row, other)),
	);
	// Of a folder that is gone when it is looked into, or holds but bad names, there is nothing to be said by who found something else.
	const isGone = /^ask:.*readDirs, (missing|too large|.* lead out)$/.test(what);
	const isSaid =
		isGone || status !== "OK" || message !== null || files?.skipped !== 0;
	assert.ok(
		!isShort || isSaid,
		`${what}: rows are missing and nothing says so`,
	);
}

function same(a: unknown, b: unknown): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}

/** Numbers from 0 to 99 that follow from a seed. */
function* numbers(seed: number): Generator<number> {
	for (let state = seed >>> 0; ; ) {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		yield (state >>> 16) % 100;
	}
}

for (const indexed of [false, true]) {
	const state = indexed ? "with an index" : "without an index";
	for (const [name, question] of Object.entries(QUESTIONS)) {
		test(`${name} ${state}, of a host whose every answer fails in turn`, async (t) => {
			const honest = await repository(indexed);
			const right = await withNavigator(honest, question);
			const counting = new FaultyHost(honest, 0, () => undefined);
			await withNavigator(counting.host, question);
			const sample = numbers(SEED);
			let tried = 0;
			for (let n = 1; n <= counting.calls; n++) {
				for (const [kind, fault] of Object.entries(FAULTS)) {
					if (Number(sample.next().value) >= SAMPLED) continue;
					tried += 1;
					await assertSurvives(n, kind, fault);
				}
			}
			t.diagnostic(
				`${tried} faults of ${counting.calls * Object.keys(FAULTS).length}, seed ${SEED}`,
			);

			async function assertSurvives(n: number, kind: string, fault: HostFault) {
				const faulty = new FaultyHost(honest, n, fault);
				const nav = await open(faulty.host);
				const answer = await question(nav);
				const what = `${name}: ask ${n}, ${faulty.hit}, ${kind}`;
				assert.ok(faulty.hit, what);
				assertHonest(answer, right, what);
				const next = await question(nav);
				assert.deepEqual(rowsOf(next), rowsOf(right), `the next after ${what}`);
				if ("meta" in next && "meta" in right) {
					assert.equal(next.meta.status, right.meta.status, what);
				}
				nav.close();
			}
		});
	}
}
