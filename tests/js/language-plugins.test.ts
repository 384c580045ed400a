// Languages that a program adds: what they answer, and what bad ones say.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import {
	type LanguagePlugin,
	type Navigator,
	open,
	RagnavError,
} from "#ragnav";
import { memoryHost } from "#ragnav/hosts/memory";
import { FILES, GRAMMAR, LOCALS, PKG, TAGS } from "./ruby-plugin.js";

const HEAD = "0123456789abcdef0123456789abcdef01234567";

/** Ruby as a plug-in. Its name differs from that of its grammar, since ragnav has a Ruby. */
function ruby(changes: Partial<LanguagePlugin> = {}): LanguagePlugin {
	return {
		name: "rbx",
		extensions: ["rbx"],
		wasm: readFileSync(GRAMMAR),
		tags: TAGS,
		...changes,
	};
}

async function use<T>(
	languages: LanguagePlugin[] | null,
	work: (nav: Navigator) => Promise<T>,
	files: Record<string, string> = FILES,
): Promise<T> {
	const nav = await open(memoryHost(files, { head: HEAD }), { languages });
	try {
		return await work(nav);
	} finally {
		nav.close();
	}
}

test("every query answers about a language that was added", () =>
	use([ruby()], async (nav) => {
		const outline = await nav.outline("cart.rbx");
		const [cart] = outline.items;
		assert.deepEqual(
			[cart?.name, cart?.kind, cart?.children[0]?.name],
			["Cart", "class", "total"],
		);
		const { items } = await nav.whereUsed("price.price_of");
		assert.deepEqual(
			items.map(({ file, line, kind, resolution, symbol }) => [
				...[file, line, kind, resolution, symbol],
			]),
			[["cart.rbx", 4, "call", "candidate", "sym:cart.Cart.total"]],
		);
		const callers = await nav.lineage("price.price_of", "callers");
		assert.deepEqual(
			callers.items.map(({ symbol }) => symbol),
			["sym:cart.Cart.total"],
		);
		const [found] = (await nav.search("total", { mode: "ranked" })).items;
		assert.deepEqual([found?.file, found?.line], ["cart.rbx", 3]);
		const [method] = (await nav.identify("cart.rbx", 4)).items;
		assert.equal(method?.symbol, "sym:cart.Cart.total");
		const [place] = (await nav.definition("cart.rbx:4:16")).items;
		assert.equal(place?.symbol, "sym:price.price_of");
		const asked = await nav.ask("Where is the price looked up?");
		const [passage] = asked.items;
		assert.deepEqual(
			[passage?.citation?.path, passage?.summary],
			["price.rbx", "Looks up a price."],
		);
	}));

test("locals.scm decides what is resolved within a file", () =>
	use(
		[ruby({ locals: LOCALS })],
		async (nav) => {
			const { items } = await nav.whereUsed("a.helper");
			assert.deepEqual(
				items.map(({ line, resolution }) => [line, resolution]),
				[
					[4, "resolved"],
					[5, "resolved"],
				],
			);
		},
		{
			"a.rbx": `def helper(x)
end
def run(other)
  helper(1)
  map(helper)
end
def shadow(helper)
  helper
end
`,
		},
	));

test("bytes and URLs of a grammar are the same", async () => {
	const bytes = readFileSync(GRAMMAR);
	for (const wasm of [
		new Uint8Array(bytes).buffer,
		new DataView(new Uint8Array(bytes).buffer),
		pathToFileURL(GRAMMAR),
		pathToFileURL(GRAMMAR).href,
	]) {
		await use([ruby({ wasm })], async (nav) => {
			assert.equal((await nav.outline("price.rbx")).items.length, 1);
		});
	}
});

test("workers extract the files of a plug-in, also of one that cannot be used", async () => {
	const files = Object.fromEntries(
		Array.from({ length: 80 }, (_, at) => [
			`m${at}.${at % 2 === 0 ? "rbx" : "bad"}`,
			`def f${at}\nend\n`,
		]),
	);
	const bad = ruby({
		name: "bad",
		extensions: ["bad"],
		tags: "(nothing) @name",
	});
	const indexes = [];
	for (const workers of [0, 2]) {
		const now = () => "2026-01-01T00:00:00.000Z";
		const host = memoryHost(files, { head: HEAD, now });
		const stat = host.stat.bind(host);
		host.stat = (paths) =>
			stat(paths).map((found) => ({ ...found, stamp: "same" }));
		const nav = await open(host, { workers, languages: [ruby(), bad] });
		const { meta } = await nav.buildGraph();
		assert.match(meta.message ?? "", /40 files .*grammar of bad .*"nothing"/);
		assert.equal((await nav.locate("m4.f4")).items.length, 1);
		nav.close();
		indexes.push(host.files.get(".llmc/rag/facts.bin"));
	}
	assert.ok(indexes[0] !== undefined);
	assert.deepEqual(indexes[0], indexes[1]);
});

