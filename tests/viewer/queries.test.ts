// The queries of the page over a worker that fails or is slow.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { MessageChannel } from "node:worker_threads";
import { type Endpoint, expose, type Remote, releaseProxy } from "comlink";

interface Waiting {
	question: string;
	report: (done: number) => void;
	answer: () => void;
}

/** The questions that the worker has not answered, in their order. */
const waiting: Waiting[] = [];

const NO_REPOSITORY = "no repository is open";
const fail = async () => {
	throw new Error(NO_REPOSITORY);
};

const api = {
	outline: fail,
	identify: fail,
	locate: fail,
	matchSymbols: fail,
	cancel: () => undefined,
	ask: (
		_id: number,
		question: string,
		_only: null,
		onProgress: Remote<(progress: object) => void>,
	) =>
		new Promise((resolve) => {
			waiting.push({
				question,
				report: (done) => {
					void onProgress({ done, total: null, phase: "files" });
				},
				answer: () => {
					// Its open port would keep the process.
					onProgress[releaseProxy]();
					resolve({ meta: { status: "OK" }, items: [] });
				},
			});
		}),
};

const { port1, port2 } = new MessageChannel();
expose(api, port2 as unknown as Endpoint);

/** The page's end of the channel in place of a worker. */
class FakeWorker implements Endpoint {
	readonly #port = port1 as unknown as Endpoint;
	postMessage = this.#port.postMessage.bind(this.#port);
	addEventListener = this.#port.addEventListener.bind(this.#port);
	removeEventListener = this.#port.removeEventListener.bind(this.#port);
	start = () => this.#port.start?.();
}

// The modules of the page use these globals when they are loaded.
Object.assign(globalThis, {
	Worker: FakeWorker,
	location: { hash: "" },
	matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
});

const state = await import("../../js/apps/viewer/page/state.js");
const queries = await import("../../js/apps/viewer/page/queries.js");
const { route } = await import("../../js/apps/viewer/page/location.js");

after(() => port1.close());

async function until(holds: () => boolean): Promise<void> {
	for (let tries = 0; !holds() && tries < 200; tries += 1) {
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
	assert.ok(holds());
}

test("a failed query shows its message and stops loading", async () => {
	await queries.loadOutline("a.py");
	assert.deepEqual(state.outline.value, { isLoading: false, value: null });
	assert.equal(state.notice.value, NO_REPOSITORY);
	for (const query of [
		() => queries.loadEnclosing("a.py", 1),
		() => queries.locate("sym:a.f"),
		() => queries.describe("a.py:1:1"),
		() => queries.matchSymbols("f"),
	]) {
		state.notice.value = null;
		await query();
		assert.equal(state.notice.value, NO_REPOSITORY);
	}
	assert.deepEqual(state.enclosing.value, []);
	assert.equal(await queries.locate("sym:a.f"), undefined);
	assert.deepEqual(await queries.matchSymbols("f"), []);
});

test("a superseded question leaves the progress of the newer one", async () => {
	const ask = (question: string) => {
		route.value = { ...route.peek(), question };
		return queries.ask();
	};
	const first = ask("one");
	await until(() => waiting.length === 1);
	const second = ask("two");
	await until(() => waiting.length === 2);
	const [one, two] = waiting;
	two?.report(3);
	await until(() => state.progress.value === "3 files");
	one?.report(9);
	one?.answer();
	await first;
	assert.equal(state.progress.value, "3 files");
	assert.equal(state.passages.value.isLoading, true);
	two?.answer();
	await second;
	assert.equal(state.progress.value, null);
	assert.equal(state.passages.value.isLoading, false);
});
