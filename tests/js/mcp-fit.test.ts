// Answers of `ragnav mcp` stay under 10,000 tokens, and no row is lost for that.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import type { Meta } from "../../js/apps/mcp/answers.js";
import { fitPage, fitWhole, isFit, takeFirst } from "../../js/apps/mcp/fit.js";
import { assertHolds } from "./cases.js";
import { sourceRepo } from "./index-repo.js";
import { type Answer, Session } from "./mcp-client.js";

const MODULES = 60;
const USES = 10;

/**
 * Many references to one function on long lines with multi-byte characters, and many definitions of
 * one name.
 */
function widelyUsed(): Record<string, string> {
	const users = Array.from({ length: MODULES }, (_, at) => {
		const calls = Array.from(
			{ length: USES },
			(_, use) => `    target(${use})  # ${"größer ".repeat(10)}\n`,
		);
		const text = `from src.core import target\n\n\ndef user${at}():\n${calls.join("")}\n\ndef common():\n    pass\n`;
		return [`src/u${at}.py`, text];
	});
	const core = "def target(n):\n    return n\n";
	return { "src/core.py": core, ...Object.fromEntries(users) };
}

/** Collects all rows, page by page. */
async function allRows(
	session: Session,
	name: string,
	args: Record<string, unknown>,
): Promise<{ rows: string[]; pages: Answer[] }> {
	const pages: Answer[] = [];
	for (let cursor: string | null = null; ; ) {
		const given: Record<string, unknown> = { ...args, cursor };
		const page = await session.call(name, given);
		assert.notEqual(page.meta.status, "ERROR", String(page.meta.message));
		pages.push(page);
		assert.equal(page.truncated, page.cursor !== null);
		if (page.cursor === null || page.cursor === undefined) break;
		assert.ok(page.items.length > 0);
		cursor = page.cursor;
	}
	const rows = pages.flatMap(({ items }) =>
		items.map(
			({ file, line, start_utf16 }) => `${file}:${line}:${start_utf16}`,
		),
	);
	return { rows, pages };
}

test("truncated pages together have every row exactly once", async (t) => {
	const repo = sourceRepo(t, widelyUsed());
	const session = await Session.start(t, ["--repo", repo]);
	await session.call("rag_build_graph");
	const uses = MODULES * USES;
	for (const [name, args, total] of [
		["rag_search", { query: "target(" }, uses + 1],
		["rag_search", { query: "target", mode: "ranked" }, null],
		["rag_where_used", { symbol: "target" }, uses + MODULES],
		["rag_lineage", { symbol: "target" }, uses + MODULES],
	] as const) {
		for (const limit of [10_000, 40]) {
			const { rows, pages } = await allRows(session, name, { ...args, limit });
			const [first] = pages;
			if (total !== null) assert.equal(rows.length, total, `${name} ${limit}`);
			assert.equal(rows.length, first?.total, `${name} ${limit}`);
			assert.equal(new Set(rows).size, rows.length, `${name} ${limit}`);
			if (limit < 1000) continue;
			assert.ok(pages.length > 1);
			assert.match(String(first?.meta.message), /in place of 10000, to stay/);
			assert.ok(Buffer.byteLength(JSON.stringify(first)) > 30_000, "no waste");
		}
	}
});

test("truncated lists without pages report how many rows they have", async (t) => {
	const repo = sourceRepo(t, widelyUsed());
	const many = 600;
	for (let at = 0; at < many; at += 1) {
		const folder = join(repo, `a folder with a rather long name ${at}`);
		mkdirSync(folder);
		writeFileSync(join(folder, "common.py"), "def common():\n    pass\n");
	}
	const session = await Session.start(t, ["--repo", repo]);
	const found = MODULES + many;
	const located = await session.call("rag_locate", {
		symbol: "common",
		limit: 10_000,
	});
	assert.equal(located.total, found);
	assert.equal(located.truncated, true);
	assert.ok(located.items.length > 50 && located.items.length < found);
	assert.match(
		String(located.meta.message),
		new RegExp(`The first ${located.items.length} of ${found} are given`),
	);
	const few = await session.call("rag_locate", { symbol: "common", limit: 3 });
	assert.equal(few.items.length, 3);
	assert.equal(few.total, found);
	assert.match(String(few.meta.message), /Only the first 3 of 660 rows/);

	const used = await session.call("rag_where_used", { symbol: "common" });
	const definitions = used.definitions as unknown[];
	assert.ok(definitions.length < found);
	assert.match(
		String(used.meta.message),
		new RegExp(`first ${definitions.length} of ${found} definitions`),
	);
	assert.doesNotMatch(String(used.meta.message), /Long texts/);

	for (const limit of [undefined, 10_000]) {
		const built = await session.call("rag_build_graph", {
			documents: true,
			check: limit === undefined,
			...(limit === undefined ? {} : { limit }),
		});
		assert.equal(built.total, found + 1);
		assert.equal(built.truncated, true);
		assert.equal(built.items.length <= 50, limit === undefined);
		assertHolds(built.counts, { added: found + 1 });
	}
	const answer = await session.call("rag_ask", {
		question: "common",
		limit: 1000,
		token_budget: 8000,
	});
	assert.equal(answer.items.length + Number(answer.omitted), answer.total);
	const status = await session.call("rag_status", {
		include_unchanged: true,
		limit: 10_000,
	});
	assert.equal(status.total, found + 1);
	assert.equal(status.truncated, true);
});

