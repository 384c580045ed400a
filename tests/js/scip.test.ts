// SCIP indexes: the command line writes them, and messages generated from SCIP's own schema read them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { fromBinary } from "@bufbuild/protobuf";
import {
	type Document,
	type Index,
	IndexSchema,
	type Occurrence,
	type SymbolInformation,
	SymbolInformation_Kind,
	TextEncoding,
} from "@c4312/scip/scip_pb.js";
import { put, repository, temporaryFolder } from "./hosts/helpers.js";
import { CLI } from "./mcp-client.js";

const SHOP = fileURLToPath(new URL("../fixtures/shop", import.meta.url));

const TYPESCRIPT = {
	"src/shape.ts":
		"export interface Shape {\n  area(): number;\n}\n\nexport namespace Units {\n  export const one = () => 1;\n}\n",
	"src/square.ts":
		'import { type Shape, Units } from "./shape.js";\n\n/** Has four sides. */\nexport class Square implements Shape {\n  area(): number {\n    return "😀".length * Units.one();\n  }\n}\n\nexport function area(): number;\nexport function area(shape?: Shape): number {\n  return new Square().area() + (shape?.area() ?? 0);\n}\n',
};

function run(...args: string[]) {
	return spawnSync(process.execPath, [CLI, "export", ...args], {
		encoding: "utf8",
	});
}

function readIndex(file: string): Index {
	return fromBinary(IndexSchema, readFileSync(file));
}

function written(t: TestContext, files: Record<string, string>): string {
	const root = repository(temporaryFolder(t));
	for (const [file, text] of Object.entries(files)) put(join(root, file), text);
	return root;
}

/** Exports a folder and reads the index. */
function exported(t: TestContext, root: string, ...args: string[]): Index {
	const file = join(temporaryFolder(t), "index.scip");
	const { status, stderr } = run("--scip", file, "--repo", root, ...args);
	assert.equal(status, 0, stderr);
	return readIndex(file);
}

function linesOf(root: string, { relativePath }: Document): string[] {
	return readFileSync(join(root, relativePath), "utf8").split("\n");
}

/** Writes the document as SCIP's snapshots do: below each line what its names are. */
function snapshot(root: string, document: Document): string {
	const lines = linesOf(root, document).flatMap((line, at) => {
		const here = document.occurrences.filter(({ range }) => range[0] === at);
		return [`  ${line}`, ...here.map(marked)];
	});
	return lines.join("\n").trimEnd();
}

function marked({ range, symbol, symbolRoles }: Occurrence): string {
	const [, start = 0, end = 0] = range;
	const role = ["reference", "definition", "import"][symbolRoles];
	const marks = "^".repeat(end - start);
	return `//${" ".repeat(start)}${marks} ${role} ${symbol.replace("ragnav . . . ", "")}`;
}

function documentOf({ documents }: Index, path: string): Document {
	const found = documents.find(({ relativePath }) => relativePath === path);
	assert.ok(found, path);
	return found;
}

function informationOf(index: Index, suffix: string): SymbolInformation {
	const all = index.documents.flatMap(({ symbols }) => symbols);
	const found = all.find(({ symbol }) => symbol.endsWith(suffix));
	assert.ok(found, suffix);
	return found;
}

/** Checks what is true of every index. */
function checkIndex(root: string, index: Index): void {
	const all = index.documents.flatMap(({ occurrences }) => occurrences);
	const defined = new Set(
		all.filter(({ symbolRoles }) => symbolRoles & 1).map((one) => one.symbol),
	);
	const symbols = index.documents.flatMap((document) => document.symbols);
	assert.deepEqual(new Set(symbols.map(({ symbol }) => symbol)), defined);
	assert.equal(symbols.length, defined.size);
	for (const { symbol } of all) assert.ok(defined.has(symbol), symbol);
	for (const { relationships } of symbols)
		for (const { symbol } of relationships) assert.ok(defined.has(symbol));
	for (const document of index.documents) {
		const lines = linesOf(root, document);
		for (const { range, symbol, enclosingRange } of document.occurrences) {
			assert.equal(range.length, 3);
			const [line = 0, start = 0, end = 0] = range;
			const name = lines[line]?.slice(start, end) ?? "";
			assert.ok(name !== "" && symbol.includes(name), `${name} of ${symbol}`);
			if (enclosingRange.length === 0) continue;
			const [first = 0, from = 0] = enclosingRange;
			const last = enclosingRange.at(-2) ?? 0;
			assert.ok(first < line || (first === line && from <= start));
			assert.ok(enclosingRange.length === 3 || last >= line);
		}
	}
}

