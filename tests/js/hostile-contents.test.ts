// Malicious file contents: deep nesting, one long line, only definitions, binary data.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "#ragnav/full";
import { memoryHost } from "#ragnav/hosts/memory";
import { HEAD, queryThrice } from "./hostile-repo.js";
import { withNavigator } from "./index-repo.js";

/** A depth that overflows the stack of a recursive reader, and shows superlinear time. */
const DEPTH = 3_000;
/** The depth for Python's indentation, whose text grows with the square of the depth. */
const INDENTED = 400;

const rep = (text: string, count = DEPTH) => text.repeat(count);
const around = (before: string, inside: string, after: string) =>
	rep(before) + inside + rep(after);
const indented = (line: string) =>
	`${Array.from(
		{ length: INDENTED },
		(_, at) => `${" ".repeat(at)}${line}\n`,
	).join("")}${" ".repeat(INDENTED)}pass\n`;
const numbered = (line: (at: number) => string) =>
	Array.from({ length: DEPTH }, (_, at) => line(at)).join("");

/** The texts by file name, with a description. */
const DEEP: [string, string, string][] = [
	["a.py", "parentheses", `x = ${around("(", "needle", ")")}\n`],
	[
		"a.py",
		"parentheses that stay open",
		`def needle(): pass\nx = ${rep("(")}\n`,
	],
	["a.py", "lists", `x = ${around("[", "needle", "]")}\n`],
	["a.py", "dictionaries", `x = ${around("{1:", "needle", "}")}\n`],
	["a.py", "blocks", indented("if needle:")],
	["a.py", "classes", indented("class needle:")],
	["a.py", "functions", indented("def needle():")],
	["a.py", "attributes", `x = needle${rep(".a")}\n`],
	["a.py", "calls", `x = needle${rep("()")}\n`],
	["a.py", "subscripts", `x = needle${rep("[0]")}\n`],
	["a.py", "lambdas", `x = ${rep("lambda: ")}needle\n`],
	["a.py", "operators", `x = ${rep("not ")}needle${rep("+needle")}\n`],
	["a.py", "assignments", `${rep("a=")}needle\n`],
	["a.py", "format strings", `x = ${rep('f"{')}needle`],
	["a.py", "decorators", `${rep("@a\n")}def needle(): pass\n`],
	["a.py", "branches", `if needle: pass\n${rep("elif a: pass\n")}`],
	["a.py", "bases", `class needle(${rep("a,")}b): pass\n`],
	["a.py", "parameters", `def needle(${numbered((at) => `p${at},`)}): pass\n`],
	["a.py", "definitions of one name", rep("def needle():pass\n")],
	["a.py", "definitions", numbered((at) => `def f${at}():pass\n`)],
	["a.py", "star imports", rep("from a import *\n")],
	["a.py", "imports of one name", rep("import needle\n")],
	["a.py", "one line", rep("needle;")],
	["a.js", "parentheses", `x = ${around("(", "needle", ")")};\n`],
	["a.js", "functions", around("function needle(){", "", "}")],
	["a.js", "arrows", `x = ${rep("()=>")}needle\n`],
	["a.js", "classes", around("class needle{static x=", "1", "}")],
	["a.js", "blocks", around("{", "needle()", "}")],
	["a.js", "objects", `x = ${around("{needle:", "1", "}")}\n`],
	["a.js", "templates", `x = ${around("`${", "needle", "}`")}\n`],
	["a.js", "calls of functions", around("(function(){", "needle()", "})()")],
	[
		"a.js",
		"conditions",
		`x = ${rep("a?b:")}needle;${rep("if(a)b;else ")}needle()\n`,
	],
	["a.js", "variables", numbered((at) => `var v${at}=v${at + 1};`)],
	["a.ts", "generics", `let x: ${around("A<", "needle", ">")};\n`],
	["a.ts", "types", `type needle = ${around("{a:", "string", "}")};\n`],
	["a.ts", "namespaces", around("namespace needle{", "", "}")],
	["a.tsx", "elements", `x = ${around("<a>", "needle", "</a>")}\n`],
	["a.md", "quotes", `${rep("> ")}needle\n`],
	["a.md", "headings", rep("# needle\n")],
	["a.md", "brackets", `${rep("[")}needle${rep("](")}`],
	["a.md", "emphasis", `${rep("*a _")}needle`],
	["a.md", "links", rep("[[needle")],
	["a.md", "properties", `---\n${rep("a: [")}\n${rep("b:\n")}\n---\nneedle\n`],
	["a.rs", "modules", around("mod needle{", "", "}")],
	["a.rs", "functions", around("fn needle(){", "", "}")],
	["a.rs", "implementations", around("impl needle{", "fn needle(){}", "}")],
	["a.rs", "generics", `type needle = ${around("A<", "B", ">")};`],
	["a.rs", "macros", around("m!(", "needle", ")")],
	[
		"a.go",
		"functions",
		`package a\nfunc needle() { ${around("func(){", "", "}()")} }\n`,
	],
	[
		"a.go",
		"structs",
		`package a\ntype needle ${around("struct{a ", "int", "}")}\n`,
	],
	["a.go", "pointers", `package a\nfunc (r ${rep("*")}T) needle() {}\n`],
	["A.java", "classes", around("class needle{", "", "}")],
	[
		"A.java",
		"anonymous classes",
		`class A{Object needle=${around("new O(){Object a=", "1", ";}")};}`,
	],
	["A.cs", "classes", around("class needle{", "", "}")],
	["A.cs", "conditions", around("#if A\n", "class needle", "\n#endif")],
	["a.cc", "classes", around("class needle{", "", "};")],
	["a.cc", "templates", `${around("A<", "needle", ">")} x;`],
	["a.dart", "functions", around("void needle() {", "", "}")],
	["a.dart", "lists", `var x = ${around("[", "needle()", "]")};`],
	["a.dart", "strings", `var x = ${around("'${", "needle", "}'")};`],
	["a.kt", "classes", around("class needle{", "", "}\n")],
	["a.kt", "lambdas", around("f { ", "needle()", " }")],
	["a.kt", "strings", `val x = ${around('"${', "needle", '}"')}\n`],
	[
		"a.lua",
		"tables",
		`a = ${around("{ b = ", "function() needle() end", "}")}`,
	],
	["a.lua", "functions", around("needle(function() ", "", " end)")],
	["a.sh", "functions", around("f() { ", "needle", "; }")],
	["a.sh", "substitutions", around("$(", "needle", ")")],
	["a.zig", "structs", around("const needle = struct {", "", "};")],
	["a.zig", "blocks", `fn needle() void ${around("{", "", "}")}`],
	["a.scala", "objects", around("object Needle {", "", "}")],
	["a.scala", "blocks", `def needle = ${around("{", "", "}")}`],
	["a.ex", "modules", around("defmodule Needle do\n", "", "end\n")],
	["a.ex", "functions", around("fn -> ", "needle()", " end")],
	["a.swift", "classes", around("class Needle {", "", "}")],
	["a.swift", "closures", around("f { ", "needle()", " }")],
	["a.cc", "macros", around("API(", "needle", ")")],
	["a.c", "declarators", `int ${around("(*", "needle", ")")};`],
	["a.c", "blocks", `int needle()${around("{", "", "}")}`],
	["a.c", "structs", around("struct needle{", "int a;", "}x;")],
	["a.c", "conditions", around("#if A\n", "int needle();", "\n#endif")],
	["a.rb", "modules", around("module Needle\n", "", "end\n")],
	["a.rb", "methods", around("def needle;", "", "end;")],
	["a.rb", "strings", `x = ${around('"#{', "needle", '}"')}\n`],
	["a.php", "functions", `<?php ${around("function needle(){", "", "}")}`],
	["a.php", "blocks", `<?php ${around("{", "needle();", "}")}`],
	["a.php", "arrays", `<?php $x = ${around("[", "needle()", "]")};`],
];

