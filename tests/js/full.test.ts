// Every language: each query over a repository in all of them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
	identifySymbolAtLine,
	type Navigator,
	type OpenOptions,
	open,
} from "#ragnav/full";
import { memoryHost } from "#ragnav/hosts/memory";
import { nodeHost } from "#ragnav/hosts/node";
import { assertHolds } from "./cases.js";
import { sourceRepo } from "./index-repo.js";

const HEAD = "0123456789abcdef0123456789abcdef01234567";

const RUST =
	"pub struct Login;\n\nimpl Login {\n    pub fn open(&self) {}\n}\n";

const SOURCES: Record<string, string> = {
	"src/login.rs": RUST,
	"src/main.rs":
		"mod login;\nuse crate::login::Login;\nfn main() { Login.open(); }\n",
	"login.go":
		"package a\n\ntype Session struct{}\n\nfunc (s *Session) Close() { s.flush() }\nfunc (s *Session) flush() {}\n",
	"main.go": "package a\n\nfunc run(s Session) { s.Close() }\n",
	"Shop.java":
		"class Shop {\n    int price() { return tax(); }\n    int tax() { return 1; }\n}\n",
	"Cart.java":
		"class Cart extends Shop {\n    int total(Shop shop) { return shop.price(); }\n}\n",
	"Store.cs":
		"namespace Trade;\n\nclass Store {\n    int Price => Tax();\n    int Tax() { return 1; }\n}\n",
	"Till.cs":
		"class Till : Store { int Total(Store store) { return store.Price; } }\n",
	"disk.h":
		"namespace disk {\n\nclass Disk {\n public:\n  int read();\n};\n\n}  // namespace disk\n",
	"disk.cc":
		'#include "disk.h"\n\nint disk::Disk::read() {\n  return seek();\n}\n',
	"area.c": "int area_of(int side)\n{\n\treturn side * side;\n}\n",
	"area.h": "int area_of(int side);\n",
	"queue.zig":
		"pub const Queue = struct {\n    len: usize,\n    fn push(self: *Queue) void {\n        self.len += 1;\n    }\n};\n",
	"Till.scala":
		"package shop\n\nobject Till {\n  def open(): Unit =\n    println(1)\n}\n",
	"Lamp.swift": "struct Lamp {\n  func glow() {\n    print(1)\n  }\n}\n",
	"stock.ex": "defmodule Stock.Shelf do\n  def take(n) do\n    n\n  end\nend\n",
	"deploy.sh":
		"#!/bin/bash\nupload() {\n  echo\n}\nfunction deploy {\n  upload\n}\n",
	"bin.dart":
		"class Bin {\n  Bin.empty();\n  int total() => count();\n  int count() => 0;\n}\n",
	"Tray.kt":
		"class Tray {\n    fun total() = sum { it.price }\n    fun add() { total() }\n}\n",
	"cart.lua":
		"local Basket = {}\nlocal function round(n) return n end\nfunction Basket:total()\n  return round(1)\nend\n",
	"user.rb":
		"module Accounts\n  class User\n    def rename(name)\n      save\n    end\n\n    def save; end\n  end\nend\n",
	"Mail.php":
		"<?php\nclass Mail {\n    function send() { $this->check(); }\n    function check() {}\n}\n",
	"shop.py": "def tax():\n    return 1\n",
	"shop.ts": "export function tax() { return 1; }\n",
};

async function use<T>(
	ask: (nav: Navigator) => Promise<T>,
	options?: OpenOptions,
): Promise<T> {
	const nav = await open(memoryHost(SOURCES, { head: HEAD }), options);
	try {
		return await ask(nav);
	} finally {
		nav.close();
	}
}

test("identify finds the symbol of a line in every language", () => {
	for (const [file, line, symbol] of [
		["src/login.rs", 4, "sym:src.login.Login.open"],
		["login.go", 5, "sym:login.Session.Close"],
		["Shop.java", 3, "sym:Shop.Shop.tax"],
		["Store.cs", 5, "sym:Store.Trade.Store.Tax"],
		["disk.h", 5, "sym:disk.disk.Disk.read"],
		["disk.cc", 4, "sym:disk.disk.Disk.read"],
		["area.c", 3, "sym:area.area_of"],
		["queue.zig", 4, "sym:queue.Queue.push"],
		["Till.scala", 5, "sym:Till.Till.open"],
		["stock.ex", 3, "sym:stock.Stock.Shelf.take"],
		["Lamp.swift", 3, "sym:Lamp.Lamp.glow"],
		["deploy.sh", 6, "sym:deploy.deploy"],
		["bin.dart", 3, "sym:bin.Bin.total"],
		["Tray.kt", 3, "sym:Tray.Tray.add"],
		["cart.lua", 4, "sym:cart.Basket.total"],
		["user.rb", 4, "sym:user.Accounts.User.rename"],
		["Mail.php", 3, "sym:Mail.Mail.send"],
		["shop.py", 2, "sym:shop.tax"],
		["shop.ts", 1, "sym:shop.tax"],
	] as const) {
		const source = SOURCES[file] ?? "";
		assert.equal(identifySymbolAtLine(source, line, { path: file }), symbol);
	}
	assert.equal(
		identifySymbolAtLine(RUST, 4, { lang: "rust" }),
		"sym:module.Login.open",
	);
});