test("an index of Python has definitions and what references mean", (t) => {
	const index = exported(t, SHOP);
	checkIndex(SHOP, index);
	const cart = documentOf(index, "shop/cart.py");
	assert.equal(
		snapshot(SHOP, cart),
		`  """A shopping cart."""
  
  from shop.prices import price_of
//                        ^^^^^^^^ import shop/\`prices.py\`/price_of().
  
  
  class Cart:
//      ^^^^ definition shop/\`cart.py\`/Cart#
      def __init__(self):
//        ^^^^^^^^ definition shop/\`cart.py\`/Cart#__init__().
          self.lines = []
  
      def add(self, article, count=1):
//        ^^^ definition shop/\`cart.py\`/Cart#add().
          self.lines.append((article, count))
  
      @property
      def total(self):
//        ^^^^^ definition shop/\`cart.py\`/Cart#total().
          return sum(price_of(article) * count for article, count in self.lines)
//                   ^^^^^^^^ reference shop/\`prices.py\`/price_of().`,
	);
	assert.equal(cart.language, "Python");
	assert.equal(cart.positionEncoding, 2);
	const total = cart.occurrences.find(({ symbol }) =>
		symbol.endsWith("total()."),
	);
	assert.deepEqual(total?.enclosingRange, [12, 4, 14, 78]);
	const about = informationOf(index, "Cart#total().");
	assert.equal(about.kind, SymbolInformation_Kind.Method);
	assert.equal(about.displayName, "total");
	assert.equal(about.enclosingSymbol, "ragnav . . . shop/`cart.py`/Cart#");
	assert.equal(about.signatureDocumentation?.text, "def total(self):");
});

test("an index of TypeScript has implementations and overloads", (t) => {
	const root = written(t, TYPESCRIPT);
	const index = exported(t, root);
	checkIndex(root, index);
	assert.equal(
		snapshot(root, documentOf(index, "src/square.ts")),
		`  import { type Shape, Units } from "./shape.js";
//              ^^^^^ import src/\`shape.ts\`/Shape#
//                     ^^^^^ import src/\`shape.ts\`/Units/
  
  /** Has four sides. */
  export class Square implements Shape {
//             ^^^^^^ definition src/\`square.ts\`/Square#
//                               ^^^^^ reference src/\`shape.ts\`/Shape#
    area(): number {
//  ^^^^ definition src/\`square.ts\`/Square#area().
      return "😀".length * Units.one();
//                         ^^^^^ reference src/\`shape.ts\`/Units/
//                               ^^^ reference src/\`shape.ts\`/Units/one().
    }
  }
  
  export function area(): number;
//                ^^^^ definition src/\`square.ts\`/area().
  export function area(shape?: Shape): number {
//                ^^^^ definition src/\`square.ts\`/area(+1).
//                             ^^^^^ reference src/\`shape.ts\`/Shape#
    return new Square().area() + (shape?.area() ?? 0);
//             ^^^^^^ reference src/\`square.ts\`/Square#
//                      ^^^^ reference src/\`square.ts\`/Square#area().
//                                       ^^^^ reference src/\`shape.ts\`/Shape#area().
  }`,
	);
	const square = informationOf(index, "Square#");
	assert.deepEqual(square.documentation, ["Has four sides."]);
	const [shape] = square.relationships;
	assert.equal(shape?.symbol, "ragnav . . . src/`shape.ts`/Shape#");
	assert.deepEqual(
		[shape?.isImplementation, shape?.isReference],
		[true, false],
	);
	const [area] = informationOf(index, "Square#area().").relationships;
	assert.equal(area?.symbol, "ragnav . . . src/`shape.ts`/Shape#area().");
	assert.deepEqual([area?.isImplementation, area?.isReference], [true, true]);
});