for (const [file, what, text] of DEEP) {
	test(`${file}: ${what}, nested or one after the other`, async () => {
		const files = {
			[file]: text,
			"other.py": "def other():\n    return needle\n",
		};
		const host = memoryHost(files, { head: HEAD });
		const nav = await open(host, { workers: 0 });
		const answers = [
			await nav.search("needle"),
			await nav.whereUsed("needle"),
			await nav.lineage("needle", "upstream"),
			await nav.locate("needle"),
			await nav.identify(file.endsWith(".md") ? "other.py" : file, 1),
			await nav.buildGraph({ documents: true }),
			await nav.lineage("needle", "downstream"),
			await nav.identify(file.endsWith(".md") ? "other.py" : file, 1),
			await nav.ask("where is the needle?"),
			await nav.locate("other"),
		];
		for (const { meta } of answers) {
			assert.equal(meta.error_code, null, `${meta.error_code} ${meta.message}`);
		}
		assert.equal(answers.at(-1)?.items.length, 1);
		nav.close();
	});
}

test("nested definitions end after 256 levels in every language", async () => {
	// The names are short, because the length of a name path has a limit too.
	const levels = 300;
	const nested = (before: string, after: string) =>
		before.repeat(levels) + after.repeat(levels);
	const files: Record<string, string> = {
		"a.js": nested("function f(){", "}"),
		"a.rs": nested("mod f{", "}"),
		"A.java": nested("class f{", "}"),
		"A.cs": nested("class f{", "}"),
		"a.cc": nested("namespace f{", "}"),
		"a.ex": nested("def f do\n", "end\n"),
		"a.swift": nested("class f {", "}"),
		"a.scala": nested("class f {", "}"),
		"a.zig": nested("const f = struct {", "};"),
		"a.sh": nested("f() { ", ":\n}\n"),
		"a.dart": nested("void f() {", "}"),
		"a.kt": nested("class f {\n", "\n}\n"),
		"a.lua": nested("function f() ", " end"),
		"a.rb": nested("def f;", "end;"),
		"a.php": `<?php ${nested("function f(){", "}")}`,
	};
	for (const [file, text] of Object.entries(files)) {
		const nav = await open(memoryHost({ [file]: text }, { head: HEAD }));
		const { items, meta } = await nav.locate("f", { limit: 10_000 });
		assert.equal(items.length, 256, file);
		assert.match(`${meta.message}`, /is parsed only in part/, file);
		nav.close();
	}
});

