// Every file below .llmc, damaged or from another repository.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type MemoryHost, memoryHost } from "#ragnav/hosts/memory";
import { HEAD, runEveryQuery } from "./hostile-repo.js";
import { GRAPH, withNavigator } from "./index-repo.js";

const SOURCES = {
	"a.py": "def needle():\n    return 1\n",
	"notes.md": "# Needle\n\nWhat the needle is for.\n",
};
const OTHERS = {
	"a.py": "def other():\n    return needle\n",
	"secret.md": "# Secret\n\nThe needle is elsewhere.\n",
};

async function built(sources: Record<string, string>): Promise<MemoryHost> {
	const host = memoryHost(sources, { head: HEAD });
	await withNavigator(host, async (nav) => {
		const { meta } = await nav.buildGraph({ documents: true });
		assert.equal(meta.status, "OK", `${meta.message}`);
	});
	return host;
}

type Files = Map<string, Uint8Array>;

function kept({ files }: MemoryHost): Files {
	return new Map([...files].filter(([path]) => path.startsWith(".llmc/rag")));
}

/** Returns the kind of a file, without the hash in its name. */
function roleOf(path: string): string {
	return path.replace(/[0-9a-f]{32}/, "HASH");
}

const DAMAGES: Record<string, (bytes: Uint8Array) => Uint8Array> = {
	empty: () => new Uint8Array(0),
	"cut off": (bytes) => bytes.subarray(0, bytes.length >> 1),
	"longer than it was": (bytes) => Buffer.concat([bytes, bytes]),
	"one byte of it changed": (bytes) => {
		const copy = bytes.slice();
		copy[copy.length >> 1] = (copy[copy.length >> 1] ?? 0) ^ 0x55;
		return copy;
	},
	"with a size that nothing has": (bytes) => {
		const copy = bytes.slice();
		copy.set([0xff, 0xff, 0xff, 0x7f]);
		return copy;
	},
	"of bytes that repeat": (bytes) => new Uint8Array(bytes.length).fill(0xff),
};

/** Asserts that rows and passages match the files, and that a build repairs the index. */
async function assertRight(keptFiles: Files, what: string): Promise<void> {
	const host = memoryHost(new Map([...bytesOf(SOURCES), ...keptFiles]), {
		head: HEAD,
	});
	const files = new Map(
		[...bytesOf(SOURCES)].map(([path, bytes]) => [path, Buffer.from(bytes)]),
	);
	await withNavigator(host, async (nav) => {
		for (const isMended of [false, true]) {
			const seen = await runEveryQuery(nav, { files });
			assert.deepEqual(seen.found, ["a.py", "notes.md"], what);
			assert.deepEqual(seen.defined, ["a.py sym:a.needle"], what);
			const { items, meta } = await nav.ask("what is the needle for?");
			const places = items.map(({ citation }) => citation?.path).sort();
			assert.deepEqual(places, ["a.py", "notes.md"], what);
			if (isMended) assert.equal(meta.status, "OK", what);
			const build = await nav.buildGraph({ documents: true });
			assert.equal(build.meta.status, "OK", `${what}: ${build.meta.message}`);
		}
	});
}

function bytesOf(texts: Record<string, string>): Files {
	const entries = Object.entries(texts);
	return new Map(entries.map(([path, text]) => [path, Buffer.from(text)]));
}

test("answers are right over each file damaged in each way", async () => {
	const whole = kept(await built(SOURCES));
	assert.equal(whole.size, 7);
	for (const [path, bytes] of whole) {
		for (const [how, damage] of Object.entries(DAMAGES)) {
			const damaged = new Map(whole).set(path, damage(bytes));
			await assertRight(damaged, `${roleOf(path)}, ${how}`);
		}
		const without = new Map(whole);
		without.delete(path);
		await assertRight(without, `${roleOf(path)}, removed`);
	}
});

test("answers are right over files of another repository's index", async () => {
	const whole = kept(await built(SOURCES));
	const foreign = kept(await built(OTHERS));
	await assertRight(foreign, "all of another's");
	for (const [path] of whole) {
		const [, theirs] =
			[...foreign].find(([other]) => roleOf(other) === roleOf(path)) ?? [];
		assert.ok(theirs, path);
		// The enrichment of the other repository is preserved, and is not in rows.
		if (path === GRAPH) continue;
		await assertRight(new Map(whole).set(path, theirs), `another's ${path}`);
	}
	const mixed = new Map([...whole, ...foreign]);
	await assertRight(mixed, "another's beside its own");
});

test("answers are right over files with exchanged names", async () => {
	const whole = [...kept(await built(SOURCES))];
	for (let by = 1; by < whole.length; by++) {
		const swapped = whole.map(([path], at): [string, Uint8Array] => {
			const [, bytes = new Uint8Array(0)] =
				whole[(at + by) % whole.length] ?? [];
			return [path, bytes];
		});
		await assertRight(new Map(swapped), `by ${by}`);
	}
});