test("an index says what wrote it and where its files are", (t) => {
	const index = exported(t, SHOP);
	const { version } = JSON.parse(
		readFileSync(join(CLI, "../../../package.json"), "utf8"),
	) as { version: string };
	assert.equal(index.metadata?.toolInfo?.name, "ragnav");
	assert.equal(index.metadata?.toolInfo?.version, version);
	assert.equal(index.metadata?.projectRoot, pathToFileURL(SHOP).href);
	assert.equal(index.metadata?.textDocumentEncoding, TextEncoding.UTF8);
	const group = exported(t, `a=${SHOP}`);
	assert.equal(group.metadata?.projectRoot, "");
	assert.equal(documentOf(group, "a/shop/cart.py").symbols.length, 4);
});

test("names that are no simple identifiers are escaped, and equal ones are told apart", (t) => {
	const root = written(t, {
		"a b/`x`.py":
			"if 1:\n    class A:\n        def f(self): pass\nelse:\n    class A:\n        def f(self): pass\n",
		"é.js": "export const ü = () => 1;\n",
	});
	const index = exported(t, root, "--package", "my shop");
	checkIndexSymbols(index, [
		"ragnav . my  shop . `a b`/```x``.py`/A#",
		"ragnav . my  shop . `a b`/```x``.py`/A#f().",
		"ragnav . my  shop . `a b`/```x``.py`/A+1#",
		"ragnav . my  shop . `a b`/```x``.py`/A+1#f(+1).",
		"ragnav . my  shop . `é.js`/`ü`().",
	]);
});

function checkIndexSymbols({ documents }: Index, expected: string[]): void {
	const found = documents.flatMap(({ symbols }) => symbols);
	assert.deepEqual(
		found.map(({ symbol }) => symbol),
		expected,
	);
}

test("the last line says what was written, and how fresh it is", (t) => {
	const root = written(t, { "a.py": "def f(x): x.g()\nf(1)\n" });
	const file = join(temporaryFolder(t), "index.scip");
	const { stdout, stderr } = run("--scip", file, "--repo", root);
	assert.match(stdout, /index\.scip\n$/);
	assert.match(stderr, /^left out: 1 reference to members of objects/);
	assert.match(stderr, /1 document, 1 symbol, 2 occurrences · No index yet/);
	const json = run("--scip", file, "--repo", root, "--json");
	const { meta, occurrences } = JSON.parse(json.stdout);
	assert.deepEqual([meta.status, occurrences], ["FALLBACK", 2]);
});

test("a file that cannot be read is named, and the others are there", (t) => {
	const root = written(t, { "a.py": "def f(): pass\n", "b.py": "\0" });
	const file = join(temporaryFolder(t), "index.scip");
	const { status, stderr } = run("--scip", file, "--repo", root);
	assert.equal(status, 0);
	assert.match(stderr, /could not be read: b\.py/);
	const index = readIndex(file);
	assert.deepEqual(
		index.documents.map(({ relativePath }) => relativePath),
		["a.py"],
	);
});

test("a path that cannot be written is an error, and leaves what is there", (t) => {
	const folder = temporaryFolder(t);
	const failed = (file: string, repo: string) => {
		const { status, stderr } = run("--scip", file, "--repo", repo);
		assert.equal(status, 2);
		return stderr;
	};
	const missing = join(folder, "none", "index.scip");
	assert.match(failed(missing, SHOP), /cannot be written \(ENOENT\)/);
	mkdirSync(join(folder, "index"));
	assert.match(failed(join(folder, "index"), SHOP), /is a folder; name a file/);
	const old = put(join(folder, "old.scip"), "old");
	failed(old, join(folder, "no-repository"));
	assert.equal(readFileSync(old, "utf8"), "old");
	assert.deepEqual(readdirSync(folder).sort(), ["index", "old.scip"]);
	assert.match(run("--repo", SHOP).stderr, /--scip <file>/);
});
