// Ordering documents by a model, over real connections.
import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { type Navigator, open } from "#ragnav";
import { planDeterministic } from "#ragnav/agent";
import { memoryHost } from "#ragnav/hosts/memory";
import { type Answer, endpoint, fails, says } from "./servers/endpoint.js";
import { startModel } from "./servers/model.js";

const model = await startModel();
const skip = "missing" in model && model.missing;
after(() => ("stop" in model ? model.stop() : undefined));

const QUESTION = "how are keys rotated?";

const FILES = {
	"a.md": "# Keys\nKeys are rotated by hand: rotated keys, rotated keys.\n",
	"b.md": "# Rotation\nThe scheduler rotates all keys at midnight.\n",
	"c.md": "# Doors\nA door has keys.\n",
};

async function repository(t: TestContext): Promise<Navigator> {
	const nav = await open(memoryHost(FILES));
	t.after(() => nav.close());
	return nav;
}

function pathsOf(answer: Awaited<ReturnType<Navigator["ask"]>>): string[] {
	assert.notEqual(answer.meta.status, "ERROR", `${answer.meta.message}`);
	return answer.items.map(({ citation }) => citation?.path ?? "");
}

/** Asks with a plan of the words, so that the model only orders. */
function ask(nav: Navigator, base_url: string, rerank = true) {
	const plan = planDeterministic(QUESTION);
	return nav.ask(QUESTION, { plan, rerank, llm: { base_url, model: "m" } });
}

test("a model orders the documents that were found", async (t) => {
	const nav = await repository(t);
	const { base_url, calls } = await endpoint(t, [says('{"order": [3, 2]}')]);
	const before = pathsOf(await ask(nav, base_url, false));
	assert.equal(calls.length, 0, "it is off");
	const answer = await ask(nav, base_url);
	const [first, second, third] = before;
	assert.deepEqual(pathsOf(answer), [third, second, first]);
	assert.deepEqual(
		answer.items.map(({ rank }) => rank),
		[3, 2, 1],
	);
	assert.equal(retrievalOf(answer).reranked, 3);
	assert.match(calls[0]?.body ?? "", /passage_order/);
	assert.match(calls[0]?.body ?? "", /scheduler rotates all keys/);
});

function retrievalOf(answer: Awaited<ReturnType<Navigator["ask"]>>) {
	return answer.meta.retrieval as { reranked: number };
}

test("one model plans and then orders", async (t) => {
	const nav = await repository(t);
	const plan = { semantic_search_needed: true, semantic_query: "keys" };
	const { base_url, calls } = await endpoint(t, [
		says(JSON.stringify(plan)),
		says("[3] > [1] > [2]"),
	]);
	const llm = { base_url, model: "m" };
	const answer = await nav.ask(QUESTION, { llm, rerank: true });
	assert.equal((answer.meta.plan as { source: string }).source, "llm");
	assert.equal(retrievalOf(answer).reranked, 3);
	assert.equal(calls.length, 2);
});

test("a failing model leaves the order, and the answer says so", async (t) => {
	const nav = await repository(t);
	const { base_url: none } = await endpoint(t, [says("{}")]);
	const before = pathsOf(await ask(nav, none, false));
	const failures: Answer[] = [
		fails(401, '{"error": {"message": "wrong key"}}'),
		fails(400, '{"error": "response_format is not supported"}'),
	];
	for (const answer of failures) {
		const { base_url } = await endpoint(t, [answer]);
		const found = await ask(nav, base_url);
		assert.deepEqual(pathsOf(found), before);
		assert.equal(retrievalOf(found).reranked, 0);
		assert.match(found.meta.message ?? "", /The documents are not reranked/);
	}
});

test("without a model the answer says what is missing", async (t) => {
	const nav = await repository(t);
	const answer = await nav.ask(QUESTION, { rerank: true });
	assert.equal(pathsOf(answer).length, 3);
	assert.match(answer.meta.message ?? "", /no language model/);
});

test("an invalid option is refused", async (t) => {
	const nav = await repository(t);
	const answer = await nav.ask(QUESTION, { rerank: "yes" as never });
	assert.equal(answer.meta.error_code, "INVALID_ARGUMENT");
});

test("a small model loses no document", { skip }, async (t) => {
	assert.ok("base_url" in model);
	const nav = await repository(t);
	const plan = planDeterministic(QUESTION);
	const answer = await nav.ask(QUESTION, {
		plan,
		rerank: true,
		max_retries: 1,
		deadline_ms: 120_000,
		llm: { base_url: model.base_url, model: "small" },
	});
	assert.deepEqual(pathsOf(answer).sort(), ["a.md", "b.md", "c.md"]);
	assert.equal(retrievalOf(answer).reranked, 3, `${answer.meta.message}`);
});
