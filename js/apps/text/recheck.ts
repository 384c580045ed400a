import type { RecheckItem, RecheckResult } from "../../core/api.js";
import { placeText } from "../../core/since-words.js";

/** Returns the rows that are not as they were, below the numbers of all. */
export function recheckText({ items, counts }: RecheckResult): string[] {
	const numbers = Object.entries(counts).filter(([, count]) => count > 0);
	const said = numbers.map(([state, count]) => `${count} ${state}`).join(", ");
	return [said || "no rows", ...items.map(rowLine)];
}

/** `moved  shop/cart.py:3 -> shop/cart.py:4  from shop.prices import price_of` */
function rowLine({ state, was, now, text }: RecheckItem): string {
	const places = [was, now].flatMap((one) =>
		one === null ? [] : [placeText(one)],
	);
	const distinct = [...new Set(places)].join(" -> ");
	return `${state}  ${distinct}  ${text?.trim() ?? ""}`.trimEnd();
}
