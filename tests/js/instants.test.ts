// Questions that are under way together look at the repository once.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "#ragnav";
import { nodeHost } from "#ragnav/hosts/node";
import { Instants } from "../../js/core/instants.js";
import { put } from "./hosts/helpers.js";
import { indexedRepo } from "./index-repo.js";

test("questions asked together share one walk, and answer as each would alone", async (t) => {
	const folder = await indexedRepo(t);
	const host = nodeHost(folder);
	let walks = 0;
	const readDirs = host.readDirs;
	host.readDirs = (paths) => {
		if (paths.includes("")) walks += 1;
		return readDirs(paths);
	};
	const nav = await open(host);
	const ask = () => [
		nav.search("needle"),
		nav.whereUsed("login"),
		nav.locate("helper"),
		nav.lineage("login", "upstream"),
		nav.route(),
	];
	const together = await Promise.all(ask());
	assert.equal(walks, 1);
	const alone = [];
	for (const [at] of ask().entries()) alone.push(await ask()[at]);
	assert.deepEqual(together, alone);
	nav.close();
});

test("a question that is asked after a look sees what changed since", async (t) => {
	const folder = await indexedRepo(t);
	const nav = await open(nodeHost(folder));
	for (let round = 0; round < 200; round++) {
		const before = [nav.search("needle"), nav.locate("login")];
		// Some of them have looked by now, some have not.
		for (let turn = 0; turn < round % 7; turn++) await Promise.resolve();
		put(
			join(folder, "src/new.py"),
			`${"\n".repeat(round)}def found_${round}():\n    return 1\n`,
		);
		const [found, again] = await Promise.all([
			nav.locate(`found_${round}`),
			nav.search(`found_${round}`),
		]);
		assert.equal(found.items[0]?.start_line, round + 1);
		assert.equal(again.items[0]?.line, round + 1);
		await Promise.all(before);
	}
	nav.close();
});

test("only a look that began after a question was asked is shared with it", async () => {
	const instants = new Instants();
	const first = instants.begin();
	assert.equal(first.word(), null, "nobody is there to share with");
	const second = instants.begin();
	const looks = first.word();
	assert.equal(typeof looks, "number");
	assert.equal(first.word(), looks, "its own look is its own");
	const shared = second.word();
	const late = instants.begin();
	const own = late.word();
	assert.equal(typeof own, "number");
	assert.notEqual(own, looks, "that look began before it was asked");
	first.end();
	assert.equal(await shared, looks);
	second.end();
	late.end();
	assert.equal(instants.underWay, 0);
});
