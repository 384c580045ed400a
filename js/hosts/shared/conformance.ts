import type { open as openNavigator } from "../../core/api.js";
import type { Host } from "../../core/host.js";

/** A host under test, with its repository. Every check gets a new one. */
export interface Trial {
	/** The host over a repository with the given files, texts in UTF-8. */
	host: Host;
	/**
	 * Changes a file, or removes it (`null`), as another program would. Absent if the files cannot
	 * change.
	 */
	edit?(path: string, text: string | null): void | Promise<void>;
	/** Releases the resources of the trial. */
	close?(): void | Promise<void>;
}

/** Makes a host over a repository with these files. */
export type MakeTrial = (
	files: Record<string, string>,
) => Trial | Promise<Trial>;

/** A check of one rule that hosts must follow. */
export interface HostCheck {
	/** The rule as a sentence. */
	name: string;
	/** Rejects with a description if the host breaks the rule. */
	run(make: MakeTrial): Promise<void>;
}

const FILES = {
	"a.py": "def first():\n    return second()\n",
	"lib/b.py": "def second():\n    return 'ä'\n",
	"lib/deep/er/c.txt": "needle\n",
	"empty.txt": "",
};

/**
 * Returns the checks that every host must pass, for any test runner. Pass `open` of the package.
 *
 * @example
 * ```js
 * import { open } from "ragnav";
 * import { hostChecks } from "ragnav/hosts/conformance";
 * import { memoryHost } from "ragnav/hosts/memory";
 *
 * const make = (files) => ({ host: memoryHost(files) });
 * for (const { name, run } of hostChecks(open)) {
 *   await run(make).catch((error) => console.log(name, error.message));
 * }
 * ```
 */
export function hostChecks(open: typeof openNavigator): HostCheck[] {
	return CHECKS.map(([name, run]) => ({
		name,
		async run(make) {
			const trial = await make(FILES);
			try {
				await run(trial, open);
			} finally {
				await trial.close?.();
			}
		},
	}));
}

type Check = (trial: Trial, open: typeof openNavigator) => Promise<void>;

