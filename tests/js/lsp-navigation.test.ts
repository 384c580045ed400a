// What the language server answers about names: where they are defined, used, called and inherited.
import assert from "node:assert/strict";
import { test } from "node:test";
import type {
	CallHierarchyIncomingCall,
	CallHierarchyItem,
	CallHierarchyOutgoingCall,
	Location,
	LocationLink,
	SymbolInformation,
	TypeHierarchyItem,
} from "vscode-languageserver-protocol";
import { at, Client, FILES, shown, span, uri } from "./lsp-client.js";

test("a name leads to its definition, with the range of its name", async (t) => {
	const client = await Client.start(t);
	const use = at("shop/cart.py", "price_of(line)");
	const links: LocationLink[] = await client.ask(
		"textDocument/definition",
		use,
	);
	assert.deepEqual(
		links.map(({ targetUri, targetRange, targetSelectionRange }) => [
			targetUri,
			span(targetRange),
			span(targetSelectionRange),
		]),
		[[uri("shop/prices.py"), "25:1-27:33", "25:5-13"]],
	);
	assert.equal(
		span(links[0]?.originSelectionRange ?? assert.fail()),
		"7:20-28",
	);
});

test("a client without links gets locations", async (t) => {
	const client = await Client.start(t, { initialize: { capabilities: {} } });
	const use = at("shop/cart.py", "price(1)");
	const found: Location[] = await client.ask("textDocument/definition", use);
	assert.deepEqual(found.map(shown), ["shop/prices.py:7:9-14"]);
});

test("a variable leads to its type", async (t) => {
	const client = await Client.start(t, { initialize: { capabilities: {} } });
	const ask = (text: string): Promise<Location[] | null> =>
		client.ask("textDocument/typeDefinition", at("shop/cart.py", text));
	const found = await ask("tariff.price(1)");
	assert.deepEqual(found?.map(shown), ["shop/prices.py:4:7-13"]);
	assert.deepEqual(await ask("line in self"), []);
});

test("where no name of a definition stands, there is no answer and no error", async (t) => {
	const client = await Client.start(t);
	const comment = at("shop/cart.py", "name in a comment");
	const blank = at("shop/cart.py", "\nclass Cart");
	for (const method of [
		"textDocument/definition",
		"textDocument/references",
		"textDocument/hover",
		"textDocument/implementation",
		"textDocument/documentHighlight",
		"textDocument/prepareRename",
	]) {
		const context = { includeDeclaration: true };
		for (const place of [comment, blank]) {
			const found: unknown[] | null = await client.ask(method, {
				...place,
				context,
			});
			assert.ok(found === null || found.length === 0, `${method} ${found}`);
		}
	}
});

test("references are the proven ones, and a command lists the others", async (t) => {
	const client = await Client.start(t);
	const place = at("shop/prices.py", "price(self");
	const references = (includeDeclaration: boolean) =>
		client.ask<Location[]>("textDocument/references", {
			...place,
			context: { includeDeclaration },
		});
	const proven = ["shop/cart.py:7:68-73", "shop/prices.py:17:24-29"];
	assert.deepEqual((await references(false)).map(shown), proven);
	assert.deepEqual((await references(true)).map(shown), [
		"shop/prices.py:7:9-14",
		...proven,
	]);
	const candidates: Location[] = await client.ask("workspace/executeCommand", {
		command: "ragnav.candidates",
		arguments: [place],
	});
	assert.deepEqual(candidates.map(shown), ["shop/other.py:2:18-23"]);
});

test("a setting adds references by name alone", async (t) => {
	const initializationOptions = { references: "all" };
	const client = await Client.start(t, {
		initialize: { initializationOptions },
	});
	const found: Location[] = await client.ask("textDocument/references", {
		...at("shop/prices.py", "price(self"),
		context: { includeDeclaration: false },
	});
	assert.ok(found.map(shown).includes("shop/other.py:2:18-23"));
});

test("implementations of a type inherit from it, those of a method override it", async (t) => {
	const client = await Client.start(t);
	const implementations = async (path: string, text: string) => {
		const place = at(path, text);
		const method = "textDocument/implementation";
		return (await client.ask<Location[]>(method, place)).map(shown);
	};
	assert.deepEqual(await implementations("shop/prices.py", "Tariff"), [
		"shop/prices.py:15:7-11",
		"shop/prices.py:20:7-16",
	]);
	assert.deepEqual(await implementations("shop/prices.py", "price(self"), [
		"shop/prices.py:16:9-14",
		"shop/prices.py:21:9-14",
	]);
	assert.deepEqual(await implementations("shapes.ts", "area"), [
		"shapes.ts:14:2-6",
	]);
	assert.deepEqual(await implementations("shop/prices.py", "price_of"), []);
});