test("an error about an unknown language names the known ones", () => {
	assert.throws(
		() => identifySymbolAtLine("", 1, { lang: "cobol" }),
		({ code, message }) =>
			code === "LANGUAGE_UNAVAILABLE" && message.includes("python, ruby, rust"),
	);
});

test("locate finds definitions, and search names the enclosing symbol", () =>
	use(async (nav) => {
		for (const [symbol, file, kind, lines] of [
			["Login.open", "src/login.rs", "method", [4, 4]],
			["Session", "login.go", "class", [3, 3]],
			["area_of", "area.c", "function", [1, 4]],
			["Store.Price", "Store.cs", "method", [4, 4]],
			["disk.Disk", "disk.h", "class", [3, 6]],
			["Queue.push", "queue.zig", "method", [3, 5]],
			["Till.open", "Till.scala", "method", [4, 5]],
			["Shelf.take", "stock.ex", "function", [2, 4]],
			["Lamp.glow", "Lamp.swift", "method", [2, 4]],
			["upload", "deploy.sh", "function", [2, 4]],
			["Bin.empty", "bin.dart", "method", [2, 2]],
			["Tray.add", "Tray.kt", "method", [3, 3]],
			["Basket.total", "cart.lua", "method", [3, 5]],
			["Accounts.User", "user.rb", "class", [2, 8]],
			["Mail.check", "Mail.php", "method", [4, 4]],
		] as const) {
			const [start_line, end_line] = lines;
			assertHolds(await nav.locate(symbol), {
				items: [{ file, kind, start_line, end_line }],
			});
		}
		assertHolds(await nav.search("return tax"), {
			items: [{ file: "Shop.java", symbol: "sym:Shop.Shop.price" }],
		});
		const ranked = await nav.search("close session", { mode: "ranked" });
		assert.equal(ranked.items[0]?.file, "login.go");
	}));

for (const indexed of [false, true]) {
	test(`whereUsed and lineage ${indexed ? "from an index" : "live"}`, () =>
		use(
			async (nav) => {
				if (indexed) {
					assert.equal((await nav.buildGraph()).meta.status, "OK");
				}
				const rows = async (symbol: string) =>
					(await nav.whereUsed(symbol)).items.map(
						({ file, line, kind, resolution, symbol }) =>
							`${file}:${line} ${kind} ${resolution} ${symbol}`,
					);
				assert.deepEqual(await rows("Session.Close"), [
					"main.go:3 call resolved sym:main.run",
				]);
				assert.deepEqual(await rows("Session.flush"), [
					"login.go:5 call resolved sym:login.Session.Close",
				]);
				assert.deepEqual(await rows("Shop.Shop"), [
					"Cart.java:1 inherit resolved sym:Cart.Cart",
					"Cart.java:2 reference resolved sym:Cart.Cart.total",
				]);
				assert.deepEqual(await rows("Store.Tax"), [
					"Store.cs:4 call resolved sym:Store.Trade.Store.Price",
				]);
				assert.deepEqual(await rows("Store.Price"), [
					"Till.cs:1 reference candidate sym:Till.Till.Total",
				]);
				assert.deepEqual(await rows("login.Login"), [
					"src/login.rs:3 reference resolved null",
					"src/main.rs:2 import resolved null",
					"src/main.rs:3 reference resolved sym:src.main.main",
				]);
				assert.deepEqual(await rows("area_of"), [
					"area.h:1 reference resolved null",
				]);
				assert.deepEqual(await rows("User.save"), [
					"user.rb:4 call resolved sym:user.Accounts.User.rename",
				]);
				assertHolds(await nav.lineage("Shop.tax", "upstream"), {
					items: [{ edge: "calls", via: ["sym:Shop.Shop.price"] }],
				});
				assertHolds(await nav.lineage("main.run", "downstream"), {
					items: [{ edge: "calls", via: ["sym:login.Session.Close"] }],
				});
			},
			{ workers: 2 },
		));
}

test("files are chunked by definitions", () =>
	use(async (nav) => {
		const built = await nav.buildGraph({ documents: true });
		assert.equal(built.meta.status, "OK", `${built.meta.message}`);
		const answer = await nav.ask("what closes the session?");
		assert.equal(answer.items[0]?.citation?.path, "login.go");
	}));

test("workers have every language", async (t) => {
	const sources = Object.fromEntries(
		Array.from({ length: 60 }, (_, at) => [`m${at}.rs`, `fn f${at}() {}\n`]),
	);
	const folders = [0, 2].map((workers) => ({
		workers,
		folder: sourceRepo(t, sources),
	}));
	const facts = [];
	for (const { workers, folder } of folders) {
		const nav = await open(nodeHost(folder), { workers });
		assert.equal((await nav.buildGraph()).meta.status, "OK");
		assertHolds(await nav.locate("f59"), {
			items: [{ file: "m59.rs", source: "RAG_GRAPH" }],
		});
		nav.close();
		const graph = readFileSync(join(folder, ".llmc", "rag_graph.json"), "utf8");
		facts.push(JSON.parse(graph).nodes?.length ?? graph.length);
	}
	assert.equal(facts[0], facts[1]);
});