test("answers do not repeat a long query", async (t) => {
	const repo = sourceRepo(t);
	const session = await Session.start(t, ["--repo", repo]);
	const long = "ü".repeat(30_000);
	for (const [name, args] of [
		["rag_search", { query: long }],
		["rag_search", { query: long, mode: "ranked" }],
		["rag_search", { query: long, root: long }],
		["rag_search", { query: long, mode: "regex", include: [long] }],
		["rag_where_used", { symbol: long }],
		["rag_lineage", { symbol: long }],
		["rag_locate", { symbol: long }],
		["rag_identify", { file: long, line: 1 }],
		["rag_ask", { question: `tags:${long} ${long}` }],
	] as const) {
		await session.call(name, args);
	}
});

const META: Meta = {
	status: "OK",
	error_code: null,
	message: null,
	source: "RAG_GRAPH",
	freshness_state: "FRESH",
	index_status: null,
	reason: "HEAD_MATCHES",
	head: null,
	files: null,
	plan: null,
	retrieval: null,
	receipt: null,
	since: null,
};

/** Texts of all lengths, also with characters that JSON escapes. */
const text = fc
	.tuple(
		fc.constantFrom("x", "ü", "\u0001", "😀", '"'),
		fc.oneof(fc.nat(300), fc.nat(20_000)),
	)
	.map(([letter, length]) => letter.repeat(length));

const row = fc.record({ text, nested: fc.record({ texts: fc.array(text) }) });

test("any rows are truncated to a prefix that fits", async () => {
	const whole = fc.record({
		items: fc.array(row, { maxLength: 30 }),
		definitions: fc.array(row, { maxLength: 30 }),
		query: text,
		limit: fc.integer({ min: 1, max: 40 }),
	});
	await fc.assert(
		fc.asyncProperty(whole, async ({ items, definitions, query, limit }) => {
			const answer = {
				meta: META,
				items,
				definitions: definitions.map(({ text }) => ({ text })),
				query,
				truncated: false,
				total: items.length,
			};
			const cut = fitWhole(takeFirst(answer, limit));
			assert.ok(cut.items.length <= limit);
			assert.equal(cut.truncated, cut.items.length < items.length);
			assert.equal(cut.items.length === 0, items.length === 0);
			checkCut(cut, answer);

			let offset = 0;
			while (offset < items.length) {
				const page = await fitPage(limit, async (rows) => {
					const end = Math.min(offset + rows, items.length);
					const isLast = end === items.length;
					return {
						...answer,
						items: items.slice(offset, end),
						truncated: !isLast,
						cursor: isLast ? null : "c".repeat(300),
					};
				});
				assert.ok(page.items.length > 0 && page.items.length <= limit);
				assert.equal(page.cursor?.length ?? 300, 300);
				checkCut(page, { ...answer, items: items.slice(offset) });
				offset += page.items.length;
				assert.equal(page.cursor === null, offset === items.length);
			}
		}),
		{ numRuns: 100 },
	);
});

interface Cut {
	meta: Meta;
	items: { text: string; nested: { texts: string[] } }[];
	query: string;
}

function checkCut(cut: Cut, whole: Cut): void {
	// The server refuses a single row that is larger than an answer.
	const [first] = cut.items;
	if ((first?.nested.texts.length ?? 0) < 20) assert.ok(isFit(cut));
	for (const [at, { text }] of cut.items.entries()) {
		const full = whole.items[at]?.text ?? "";
		assert.ok(full === text || full.startsWith(text.replace(/…$/, "")));
		assert.doesNotMatch(text, /[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
	}
	if (cut.items.length < whole.items.length || cut.query !== whole.query) {
		return;
	}
	const isSaid = cut.meta.message?.includes("Long texts are cut") ?? false;
	assert.equal(JSON.stringify(cut).includes("…"), isSaid);
	const isWhole = JSON.stringify(cut.items) === JSON.stringify(whole.items);
	assert.ok(isWhole || cut.meta.message !== null);
}
