// SCIP indexes as a source of answers, in programs.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { create } from "@bufbuild/protobuf";
import {
	OccurrenceSchema,
	PositionEncoding,
	RelationshipSchema,
	SymbolInformationSchema,
} from "@c4312/scip/scip_pb.js";
import { type NavItem, open, type WhereUsedResult } from "#ragnav";
import { type MemoryHost, memoryHost } from "#ragnav/hosts/memory";
import {
	CART,
	document,
	FILES,
	IN_SHAPES,
	IN_SHOW,
	indexOf,
	type Name,
	ORDER,
	SHAPES,
	SHOP,
	SHOW,
} from "./scip-shop.js";

/** Opens files in memory with an index. */
async function opened(
	t: TestContext,
	index: Uint8Array,
	files: Record<string, string> = FILES,
) {
	const host = memoryHost(files);
	host.files.set("index.scip", index);
	const nav = await open(host, { scip: ["index.scip"] });
	t.after(() => nav.close());
	const used = async (symbol: string) => rowsOf(await nav.whereUsed(symbol));
	const state = async () => (await nav.status()).compiler_indexes[0];
	return { host, nav, used, state };
}

function rowsOf({ items }: WhereUsedResult): string[] {
	return items.map(rowOf);
}

function rowOf({ file, line, resolution, evidence }: NavItem): string {
	const by = evidence === undefined ? "" : ` ${evidence}`;
	return `${file}:${line} ${resolution}${by}`;
}

function edit(host: MemoryHost, file: string, text: string): void {
	host.files.set(file, new TextEncoder().encode(text));
}

const CANDIDATES = ["show.py:2 candidate", "show.py:3 candidate"];

test("an index resolves candidates, until a file of theirs changes", async (t) => {
	const { host, used, state, nav } = await opened(t, SHOP);
	assert.deepEqual(await used("Cart.total"), ["show.py:2 resolved compiler"]);
	assert.deepEqual(await used("Order.total"), ["show.py:3 resolved compiler"]);
	assert.deepEqual(await state(), {
		path: "index.scip",
		problem: null,
		used: 2,
		proven: 0,
		changed: 0,
		affected: 0,
		missing: 0,
		outside: 0,
	});
	const [at] = (await nav.definition("show.py:3:11")).items;
	assert.equal(at?.symbol, "sym:shapes.Order.total");
	assert.equal(at.evidence, "compiler");
	edit(host, "show.py", `\n${SHOW}`);
	assert.deepEqual(await used("Cart.total"), [
		"show.py:3 candidate",
		"show.py:4 candidate",
	]);
	assert.equal((await state())?.changed, 1);
	edit(host, "show.py", SHOW);
	edit(host, "shapes.py", `# Shapes\n${SHAPES}`);
	assert.deepEqual(await used("Cart.total"), CANDIDATES);
	// The file itself is as it was, but what its names mean may not be.
	assert.equal((await state())?.affected, 1);
});

test("the same rows come from ragnav's index", async (t) => {
	const { nav, used } = await opened(t, SHOP);
	const live = await used("Cart.total");
	await nav.buildGraph();
	assert.deepEqual(await used("Cart.total"), live);
	const bare = await open(memoryHost(FILES));
	t.after(() => bare.close());
	assert.deepEqual(rowsOf(await bare.whereUsed("Cart.total")), CANDIDATES);
});

test("a new index replaces the old one, also for an open navigator", async (t) => {
	const { host, used } = await opened(t, SHOP);
	const more = `import os\n${SHOW}`;
	edit(host, "show.py", more);
	assert.equal((await used("Cart.total")).length, 2);
	const moved = IN_SHOW.map(([line, ...rest]): Name => [line + 1, ...rest]);
	host.files.set(
		"index.scip",
		indexOf([document("shapes.py", IN_SHAPES), document("show.py", moved)]),
	);
	assert.deepEqual(await used("Cart.total"), ["show.py:3 resolved compiler"]);
	host.files.delete("index.scip");
	assert.equal((await used("Cart.total")).length, 2);
});