test("an implementation may stand outside of every definition", async (t) => {
	const client = await Client.start(t, {
		files: { "a.rs": "trait Shape {}\nstruct Dot;\nimpl Shape for Dot {}\n" },
	});
	const found: Location[] = await client.ask("textDocument/implementation", {
		textDocument: { uri: uri("a.rs") },
		position: { line: 0, character: 8 },
	});
	assert.deepEqual(found.map(shown), ["a.rs:3:6-11"]);
});

test("symbols of the workspace have a text in their name", async (t) => {
	const client = await Client.start(t);
	const symbols = async (query: string) => {
		const method = "workspace/symbol";
		const found: SymbolInformation[] = await client.ask(method, { query });
		return found.map(({ name, containerName }) => `${containerName}.${name}`);
	};
	assert.deepEqual(await symbols("PRICE"), [
		"shop.prices.Tariff.price",
		"shop.prices.Sale.price",
		"shop.prices.Clearance.price",
		"shop.prices.price_of",
	]);
	assert.deepEqual(await symbols("Sale.pri"), ["shop.prices.Sale.price"]);
	assert.deepEqual(await symbols("nothing"), []);
});

test("without a text, the first symbols of each folder are listed", async (t) => {
	const many = Array.from({ length: 300 }, (_, at) => `def f${at}(): ...\n`);
	const client = await Client.start(t, {
		files: {
			"a.md": "# A title\n",
			"b.py": "class Cart:\n    def total(self): ...\n",
			"c.py": "\0",
			"d.py": many.join(""),
		},
	});
	for (const query of ["", " "]) {
		const method = "workspace/symbol";
		const found: SymbolInformation[] = await client.ask(method, { query });
		assert.equal(found.length, 200);
		assert.deepEqual(
			found.slice(0, 3).map(({ location }) => shown(location)),
			["b.py:1:7-11", "b.py:2:9-14", "d.py:1:5-7"],
		);
	}
});

test("calls are followed in both directions, also from the level of a module", async (t) => {
	const client = await Client.start(t);
	const place = at("shop/prices.py", "price_of");
	const [item]: CallHierarchyItem[] = await client.ask(
		"textDocument/prepareCallHierarchy",
		place,
	);
	assert.equal(item?.detail, "shop.prices");
	const incoming: CallHierarchyIncomingCall[] = await client.ask(
		"callHierarchy/incomingCalls",
		{ item },
	);
	assert.deepEqual(
		incoming.map(({ from, fromRanges }) => [
			from.name,
			...fromRanges.map(span),
		]),
		[
			["total", "7:20-28"],
			["cart.py", "10:7-15"],
		],
	);
	const outgoing: CallHierarchyOutgoingCall[] = await client.ask(
		"callHierarchy/outgoingCalls",
		{ item },
	);
	assert.deepEqual(
		outgoing.map(({ to, fromRanges }) => [to.name, ...fromRanges.map(span)]),
		[
			["Sale", "26:14-18"],
			["price", "27:19-24"],
		],
	);
});

test("types lead to those above and below", async (t) => {
	const client = await Client.start(t);
	const place = at("shop/prices.py", "Sale(");
	const [item]: TypeHierarchyItem[] = await client.ask(
		"textDocument/prepareTypeHierarchy",
		place,
	);
	const names = async (direction: string) => {
		const method = `typeHierarchy/${direction}`;
		const found: TypeHierarchyItem[] = await client.ask(method, { item });
		return found.map(({ name }) => name);
	};
	assert.deepEqual(await names("supertypes"), ["Tariff"]);
	assert.deepEqual(await names("subtypes"), ["Clearance"]);
	const call = at("shop/cart.py", "price_of(line)");
	const none = await client.ask("textDocument/prepareTypeHierarchy", call);
	assert.equal(none, null);
});

test("an item of a hierarchy is found again after its definition moved", async (t) => {
	const client = await Client.start(t);
	const path = "shop/prices.py";
	const [item]: CallHierarchyItem[] = await client.ask(
		"textDocument/prepareCallHierarchy",
		at(path, "price_of"),
	);
	await client.open(path, `# one\n# two\n${FILES[path]}`);
	const incoming: CallHierarchyIncomingCall[] = await client.ask(
		"callHierarchy/incomingCalls",
		{ item },
	);
	assert.equal(incoming.length, 2);
});
