import type { RowPlace, RowState, SinceMeta } from "../generated/glue.js";

/** Places that a sentence names. */
const MAX_NAMED = 5;

const STATES: readonly RowState[] = ["new", "moved", "changed"];

/**
 * Describes in plain words how an answer with the option `since` differs from the earlier one: "1 new, 1
 * gone (shop/cart.py:4), 12 unchanged".
 *
 * @example
 * ```ts
 * import { describeSince, open } from "ragnav";
 * import { memoryHost } from "ragnav/hosts/memory";
 *
 * const nav = await open(memoryHost({ "shop.py": "def price(): ...\n" }));
 * const { meta } = await nav.search("price");
 * const again = await nav.search("price", { since: meta.receipt });
 * if (again.meta.since) console.log(describeSince(again.meta.since)); // 1 unchanged
 * nav.close();
 * ```
 */
export function describeSince(since: SinceMeta): string {
	const { unchanged, differences, gone } = since;
	const counts = STATES.map((state) => {
		const rows = differences.filter((one) => one.state === state);
		return rows.length === 0 ? [] : [`${rows.length} ${state}`];
	});
	const lost =
		gone.length === 0 ? [] : [`${gone.length} gone (${named(gone)})`];
	return [...counts.flat(), ...lost, `${unchanged} unchanged`].join(", ");
}

function named(places: readonly RowPlace[]): string {
	const more = places.length > MAX_NAMED ? ", …" : "";
	return places.slice(0, MAX_NAMED).map(placeText).join(", ") + more;
}

/** Returns a place as text: `shop/cart.py:4`. */
export function placeText({ file, line }: RowPlace): string {
	return line === null ? file : `${file}:${line}`;
}