test("columns count bytes, units of UTF-16 or code points", async (t) => {
	const show = 'def show(cart):\n    "é😀"; cart.total()\n';
	const { UnspecifiedPositionEncoding: unknown, ...encodings } =
		PositionEncoding;
	const starts = [
		[encodings.UTF8CodeUnitOffsetFromLineStart, 19],
		[encodings.UTF16CodeUnitOffsetFromLineStart, 16],
		[encodings.UTF32CodeUnitOffsetFromLineStart, 15],
	] as const;
	for (const [encoding, start] of starts) {
		for (const positionEncoding of [encoding, unknown]) {
			const names: Name[] = [[1, start, start + 5, CART]];
			const index = indexOf([
				document("shapes.py", IN_SHAPES),
				document("show.py", names, { positionEncoding }),
			]);
			const files = { ...FILES, "show.py": show };
			const { nav } = await opened(t, index, files);
			const [row] = (await nav.whereUsed("Cart.total")).items;
			assert.ok(row);
			assert.deepEqual(
				[row.evidence, row.start_utf16, row.end_utf16],
				["compiler", 16, 21],
			);
		}
	}
});

test("a text in the index proves the file, or shows that it changed", async (t) => {
	// All names are at their places in both texts.
	const other = SHOW.replace("()\n    order", "( )\n#   order");
	for (const [text, used, changed] of [
		[SHOW, 2, 0],
		[other, 1, 1],
	] as const) {
		const index = indexOf([
			document("shapes.py", IN_SHAPES),
			document("show.py", IN_SHOW, { text }),
		]);
		const { state } = await opened(t, index);
		const found = await state();
		assert.deepEqual([found?.used, found?.changed], [used, changed]);
		assert.equal(found?.proven, used - 1);
	}
});

test("a call of a base stays a candidate of what implements it", async (t) => {
	const base = "example . . . other/Base#total().";
	const shapes = document("shapes.py", IN_SHAPES);
	const shown = document("show.py", [[1, 9, 14, base]]);
	const implementing = create(SymbolInformationSchema, {
		symbol: ORDER,
		relationships: [
			create(RelationshipSchema, { symbol: base, isImplementation: true }),
		],
	});
	const files = { ...FILES, "show.py": "def show(cart):\n    cart.total()\n" };
	for (const symbols of [[], [implementing]]) {
		const index = indexOf([{ ...shapes, symbols }, shown]);
		const { used } = await opened(t, index, files);
		assert.equal((await used("Order.total")).length, symbols.length);
		assert.deepEqual(await used("Cart.total"), []);
	}
});

test("typed ranges are read, and other roles and fields skipped", async (t) => {
	// The schema of the tests is older than these fields.
	const range = [0x42, 6, 0x08, 1, 0x10, 9, 0x18, 14];
	const symbol = new TextEncoder().encode(CART);
	const occurrence = [...range, 0x12, symbol.length, ...symbol, 0x28, 3];
	const path = new TextEncoder().encode("show.py");
	const shown = [0x0a, path.length, ...path];
	shown.push(0x12, occurrence.length, ...occurrence);
	const bytes = Uint8Array.from([
		...indexOf([document("shapes.py", IN_SHAPES)]),
		...[0x12, shown.length, ...shown],
	]);
	const { used } = await opened(t, bytes);
	assert.deepEqual(
		(await used("Cart.total"))[0],
		"show.py:2 resolved compiler",
	);
});