test("facts end where a text is nested too deeply, as in the native build", async () => {
	const nested = (times: number) =>
		`function before() {}\nx = ${"[".repeat(times)}${"]".repeat(times)};\nfunction after() {}\n`;
	for (const [times, found] of [
		[8_100, { before: 1, after: 1, partial: false }],
		[8_300, { before: 1, after: 0, partial: true }],
		[1 << 20, { before: 1, after: 0, partial: true }],
	] as const) {
		const nav = await open(memoryHost({ "a.js": nested(times) }));
		const before = await nav.locate("before");
		const after = await nav.locate("after");
		const partial = /a\.js is parsed only in part/.test(
			`${after.meta.message}`,
		);
		assert.deepEqual(
			{ before: before.items.length, after: after.items.length, partial },
			found,
			`${times} levels`,
		);
		nav.close();
	}
});

test("facts of ever deeper texts are extracted in time", async () => {
	const files: Record<string, string> = {
		"a.py": "<-",
		"b.js": "-> ",
		"c.ts": "a<b,",
		"d.tsx": "case 1: ",
		"e.java": "%w(",
		"f.rs": "%w(",
		"g.c": "<-",
		"h.go": "-> ",
	};
	const texts = Object.entries(files).map(([path, text]) => [
		path,
		`${text.repeat(1 << 14)} needle`,
	]);
	const nav = await open(memoryHost(Object.fromEntries(texts), { head: HEAD }));
	const { meta } = await nav.buildGraph();
	assert.match(
		`${meta.message}`,
		/^8 files \(a\.py, b\.js, c\.ts, …\) are parsed only in part/,
	);
	const { items } = await nav.search("needle");
	assert.equal(items.length, Object.keys(files).length);
	nav.close();
});