const CHECKS: [string, Check][] = [
	[
		"folders list their entries, with their kinds",
		async ({ host }) => {
			const listed = await host.readDirs(["", "lib", "lib/deep"]);
			same(listed.map(names), [
				["a.py:file", "empty.txt:file", "lib:dir"],
				["b.py:file", "deep:dir"],
				["er:dir"],
			]);
		},
	],
	[
		"files are given byte for byte, in the order they are asked for",
		async ({ host }) => {
			const paths = ["lib/b.py", "empty.txt", "a.py", "lib/b.py"];
			const read = await host.readMany(paths, { max_bytes: 1000 });
			const texts = read.map((file) =>
				file instanceof Uint8Array ? new TextDecoder().decode(file) : file,
			);
			same(
				texts,
				paths.map((path) => FILES[path as keyof typeof FILES]),
			);
		},
	],
	[
		"what is not there, is a folder or is too large is a failure of its own",
		async ({ host }) => {
			const read = await host.readMany(["nothing.py", "lib", "a.py"], {
				max_bytes: 5,
			});
			same(read.map(failure).slice(0, 1), ["missing"]);
			check(
				["io", "denied"].includes(String(failure(read[1]))),
				"a folder is no file",
			);
			same(failure(read[2]), "too_large");
			const [folder] = await host.readDirs(["no/such"]);
			same(failure(folder), "missing");
		},
	],
	[
		"no path leaves the root",
		async ({ host }) => {
			for (const path of [
				"../a.py",
				"/etc/passwd",
				"lib/../../x",
				"lib/./b.py",
				"lib//b.py",
			]) {
				const [read] = await catchThrown(() =>
					host.readMany([path], { max_bytes: 1000 }),
				);
				check(!(read instanceof Uint8Array), `${path} was read`);
			}
		},
	],
	[
		"a stamp changes with what a file holds",
		async ({ host, edit }) => {
			const [before] = (await host.stat?.(["a.py"])) ?? [];
			if (before === undefined) return;
			check("stamp" in before, "a.py has no stamp");
			same(before.size, FILES["a.py"].length);
			const [missing] = (await host.stat?.(["nothing.py"])) ?? [];
			same(failure(missing), "missing");
			if (edit === undefined) return;
			await edit("a.py", FILES["a.py"].replace("first", "again"));
			// Every query requests the commit first: a host may refresh then.
			await host.gitHead();
			const [after] = (await host.stat?.(["a.py"])) ?? [];
			check(after !== undefined && "stamp" in after, "a.py has no stamp");
			const isProof = after.stamp === before.stamp && !before.racy;
			check(
				!isProof,
				"another content of the same size has the same stamp, and is not racy",
			);
		},
	],
	[
		"the times of a file are numbers",
		async ({ host }) => {
			const times = await host.fileTimes?.(["a.py", "nothing.py"]);
			if (times === undefined) return;
			const [own, missing] = times;
			same(missing, null);
			if (own === undefined || own === null) return;
			check(own.modified > 0 && own.changed > 0, "a.py has no times");
		},
	],
	[
		"only `.llmc/` is written to, and what is written is read",
		async ({ host }) => {
			if (host.write === undefined || host.remove === undefined) return;
			const bytes = new TextEncoder().encode("one");
			await host.write(".llmc/rag/x.bin", bytes);
			const [read] = await host.readMany([".llmc/rag/x.bin"], {
				max_bytes: 10,
			});
			same(read, bytes);
			await rejects(
				async () => host.write?.("a.py", bytes),
				"a.py was written",
			);
			await rejects(
				async () => host.write?.(".llmc/../a.py", bytes),
				"a path with .. was written",
			);
			await rejects(async () => host.remove?.("a.py"), "a.py was removed");
			const exclusive = { exclusive: true };
			await rejects(
				async () => host.write?.(".llmc/rag/x.bin", bytes, exclusive),
				"a file that exists was written exclusively",
			);
			await host.remove(".llmc/rag/x.bin");
			await host.remove(".llmc/rag/x.bin");
			const [gone] = await host.readMany([".llmc/rag/x.bin"], {
				max_bytes: 10,
			});
			same(failure(gone), "missing");
		},
	],
	[
		"the time is in UTC, and the commit an id or nothing",
		async ({ host }) => {
			const now = host.now?.() ?? new Date().toISOString();
			check(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.*Z$/.test(now), `now is ${now}`);
			const given = await host.gitHead();
			const head = typeof given === "object" ? (given?.head ?? null) : given;
			check(
				head === null || /^[0-9a-f]{40,64}$/i.test(head),
				`HEAD is ${head}`,
			);
		},
	],
	[
		"a navigator answers from it, and sees an edit",
		async ({ host, edit }, open) => {
			const nav = await open(host);
			try {
				const built = await nav.buildGraph();
				same(built.meta.error_code, null);
				const found = await nav.search("second");
				same(
					found.items.map(({ file, line }) => `${file}:${line}`),
					["a.py:2", "lib/b.py:1"],
				);
				if (edit === undefined) return;
				await edit("lib/b.py", "# moved\n\ndef second():\n    return 1\n");
				await edit("new.py", "second = 3\n");
				const edited = await nav.search("second");
				same(edited.meta.status, "FALLBACK");
				same(
					edited.items.map(({ file, line }) => `${file}:${line}`),
					["a.py:2", "lib/b.py:3", "new.py:1"],
				);
				await edit("new.py", null);
				same((await nav.search("second")).total, 2);
			} finally {
				nav.close();
			}
		},
	],
];

function names(listing: unknown): string[] {
	const entries = listing as { name: string; kind: string }[];
	check(Array.isArray(entries), `a folder is ${JSON.stringify(listing)}`);
	return entries
		.map(({ name, kind }) => `${name}:${kind}`)
		.filter((name) => !name.startsWith("."))
		.sort();
}

function failure(given: unknown): unknown {
	return (given as { error?: unknown } | null | undefined)?.error;
}

async function catchThrown<T>(
	work: () => T[] | Promise<T[]>,
): Promise<(T | unknown)[]> {
	try {
		return await work();
	} catch (thrown) {
		return [thrown];
	}
}

async function rejects(
	work: () => Promise<unknown>,
	otherwise: string,
): Promise<void> {
	try {
		await work();
	} catch {
		return;
	}
	throw new Error(otherwise);
}

function same(found: unknown, expected: unknown): void {
	const [one, other] = [found, expected].map((value) =>
		JSON.stringify(value instanceof Uint8Array ? [...value] : value),
	);
	if (one !== other) throw new Error(`${one} is not ${other}`);
}

function check(condition: boolean, otherwise: string): asserts condition {
	if (!condition) throw new Error(otherwise);
}
