// The requests of a query, one after another.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CorePanic, drive } from "../../js/core/driver.js";
import type { Session, Step } from "../../js/generated/glue.js";
import { memoryHost } from "../../js/hosts/memory/host.js";

/** A session whose core panics and which cannot be freed afterwards. */
function stopping(step: () => Step): Session {
	const stop = () => {
		throw new WebAssembly.RuntimeError("unreachable");
	};
	return {
		start: step,
		respond: stop,
		fail: stop,
		free: () => {
			throw new Error("attempted to take ownership while it was borrowed");
		},
	} as unknown as Session;
}

test("a stopped core is a panic, also if its session cannot be freed", async () => {
	const sessions = [
		stopping(() => {
			throw new WebAssembly.RuntimeError("unreachable");
		}),
		stopping(() => ({ state: "need", request: { name: "gitHead" } })),
	];
	for (const session of sessions) {
		await assert.rejects(
			drive(session, memoryHost({}), {}),
			(thrown) =>
				thrown instanceof CorePanic && thrown.message === "unreachable",
		);
	}
});

test("a build whose host writes in time completes, however long all writes take", async (t) => {
	t.mock.timers.enable({ apis: ["setTimeout"] });
	const controller = new AbortController();
	const write = (path: string): Step => ({
		state: "need",
		request: { name: "write", path, parts: [], exclusive: false },
	});
	const steps: Step[] = [
		{ state: "need", request: { name: "commit" } },
		write("a"),
		write("b"),
		write("c"),
		{ state: "done", value: "built" },
	];
	let at = 0;
	const next = () => {
		// The build is interrupted between two requests.
		if (at === 2) controller.abort();
		return steps[at++];
	};
	const session = { start: next, respond: next, fail: next, free: () => {} };
	const host = {
		...memoryHost({}),
		write: async () => {
			await Promise.resolve();
			t.mock.timers.tick(1500);
		},
	};
	const { signal } = controller;
	const built = await drive(session as unknown as Session, host, { signal });
	assert.equal(built, "built");
});
