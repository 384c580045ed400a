// What becomes of a question whose core stops.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CorePanic, drive } from "../../js/core/driver.js";
import type { Session, Step } from "../../js/generated/glue.js";
import { memoryHost } from "../../js/hosts/memory/host.js";

/** A session of a core that stops, and whose session cannot be let go of any more. */
function stopping(step: () => Step): Session {
	const stop = () => {
		throw new WebAssembly.RuntimeError("unreachable");
	};
	return {
		start: step,
		answer: stop,
		fail: stop,
		free: () => {
			throw new Error("attempted to take ownership while it was borrowed");
		},
	} as unknown as Session;
}

test("a core that stops is a panic, though it lets go of nothing", async () => {
	const sessions = [
		stopping(() => {
			throw new WebAssembly.RuntimeError("unreachable");
		}),
		stopping(() => ({ state: "need", ask: { ask: "git_head" } })),
	];
	for (const session of sessions) {
		await assert.rejects(
			drive(session, memoryHost({}), {}),
			(thrown) =>
				thrown instanceof CorePanic && thrown.message === "unreachable",
		);
	}
});
