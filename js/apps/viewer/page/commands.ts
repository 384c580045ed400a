import { go, goToPanel } from "./location.js";
import { goToDefinition } from "./navigation.js";
import { buildIndex } from "./open-repository.js";
import { sourceView } from "./source.js";
import { dialog, shown } from "./state.js";
import { rememberName } from "./symbol-box.js";
import { nextTheme } from "./theme.js";
import { isNarrow } from "./window.js";
import { placeOf } from "./words.js";

export interface Command {
	name: string;
	/** The keys, as people write them; two letters are typed one after the other. */
	keys?: string;
	run: () => void;
}

/** The number of frames to wait for a panel, which the page draws within one or two. */
const MAX_FRAMES = 10;

export const COMMANDS: Command[] = [
	{ name: "Search the code", keys: "/", run: () => focusOn("#query") },
	{ name: "Go to a file", keys: "Ctrl+P", run: () => openDialog("files") },
	{
		name: "Commands and symbols",
		keys: "Ctrl+K",
		run: () => openDialog("commands"),
	},
	{ name: "Find in this file", keys: "Ctrl+F", run: findInFile },
	{ name: "Focus the files", keys: "g t", run: () => focusPane("files") },
	{ name: "Focus the source", keys: "g s", run: () => focusPane("source") },
	{ name: "Focus the rows", keys: "g r", run: () => focusPane("results") },
	{
		name: "Go to the definition of the name at the cursor",
		keys: "g d",
		run: () => withName((subject, name) => void goToDefinition(subject, name)),
	},
	{
		name: "Show where the name at the cursor is used",
		keys: "g u",
		run: () => withName((subject) => goToPanel({ panel: "used", subject })),
	},
	{
		name: "Show the lineage of the name at the cursor",
		keys: "g l",
		run: () => withName((subject) => goToPanel({ panel: "lineage", subject })),
	},
	{
		name: "Show the outline of the file",
		keys: "g o",
		run: () => goToPanel({ panel: "outline" }),
	},
	{
		name: "Show what changed, and what that touches",
		keys: "g c",
		run: () => goToPanel({ panel: "changes" }),
	},
	{ name: "Ask a question", keys: "g a", run: askQuestion },
	{
		name: "Go to the start page",
		keys: "g h",
		run: () => go({ place: { kind: "none" }, view: "source" }),
	},
	{ name: "Build the index", run: () => void buildIndex() },
	{ name: "Change the theme", run: nextTheme },
	{ name: "Show the keys", keys: "?", run: () => openDialog("keys") },
];

export function findInFile(): void {
	if (shown.value?.kind !== "text") return;
	go({ view: "source" }, { replace: true });
	sourceView()?.find();
}

function openDialog(name: "files" | "commands" | "keys"): void {
	dialog.value = name;
}

function focusPane(view: "files" | "source" | "results"): void {
	if (isNarrow.value) go({ view });
	if (view === "source") sourceView()?.focus();
	else focusOn(view === "files" ? ".tree" : ".rows");
}

/** Runs an action with the place of the name at the cursor. */
function withName(run: (subject: string, name: string) => void): void {
	const at = sourceView()?.atCursor();
	const { value } = shown;
	if (at === undefined || value === null) return;
	const subject = placeOf(value.file, at.line, at.column);
	rememberName(subject, at.name);
	run(subject, at.name);
}

function focusOn(selector: string): void {
	const found = document.querySelector<HTMLElement>(selector);
	found?.focus();
	if (found instanceof HTMLInputElement) found.select();
}

function askQuestion(): void {
	goToPanel({ panel: "ask" });
	focusWhenThere("#question");
}

/** Focuses an element that the page draws within the next frames. */
function focusWhenThere(selector: string, frames = MAX_FRAMES): void {
	const isThere = document.querySelector(selector) !== null;
	if (isThere) focusOn(selector);
	else if (frames > 0) {
		requestAnimationFrame(() => focusWhenThere(selector, frames - 1));
	}
}
