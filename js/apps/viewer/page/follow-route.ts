import { effect, untracked } from "@preact/signals";
import { messageOf } from "../../../core/errors.js";
import { worker } from "./client.js";
import { route } from "./location.js";
import {
	ask,
	compare,
	lineage,
	loadEnclosing,
	loadOutline,
	locate,
	search,
	whereUsed,
} from "./queries.js";
import { addRecent } from "./recent.js";
import { isSamePlace, type Place, type Route } from "./route.js";
import * as state from "./state.js";

/** Shows the place and the panel of the address, now and after each change of it. */
export function followRoute(): () => void {
	let before: Route | undefined;
	return effect(() => {
		const next = route.value;
		untracked(() => follow(next, before));
		before = next;
	});
}

/** Runs the queries whose parameters in the address differ from before. */
function follow(next: Route, before: Route | undefined): void {
	const differs = (...keys: (keyof Route)[]) =>
		keys.some((key) => next[key] !== before?.[key]);
	if (before === undefined || !isSamePlace(next.place, before.place)) {
		void showPlace(next.place);
	}
	if (differs("query", "mode")) {
		// At first the box may have a text that was typed while the page was loading.
		if (before !== undefined) state.typedQuery.value = next.query;
		void search();
	}
	const { panel } = next;
	if (panel === "used" && differs("panel", "subject")) void whereUsed();
	if (
		panel === "lineage" &&
		differs("panel", "subject", "direction", "depth")
	) {
		void lineage();
	}
	if (panel === "changes" && differs("panel", "since")) void compare();
	if (panel === "ask" && differs("panel", "question", "only")) void ask();
}

async function showPlace(place: Place): Promise<void> {
	if (place.kind === "file") await showFile(place.file, place.line);
	else if (place.kind === "symbol") await showSymbol(place.symbol);
	else showNothing();
}

function showNothing(): void {
	state.shown.value = null;
	state.enclosing.value = [];
	document.title = state.opened.value?.name ?? "ragnav";
}

/** Shows a file at a line. The text of the file that shows already is not read again. */
async function showFile(file: string, line: number | null): Promise<void> {
	document.title = `${file} · ${state.opened.value?.name}`;
	const { value } = state.shown;
	if (value?.kind === "text" && value.file === file) {
		state.shown.value = { ...value, line };
		if (line !== null) void loadEnclosing(file, line);
		return;
	}
	await readFile(file, line);
}

async function readFile(file: string, line: number | null): Promise<void> {
	state.isReading.value = true;
	const read = await readText(file);
	state.isReading.value = false;
	if (!isStillAt(file)) return;
	if ("problem" in read) {
		state.shown.value = { kind: "problem", file, problem: read.problem };
		state.enclosing.value = [];
	} else {
		state.shown.value = { kind: "text", file, line, text: read.text };
		addRecent(file);
		void loadEnclosing(file, line ?? 1);
	}
	void loadOutline(file);
}

async function readText(file: string) {
	try {
		return await worker.text(file);
	} catch (error) {
		return { problem: messageOf(error) };
	}
}

/** Reports whether the address still shows a file after it has been read. */
function isStillAt(file: string): boolean {
	const { place } = route.peek();
	return (
		place.kind === "symbol" || (place.kind === "file" && place.file === file)
	);
}

/** Reads the file that shows again, because it may have changed. */
export async function reloadShown(): Promise<void> {
	const { value } = state.shown;
	if (value !== null) await readFile(value.file, null);
}

async function showSymbol(symbol: string): Promise<void> {
	const found = await locate(symbol);
	if (found === undefined) return;
	const [first] = found;
	// For an undefined symbol, the panel suggests similar names.
	if (first !== undefined) await showFile(first.file, first.start_line);
}
