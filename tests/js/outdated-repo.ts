// An index that is to be brought up to date, by a host that fails on the way.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Host } from "#ragnav";
import { nodeHost } from "#ragnav/hosts/node";
import { put } from "./hosts/helpers.js";
import {
	assertRightAnew,
	build,
	GRAPH,
	indexedRepo,
	LOCK_DIES_MS,
	laterHost,
	withNavigator,
} from "./index-repo.js";

/** A change of an index's files, as a host is asked for it. */
export type Change = () => void;
/** What becomes of one change, instead of only being made. */
export type Fault = (change: Change) => void | Promise<void>;

/** A host whose `n`th change of the index, from 1, has a fault; counts the changes. */
export function faultyHost(folder: string, n: number, fault: Fault) {
	const host = nodeHost(folder);
	const counted = {
		host: host as Host,
		changes: 0,
		isAt: (): void => undefined,
	};
	const make = (change: Change) => {
		counted.changes += 1;
		if (counted.changes !== n) return change();
		counted.isAt();
		return fault(change);
	};
	counted.host = {
		...host,
		write: (path, bytes, options) =>
			make(() => host.write?.(path, bytes, options)),
		remove: (path) => make(() => host.remove?.(path)),
	};
	return counted;
}

export const SUMMARY = "lets a user in";

/** An index in whose graph something was written down, and a tree that has changed since; with `documents` their store as well. */
export async function outdatedRepo(
	t: TestContext,
	{ documents = false } = {},
): Promise<string> {
	const folder = await indexedRepo(t);
	if (documents) {
		await withNavigator(nodeHost(folder), (nav) =>
			nav.buildGraph({ documents }),
		);
	}
	const file = join(folder, GRAPH);
	const graph = JSON.parse(readFileSync(file, "utf8"));
	for (const entity of graph.entities) {
		if (entity.id.endsWith("login"))
			entity.metadata = { summary: SUMMARY, mine: 7 };
	}
	writeFileSync(file, JSON.stringify(graph));
	put(join(folder, "src/util.py"), "def helper():\n    return needle\n");
	put(join(folder, "src/new.py"), "def login():\n    return 2\n");
	return folder;
}

/** Asserts that a build makes the index whole, once a lock that was left behind is dead, and that nothing was forgotten. */
export async function assertMends(folder: string): Promise<void> {
	await build(laterHost(folder, LOCK_DIES_MS + 1000));
	assert.equal((await assertRightAnew(folder)).status, "OK");
	const { entities } = JSON.parse(readFileSync(join(folder, GRAPH), "utf8"));
	const known = entities.filter(
		({ metadata }: { metadata: object }) => Object.keys(metadata).length > 0,
	);
	assert.deepEqual(
		known.map(({ id, metadata }: { id: string; metadata: object }) => [
			id,
			metadata,
		]),
		[["sym:src.auth.login", { summary: SUMMARY, mine: 7 }]],
	);
}
