import { COMMANDS, findInFile } from "./commands.js";
import { dialog } from "./state.js";

/** The keys that the page's parts or the browser handle by themselves. */
export const OTHER_KEYS = [
	{ keys: "↑ ↓ ← →", name: "Move in the tree, in lists and in the source" },
	{ keys: "Enter", name: "Open the row" },
	{ keys: "Ctrl+click", name: "Go to the definition of a name" },
	{ keys: "Esc", name: "Close, or leave a box" },
	{ keys: "Alt+←", name: "Go back" },
];

/** The time that the page waits for the second letter, in milliseconds. */
const WAIT_MS = 1500;

let first = "";
let firstAt = 0;

/** Runs the command of a key that was typed anywhere in the page. */
export function onPageKey(event: KeyboardEvent): void {
	if (event.ctrlKey || event.metaKey) {
		runWithControl(event);
		return;
	}
	// The element and not the signal, because a closed dialog updates the signal only later.
	if (event.altKey || document.querySelector("dialog[open]") !== null) return;
	const target = event.composedPath()[0];
	if (isBox(target)) {
		if (event.key === "Escape") target.blur();
		return;
	}
	const waits = event.timeStamp - firstAt < WAIT_MS;
	const typed = first !== "" && waits ? `${first} ${event.key}` : event.key;
	const command = COMMANDS.find(({ keys }) => keys === typed);
	first = typed === "g" ? "g" : "";
	firstAt = event.timeStamp;
	if (command === undefined) return;
	event.preventDefault();
	command.run();
}

function runWithControl(event: KeyboardEvent): void {
	if (event.altKey || event.shiftKey) return;
	const key = event.key.toLowerCase();
	if (key === "p" || key === "k") {
		event.preventDefault();
		dialog.value = key === "p" ? "files" : "commands";
	}
	// The browser would find only the lines in sight.
	if (
		key === "f" &&
		!event.defaultPrevented &&
		!isBox(event.composedPath()[0])
	) {
		event.preventDefault();
		findInFile();
	}
}

function isBox(target: unknown): target is HTMLElement {
	return (
		target instanceof HTMLInputElement || target instanceof HTMLSelectElement
	);
}
