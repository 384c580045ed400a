import type { ResolutionStep, StepKind } from "../generated/glue.js";

const KINDS: Readonly<Record<StepKind, string>> = {
	imported_as: "imported as",
	assigned_to: "assigned to",
	passed_to: "passed to",
	typed_by: "typed by",
	returned_by: "returned by",
	inherited_by: "inherited by",
};

/**
 * Says how the name of a row leads to the symbol: `assigned to cart (pay.py:2), imported as Cart
 * (pay.py:1)`. Empty if the name itself is bound to it.
 *
 * @example
 * ```js
 * import { describeSteps, open } from "ragnav";
 * import { memoryHost } from "ragnav/hosts/memory";
 *
 * const files = { "a.py": "def price(): ...\n", "b.py": "from a import price as p\np()\n" };
 * const nav = await open(memoryHost(files));
 * const { items } = await nav.whereUsed("price", { explain: true });
 * console.log(describeSteps(items[1].steps)); // imported as p (b.py:1)
 * nav.close();
 * ```
 */
export function describeSteps(steps: readonly ResolutionStep[]): string {
	const said = steps.map(
		({ kind, name, file, line }) => `${KINDS[kind]} ${name} (${file}:${line})`,
	);
	return said.join(", ");
}
