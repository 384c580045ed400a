import type { Badge as Words } from "./words.js";

/** How current something is, in words and not by its colour alone. */
export function Badge({ badge }: { badge: Words }) {
	return (
		<span class={`badge ${badge.tone}`} title={badge.title}>
			{badge.text}
		</span>
	);
}