for (const head of [HEAD, null])
	test(`an index is read again only where its plug-in changed, ${head ? "with" : "without"} git`, async () => {
		const host = memoryHost(FILES, { head });
		const counts = async (languages: LanguagePlugin[]) => {
			const nav = await open(host, { languages });
			const { items, meta } = await nav.status();
			const before = items.filter(({ verdict }) => verdict !== "unchanged");
			for (const { verdict, reason } of before)
				assert.deepEqual([verdict, reason], ["changed", "other_version"]);
			if (before.length > 0) {
				const { reason } = meta;
				assert.equal(reason, head ? "SCHEMA_UNSUPPORTED" : "HEAD_UNKNOWN");
				assert.match(meta.message ?? "", /with other plug-ins; shown/);
				const search = await nav.search("Cart");
				assert.match(search.meta.message ?? "", /with other plug-ins; shown/);
			}
			const built = await nav.buildGraph();
			nav.close();
			assert.equal(built.meta.error_code, null);
			return before.map(({ file }) => file);
		};
		assert.deepEqual(await counts([ruby()]), []);
		assert.deepEqual(await counts([ruby()]), []);
		const changed = ["cart.rbx", "price.rbx"];
		assert.deepEqual(await counts([ruby({ locals: LOCALS })]), changed);
		assert.deepEqual(await counts([]), changed);
		assert.deepEqual(await counts([]), []);
		assert.deepEqual(await counts([ruby()]), changed);
	});

for (const [title, changes, reason] of [
	["broken bytes", { wasm: new Uint8Array([1, 2, 3]) }, /`wasm` is no grammar/],
	[
		"another module",
		{ wasm: readFileSync(join(PKG, "core.wasm")) },
		/dylink.*tree-sitter build --wasm/,
	],
	[
		"tags.scm with an unknown node",
		{ tags: "\n(methods) @name" },
		/tags\.scm does not compile at line 2, column 2, in `\(methods\) @name`: the grammar has no node "methods"; pass/,
	],
	["tags.scm without tags", { tags: "(method) @x" }, /tags\.scm finds nothing/],
	[
		"locals.scm with a fault",
		{ locals: "(method" },
		/locals\.scm does not compile at line 1/,
	],
] as const) {
	test(`a plug-in with ${title} is reported, and loses nothing else`, () =>
		use([ruby(changes)], async (nav) => {
			for (const _ of [1, 2]) {
				const { meta } = await nav.outline("cart.rbx");
				assert.equal(meta.error_code, "LANGUAGE_UNAVAILABLE");
				assert.match(meta.message ?? "", reason);
			}
			const found = await nav.search("price_of");
			assert.deepEqual(
				[found.total, /grammar of rbx/.test(found.meta.message ?? "")],
				[4, true],
			);
			assert.equal((await nav.outline("tax.py")).items.length, 1);
		}));
}

for (const [languages, code, reason] of [
	[[ruby({ name: "python" })], "INVALID_ARGUMENT", /"python" already/],
	[[ruby({ name: "R" })], "INVALID_ARGUMENT", /lower-case/],
	[[ruby(), ruby({ name: "b" })], "INVALID_ARGUMENT", /"rbx" are in rbx/],
	[[ruby({ extensions: ["rb"] })], "INVALID_ARGUMENT", /"rb" are in ruby/],
	[[ruby({ extensions: ["a", ".A"] })], "INVALID_ARGUMENT", /"a" twice/],
	[[ruby({ extensions: [] })], "INVALID_ARGUMENT", /no extensions/],
	[[{ ...ruby(), tag: "" }], "INVALID_ARGUMENT", /rbx has no tag; it has/],
	[[{ ...ruby(), tags: 1 }], "INVALID_ARGUMENT", /tags of rbx/],
	[[{ ...ruby(), wasm: "ruby.wasm" }], "INVALID_ARGUMENT", /bytes or a URL/],
	[["ruby"], "INVALID_ARGUMENT", /must be an object, not ruby/],
	[{}, "INVALID_ARGUMENT", /must be a list/],
	[
		[ruby({ wasm: "file:///nowhere/ruby.wasm" })],
		"LANGUAGE_UNAVAILABLE",
		/grammar of rbx cannot be read \(ENOENT.*pass its bytes/,
	],
	[
		[ruby({ wasm: new Uint8Array([0x1f, 0x8b, 8, 0, 1]) })],
		"LANGUAGE_UNAVAILABLE",
		/grammar of rbx cannot be read \((?!ENOENT).*pass its bytes/,
	],
] as const) {
	test(`open refuses: ${reason.source}`, () =>
		assert.rejects(
			open(memoryHost({}), { languages: languages as LanguagePlugin[] }),
			(error) =>
				error instanceof RagnavError &&
				error.code === code &&
				reason.test(error.message),
		));
}
