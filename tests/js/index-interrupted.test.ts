// Interrupted, delayed and concurrent builds leave a correct index.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { type BuildResult, type Host, open } from "#ragnav";
import { type NodeHost, nodeHost } from "#ragnav/hosts/node";
import { put } from "./hosts/helpers.js";
import {
	assertRightAnew,
	assertRightRows,
	build,
	GRAPH,
	LOCK,
	LOCK_DIES_MS,
	laterHost,
	withNavigator,
} from "./index-repo.js";
import {
	assertMends,
	type Fault,
	faultyHost,
	outdatedRepo,
} from "./outdated-repo.js";

/** The faults that the build notices. */
const THROWING: Record<string, Fault> = {
	"fails before it is made": () => {
		throw new Error("the disk is full");
	},
	"fails after it was made": (change) => {
		change();
		throw new Error("the network went away");
	},
};
/** The faults after which the host does not respond. */
const HANGING: Record<string, Fault> = {
	"never returns": () => new Promise(() => undefined),
	"is made and never returns": (change) => {
		change();
		return new Promise(() => undefined);
	},
};

/** The number of changes of a complete build. */
const CHANGES = 8;

test("a complete build makes the changes that the tests below interrupt", async (t) => {
	const counted = faultyHost(await outdatedRepo(t), 0, () => undefined);
	await build(counted.host);
	assert.equal(counted.changes, CHANGES);
});

for (let n = 1; n <= CHANGES; n++) {
	for (const [what, fault] of Object.entries(THROWING)) {
		test(`change ${n} of a build ${what}`, async (t) => {
			const folder = await outdatedRepo(t);
			const nav = await open(faultyHost(folder, n, fault).host);
			const { meta, items } = await nav.buildGraph();
			// The last changes remove what the index no longer needs and release the lock. A build
			// retries to take the lock.
			const isHarmless =
				n >= CHANGES - 1 || (n === 1 && what === "fails before it is made");
			if (!isHarmless) {
				assert.deepEqual(
					[meta.status, meta.error_code, items],
					["ERROR", "INDEX_WRITE_FAILED", []],
				);
				assert.match(
					meta.message ?? "",
					/the disk is full|the network went away/,
				);
			} else assert.equal(meta.status, "OK");
			await assertRightRows(nav, folder);
			nav.close();
			await assertRightAnew(folder);
			await assertMends(folder);
		});
	}

	for (const [what, fault] of Object.entries(HANGING)) {
		test(`change ${n} of a build ${what}, and it is cancelled`, async (t) => {
			const folder = await outdatedRepo(t);
			const counted = faultyHost(folder, n, fault);
			const { signal, abort } = abortable();
			counted.isAt = () => setImmediate(abort);
			const nav = await open(counted.host);
			const { meta } = await nav.buildGraph({ signal });
			assert.deepEqual([meta.status, meta.error_code], ["ERROR", "CANCELLED"]);
			await assertRightRows(nav, folder);
			nav.close();
			await assertRightAnew(folder);
			// The host may still perform the change, so the lock stays until it expires.
			await assertMends(folder);
		});
	}
}

function abortable() {
	const controller = new AbortController();
	return { signal: controller.signal, abort: () => controller.abort() };
}

test("an abandoned lock expires after a minute", async (t) => {
	const folder = await outdatedRepo(t);
	const counted = faultyHost(
		folder,
		2,
		HANGING["never returns"] ?? (() => undefined),
	);
	const dead = await open(counted.host);
	const reached = new Promise<void>((resolve) => {
		counted.isAt = resolve;
	});
	const { signal, abort } = abortable();
	const building = dead.buildGraph({ signal });
	await reached;
	for (const ms of [0, LOCK_DIES_MS - 5000]) {
		await withNavigator(laterHost(folder, ms), async (nav) => {
			const { meta } = await nav.buildGraph();
			assert.equal(meta.error_code, "INDEX_LOCKED");
			assert.match(meta.message ?? "", /another build .* begun at 20.*wait/);
			await assertRightRows(nav, folder);
		});
	}
	await build(laterHost(folder, LOCK_DIES_MS + 1000));
	abort();
	assert.equal((await building).meta.error_code, "CANCELLED");
	dead.close();
	assert.equal((await assertRightAnew(folder)).status, "OK");
});

