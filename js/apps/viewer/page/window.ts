import { signal } from "@preact/signals";

/** The width below which the page shows one pane at a time; style.css has the same bound. */
const NARROW = "(max-width: 900px)";

/** Whether the page shows one pane at a time. */
export const isNarrow = matching(NARROW);

/** Whether rows must be high enough for a finger. */
export const isTouch = matching(`${NARROW}, (pointer: coarse)`);

/** The minimum height of a control that one taps, in pixels. */
export const TOUCH_HEIGHT = 44;

function matching(query: string) {
	const list = matchMedia(query);
	const matches = signal(list.matches);
	list.addEventListener("change", () => {
		matches.value = list.matches;
	});
	return matches;
}
