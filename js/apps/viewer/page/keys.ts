import { askAbout, goToDefinition, lineage, symbolAt } from "./actions.js";
import { sourceView } from "./source.js";
import { helpIsOpen, panel } from "./state.js";

interface Key {
	keys: string;
	does: string;
	/** Absent for what the page's parts or the browser do by themselves. */
	run?: () => void;
}

/** Every key that the page knows; two letters are typed one after the other. */
export const KEYS: Key[] = [
	{ keys: "/", does: "search", run: () => focusOn("#query") },
	{ keys: "?", does: "these keys", run: () => openHelp() },
	{ keys: "g t", does: "to the files", run: () => focusOn(".tree") },
	{ keys: "g s", does: "to the source", run: () => sourceView()?.focus() },
	{ keys: "g r", does: "to the rows", run: () => focusOn(".rows") },
	{
		keys: "g d",
		does: "to the definition of the name at the cursor",
		run: define,
	},
	{ keys: "g u", does: "where the name at the cursor is used", run: useName },
	{ keys: "g l", does: "lineage of the name at the cursor", run: traceName },
	{ keys: "g a", does: "ask a question", run: askQuestion },
	{ keys: "↑ ↓ ← →", does: "move in the tree, in lists and in the source" },
	{ keys: "Enter", does: "open the row" },
	{ keys: "Esc", does: "close, or leave a box" },
	{ keys: "Alt ←", does: "back" },
];

/** How long the second letter is waited for, in milliseconds. */
const WAIT_MS = 1500;

let first = "";
let firstAt = 0;

/** Acts on a key that was typed anywhere in the page. */
export function onPageKey(event: KeyboardEvent): void {
	if (event.ctrlKey || event.metaKey || event.altKey) return;
	const target = event.composedPath()[0];
	if (isBox(target)) {
		if (event.key === "Escape") target.blur();
		return;
	}
	if (document.querySelector("dialog")?.open) return;
	const waits = event.timeStamp - firstAt < WAIT_MS;
	const typed = first !== "" && waits ? `${first} ${event.key}` : event.key;
	const key = KEYS.find(({ keys, run }) => keys === typed && run !== undefined);
	first = typed === "g" ? "g" : "";
	firstAt = event.timeStamp;
	if (key === undefined) return;
	event.preventDefault();
	key.run?.();
}

function isBox(target: unknown): target is HTMLElement {
	return (
		target instanceof HTMLInputElement || target instanceof HTMLSelectElement
	);
}

function focusOn(selector: string): void {
	const found = document.querySelector<HTMLElement>(selector);
	found?.focus();
	if (found instanceof HTMLInputElement) found.select();
}

function openHelp(): void {
	helpIsOpen.value = true;
}

function define(): void {
	const at = sourceView()?.atCursor();
	if (at !== undefined) void goToDefinition(at.name);
}

function useName(): void {
	const at = sourceView()?.atCursor();
	panel.value = "used";
	if (at !== undefined) askAbout(symbolAt(at.name, at.line));
}

function traceName(): void {
	const at = sourceView()?.atCursor();
	panel.value = "lineage";
	if (at !== undefined) void lineage(symbolAt(at.name, at.line));
}

function askQuestion(): void {
	panel.value = "ask";
	// The panel has to be there first.
	requestAnimationFrame(() => focusOn("#question"));
}
