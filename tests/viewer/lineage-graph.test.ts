// The picture of a lineage, whatever its symbols are called.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pictureOf } from "../../js/apps/viewer/page/lineage-graph.js";
import type { LineageResult } from "../../js/core/api.js";

/** A lineage of one step from a symbol that nothing defines. */
function lineageOf(symbol: string, callers: string[]): LineageResult {
	const items = callers.map((caller) => ({ via: [caller], symbol: caller }));
	return {
		symbol,
		direction: "upstream",
		definitions: [],
		items,
	} as unknown as LineageResult;
}

test("names that every object has are names like others", () => {
	for (const name of ["constructor", "__proto__", "toString", "usual"]) {
		const picture = pictureOf(lineageOf(name, ["hasOwnProperty", "valueOf"]));
		const { width, height, nodes, edges } = picture;
		assert.deepEqual([nodes.length, edges.length], [3, 2], name);
		const numbers = nodes.flatMap(({ x, y, width, height }) => [
			...[x, y, width, height],
		]);
		for (const number of [width, height, ...numbers]) {
			assert.ok(Number.isFinite(number) && number >= 0, `${name}: ${number}`);
		}
		const alone = pictureOf(lineageOf(name, []));
		assert.ok(alone.width > 0 && alone.height > 0, name);
	}
});