test("what is no index is not used, and the answers say so", async (t) => {
	const cut = SHOP.slice(0, SHOP.length - 3);
	const odd = create(OccurrenceSchema, { range: [1, 2], symbol: CART });
	for (const [bytes, message] of [
		[cut, /^.*index\.scip is not used: it is no SCIP index: it is cut off/],
		[new TextEncoder().encode("scip\n"), /it is no SCIP index/],
		[new Uint8Array(), /it has no documents/],
		[
			indexOf([{ ...document("show.py", []), occurrences: [odd] }]),
			/a range has 2 numbers/,
		],
	] as const) {
		const { nav, state } = await opened(t, bytes);
		const answer = await nav.whereUsed("Cart.total");
		assert.deepEqual(rowsOf(answer), CANDIDATES);
		assert.match(answer.meta.message ?? "", message);
		assert.notEqual((await state())?.problem, null);
	}
	for (const path of ["none.scip", "../index.scip", "/index.scip"]) {
		const nav = await open(memoryHost(FILES), { scip: [path] });
		t.after(() => nav.close());
		const answer = await nav.whereUsed("Cart.total");
		assert.deepEqual(rowsOf(answer), CANDIDATES);
		assert.ok(answer.meta.message?.includes(`${path} is not used`), path);
	}
	const stat = () => {
		throw new Error("the disk is gone");
	};
	const nav = await open({ ...memoryHost(FILES), stat }, { scip: ["a.scip"] });
	t.after(() => nav.close());
	const answer = await nav.whereUsed("Cart.total");
	assert.ok(answer.meta.message?.includes("a.scip is not used"));
	let reads = 0;
	const readMany: MemoryHost["readMany"] = (paths, options) => {
		reads += paths.includes("a.scip") ? 1 : 0;
		return memoryHost(FILES).readMany(paths, options);
	};
	const failing = { ...memoryHost(FILES), stat, readMany };
	const other = await open(failing, { scip: ["a.scip"] });
	t.after(() => other.close());
	for (const _ of [1, 2, 3]) await other.whereUsed("Cart.total");
	assert.equal(reads, 3);
	for (const scip of ["index.scip", [1], [""]]) {
		const opening = open(memoryHost({}), { scip } as object);
		await assert.rejects(opening, { code: "INVALID_ARGUMENT" });
	}
});

test("documents outside of the repository and without a file are counted", async (t) => {
	const index = indexOf([
		document("shapes.py", IN_SHAPES),
		document("../show.py", IN_SHOW),
		document("C:\\show.py", IN_SHOW),
		document("gone.py", [[0, 0, 5, CART]]),
		document("show.py", [[99, 0, 5, CART]]),
	]);
	const { used, state } = await opened(t, index);
	const { outside, missing, changed } = (await state()) ?? {};
	assert.deepEqual([outside, missing, changed], [2, 1, 1]);
	assert.deepEqual(await used("Cart.total"), CANDIDATES);
});

test("an index is about its own folder, or the one that it names", async (t) => {
	const files = { "shop/shapes.py": SHAPES, "shop/show.py": SHOW };
	const documents = [
		document("shapes.py", IN_SHAPES),
		document("show.py", IN_SHOW),
	];
	for (const [path, projectRoot] of [
		["shop/index.scip", ""],
		["./shop/index.scip", "file:///elsewhere/shop"],
		["build/index.scip", "file:///work/shop"],
		["build/index.scip", "file:///work/shop/"],
	] as const) {
		const host = memoryHost(files);
		host.root = "/work";
		host.files.set(path.replace("./", ""), indexOf(documents, projectRoot));
		const nav = await open(host, { scip: [path] });
		t.after(() => nav.close());
		const [state] = (await nav.status()).compiler_indexes;
		assert.equal(state?.used, 2, `${path} of ${projectRoot}`);
	}
});

test("indexes of several repositories are of the one that they are in", async (t) => {
	const shop = memoryHost(FILES);
	shop.files.set("index.scip", SHOP);
	const other = memoryHost({ "show.py": SHOW });
	const roots = [
		{ name: "shop", host: shop },
		{ name: "other", host: other },
	];
	const nav = await open(roots, { scip: ["shop/index.scip"] });
	t.after(() => nav.close());
	const rows = rowsOf(await nav.whereUsed("Cart.total"));
	assert.equal(rows[0], "shop/show.py:2 resolved compiler");
	assert.equal(rows.filter((row) => row.startsWith("other/")).length, 2);
});