for (const text of [
	"",
	"{}",
	"garbage",
	"\0",
	'{"owner":"x"}',
	"[".repeat(100_000),
]) {
	test(`an invalid lock is replaced: ${JSON.stringify(text.slice(0, 20))}`, async (t) => {
		const folder = await outdatedRepo(t);
		put(join(folder, LOCK), text);
		await build(nodeHost(folder));
		await assertMends(folder);
	});
}

/** A host whose responses a scheduler orders. */
function scheduledHost(scheduler: fc.Scheduler, host: NodeHost): Host {
	const later = async <T>(act: () => T): Promise<T> => {
		await scheduler.schedule(Promise.resolve());
		return act();
	};
	return {
		...host,
		gitHead: () => later(() => host.gitHead()),
		readDirs: (paths) => later(() => host.readDirs(paths)),
		readMany: (paths, options) => later(() => host.readMany(paths, options)),
		stat: (paths) => later(() => host.stat(paths)),
		write: (path, bytes, options) =>
			later(() => host.write?.(path, bytes, options)),
		remove: (path) => later(() => host.remove?.(path)),
	};
}

for (const isLeftBehind of [false, true]) {
	const title = isLeftBehind ? " where a dead build left its lock" : "";
	test(`two builds at once, in any order${title}`, async (t) => {
		const folder = await outdatedRepo(t);
		const before = readFileSync(join(folder, GRAPH));
		const race = async (scheduler: fc.Scheduler) => {
			writeFileSync(join(folder, GRAPH), before);
			put(
				join(folder, "src/util.py"),
				`def helper():\n    return ${Math.random()}\n`,
			);
			if (isLeftBehind) put(join(folder, LOCK), DEAD_LOCK);
			const navs = [
				await open(scheduledHost(scheduler, nodeHost(folder))),
				await open(scheduledHost(scheduler, nodeHost(folder))),
			];
			const built = await scheduler.waitFor(
				Promise.all(navs.map((nav) => nav.buildGraph())),
			);
			for (const nav of navs) nav.close();
			assertOneBuilt(built);
			assert.equal((await assertRightAnew(folder)).status, "OK");
			await assertMends(folder);
		};
		const property = fc.asyncProperty(fc.scheduler(), race);
		await fc.assert(property, {
			numRuns: 25,
			seed: 1,
			includeErrorInReport: true,
		});
	});
}

const DEAD_LOCK = JSON.stringify({
	owner: "dead",
	started_at: "2001-01-01T00:00:00.000Z",
	renewed_ms: 978_307_200_000,
});

function assertOneBuilt(built: readonly BuildResult[]): void {
	const codes = built.map(({ meta }) => meta.error_code);
	assert.ok(codes.includes(null), `none of two builds succeeded: ${codes}`);
	for (const code of codes)
		assert.ok([null, "INDEX_LOCKED"].includes(code), `${code}`);
}

test("a write that outlasts its build completes before another build begins", async (t) => {
	const folder = await outdatedRepo(t);
	const host = nodeHost(folder);
	const { signal, abort } = abortable();
	let finish = () => {};
	const slow: Host = {
		...host,
		write: (path, bytes, options) => {
			if (path !== GRAPH) return host.write?.(path, bytes, options);
			abort();
			return new Promise<void>((resolve) => {
				finish = () => resolve(host.write?.(path, bytes, options));
			});
		},
	};
	const nav = await open(slow);
	const cancelled = await nav.buildGraph({ signal });
	assert.equal(cancelled.meta.error_code, "CANCELLED");
	await withNavigator(nodeHost(folder), async (other) => {
		const { meta } = await other.buildGraph();
		assert.equal(meta.error_code, "INDEX_LOCKED");
	});
	finish();
	await new Promise(setImmediate);
	nav.close();
	assert.ok(!existsSync(join(folder, LOCK)), "the lock is given back");
	await build(nodeHost(folder));
	assert.equal((await assertRightAnew(folder)).status, "OK");
});

test("a build that is already writing completes although it is cancelled", async (t) => {
	const folder = await outdatedRepo(t);
	const host = nodeHost(folder);
	const { signal, abort } = abortable();
	const patient: Host = {
		...host,
		write: async (path, bytes, options) => {
			if (path === GRAPH) abort();
			await new Promise(setImmediate);
			host.write?.(path, bytes, options);
		},
	};
	const nav = await open(patient);
	assert.equal((await nav.buildGraph({ signal })).meta.status, "OK");
	nav.close();
	assert.equal((await assertRightAnew(folder)).status, "OK");
});