const utf8 = (text: string) => Buffer.from(text);

test("binary files are reported, and unusual texts are read", async () => {
	const source = "def needle():\n    return 1\n";
	const files: Record<string, Uint8Array> = {
		"a.py": utf8(source),
		"nul.py": utf8(`${source}\0`),
		"utf16.py": Buffer.from(`\ufeff${source}`, "utf16le"),
		"unmarked.py": Buffer.from(source, "utf16le"),
		"latin1.py": Buffer.from(`# coding: latin-1\n# \xe9\n${source}`, "latin1"),
		"invalid.py": Buffer.concat([
			utf8(source),
			Buffer.from([0xff, 0xc0, 0x80]),
		]),
		"surrogate.py": Buffer.concat([
			utf8("# "),
			Buffer.from([0xed, 0xa0, 0x80]),
			utf8(`\n${source}`),
		]),
		"cut.py": Buffer.concat([utf8(source), Buffer.from([0xe2, 0x82])]),
		"empty.py": utf8(""),
		"bom.py": utf8(`\ufeff${source}`),
		"boms.py": utf8(`\ufeff\ufeff${source}`),
		"cr.py": utf8(source.replaceAll("\n", "\r")),
		"crlf.py": utf8(source.replaceAll("\n", "\r\n")),
		"mixed.py": utf8(`#\r#\r\n#\n\r#\n${source}`),
		"separators.py": utf8(`x = "\u2028\u2029\u0085\v\f"\n${source}`),
		"control.py": utf8(`# \u001b[31m\u0007\u0008\n${source}`),
		"wide.py": utf8(`x = "${"\u{1f600}".repeat(100)}"; needle\n`),
		"breaks.py": utf8("\n".repeat(100_000)),
		"returns.py": utf8("\r".repeat(100_000)),
	};
	const host = memoryHost(files, { head: HEAD });
	const truth = new Map(
		Object.entries(files).map(([path, bytes]) => [path, Buffer.from(bytes)]),
	);
	const { found, skipped } = await queryThrice(host, { files: truth });
	assert.deepEqual(Object.fromEntries(skipped), {
		"nul.py": "binary",
		"unmarked.py": "binary",
	});
	const left = new Set([
		...skipped.keys(),
		"empty.py",
		"breaks.py",
		"returns.py",
	]);
	assert.deepEqual(
		found,
		Object.keys(files)
			.filter((path) => !left.has(path))
			.sort(),
	);
});

test("a match in a long line has a shortened snippet and the right columns", async () => {
	const line = (count: number) =>
		`${"var a=0;".repeat(count)}needle();${"b();".repeat(2 * count)}`;
	// And a megabyte in a language without a grammar.
	const [minified, text] = [line(5_000), line(70_000)];
	const host = memoryHost(
		{ "a.js": minified, "b.md": text, "c.txt": text },
		{ head: HEAD },
	);
	const { found } = await queryThrice(host, { file: "a.js" });
	assert.deepEqual(found, ["a.js", "b.md", "c.txt"]);
	await withNavigator(host, async (nav) => {
		const { items } = await nav.search("needle");
		for (const { file, start_utf16, end_utf16, snippet } of items) {
			const start = file === "a.js" ? 40_000 : 560_000;
			assert.deepEqual([start_utf16, end_utf16], [start, start + 6], file);
			const { text } = snippet;
			assert.ok(text.length < 1000 && text.includes("needle"), file);
		}
		assert.ok((await nav.ask("needle")).items.length > 0);
	});
});
