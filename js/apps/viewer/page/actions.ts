import { proxy } from "comlink";
import type {
	NavItem,
	Progress,
	RagToolMeta,
	SearchResult,
	WhereUsedResult,
} from "../../../core/api.js";
import { Latest, worker } from "./client.js";
import { fileHash, parseRoute } from "./route.js";
import * as state from "./state.js";
import type { Source } from "./worker-api.js";

const latest = {
	files: new Latest(),
	search: new Latest(),
	used: new Latest(),
	lineage: new Latest(),
	around: new Latest(),
	outline: new Latest(),
	locate: new Latest(),
	describe: new Latest(),
	ask: new Latest(),
	build: new Latest(),
};

/** The files as they were when they were looked at last. */
let version = "";

/** Opens a repository in place of the one before. */
export async function openSource(source: Source): Promise<void> {
	try {
		state.opened.value = await worker.open(source);
	} catch (error) {
		state.trouble.value = wordsOf(error);
		return;
	}
	for (const one of Object.values(latest)) one.cancel();
	state.trouble.value = state.opened.value.notes[0] ?? null;
	state.shown.value = null;
	state.around.value = [];
	state.found.value = state.NO_ANSWER;
	state.used.value = state.NO_ANSWER;
	state.lineage.value = state.NO_ANSWER;
	state.answered.value = state.NO_ANSWER;
	state.outline.value = state.NO_ANSWER;
	document.title = `${state.opened.value.name} · ragnav`;
	version = await worker.version();
	await refreshFiles();
	if (source.kind === "served") await followRoute();
	else navigate("#/");
}

/** Looks at the files anew, and at how they stand to the index. */
export async function refreshFiles(): Promise<void> {
	try {
		const files = await latest.files.ask((id) => worker.files(id));
		if (files === undefined) return;
		state.files.value = files;
		rest(files.meta);
	} catch (error) {
		state.trouble.value = wordsOf(error);
	}
}

/** Asks again what is shown where the files have changed. */
export async function followChanges(): Promise<void> {
	if (state.opened.value === null) return;
	let now: string;
	try {
		now = await worker.version();
	} catch (error) {
		state.trouble.value = `The repository cannot be reached: ${wordsOf(error)}`;
		return;
	}
	if (state.trouble.value?.startsWith("The repository cannot be reached")) {
		state.trouble.value = null;
	}
	if (now === version) return;
	version = now;
	await askAgain();
}

async function askAgain(): Promise<void> {
	await Promise.all([
		refreshFiles(),
		reloadShown(),
		state.found.value.value && search(),
		state.used.value.value && whereUsed(state.symbol.value),
		state.lineage.value.value && lineage(state.symbol.value),
	]);
}

async function reloadShown(): Promise<void> {
	const { value } = state.shown;
	if (value !== null) await show(value.file, null);
}

/** Goes where an address leads, and leaves a step to go back. */
export function navigate(hash: string): void {
	if (location.hash === hash) void followRoute();
	else location.hash = hash;
}

export function goTo(file: string, line?: number | null): void {
	navigate(fileHash(file, line));
}

/** Shows what the page's address leads to. */
export async function followRoute(): Promise<void> {
	if (state.opened.value === null) return;
	const route = parseRoute(location.hash);
	if (route.kind === "file") await show(route.file, route.line);
	if (route.kind === "symbol") await showSymbol(route.symbol);
}

async function show(file: string, line: number | null): Promise<void> {
	try {
		const read = await worker.text(file);
		state.shown.value =
			"text" in read
				? { kind: "text", file, line, text: read.text }
				: { kind: "problem", file, problem: read.problem };
	} catch (error) {
		state.shown.value = { kind: "problem", file, problem: wordsOf(error) };
	}
	if (state.shown.value.kind === "problem") state.around.value = [];
	else void lookAround(file, line ?? 1);
	void outline(file);
}

/** Loads the outline of a file; one that has no grammar has none. */
async function outline(file: string): Promise<void> {
	state.outline.value = { asking: true, value: null };
	const result = await latest.outline.ask((id) => worker.outline(id, file));
	if (result !== undefined)
		state.outline.value = { asking: false, value: result };
}

async function showSymbol(symbol: string): Promise<void> {
	const result = await latest.locate.ask((id) => worker.locate(id, symbol));
	if (result === undefined) return;
	rest(result.meta);
	const [first] = result.items;
	if (first !== undefined) await show(first.file, first.start_line);
	else state.trouble.value = `Nothing defines ${symbol}.`;
	whereUsed(symbol);
	if (state.panel.value !== "lineage") state.panel.value = "used";
	else lineage(symbol);
}

/** Finds which definitions a line lies in. */
export async function lookAround(file: string, line: number): Promise<void> {
	const result = await latest.around.ask((id) =>
		worker.identify(id, file, line),
	);
	if (result !== undefined) state.around.value = result.items;
}

/** Where a name is defined, for who only wants to know. */
export async function definitionsOf(name: string) {
	const result = await latest.describe.ask((id) => worker.locate(id, name));
	return result?.items ?? [];
}

export async function goToDefinition(name: string): Promise<void> {
	const [first] = await definitionsOf(name);
	if (first === undefined) state.trouble.value = `Nothing defines ${name}.`;
	else goTo(first.file, first.start_line);
}

/** Searches for what stands in the box; nothing for an empty one. */
export async function search(): Promise<void> {
	const { value: text } = state.query;
	if (text.trim() === "") {
		latest.search.cancel();
		state.found.value = state.NO_ANSWER;
		return;
	}
	await answer(state.found, latest.search, (id) =>
		worker.search(id, text, state.mode.value, null),
	);
}

export async function searchMore(): Promise<void> {
	const before = state.found.value;
	const cursor = before.value?.cursor;
	if (before.asking || before.value === null || !cursor) return;
	const { query, mode } = state;
	await more<SearchResult>(state.found, latest.search, search, (id) =>
		worker.search(id, query.value, mode.value, cursor),
	);
}

export async function whereUsed(symbol: string): Promise<void> {
	if (symbol === "") return;
	state.symbol.value = symbol;
	await answer(state.used, latest.used, (id) =>
		worker.whereUsed(id, symbol, null),
	);
}

export async function whereUsedMore(): Promise<void> {
	const before = state.used.value;
	const cursor = before.value?.cursor;
	if (before.asking || before.value === null || !cursor) return;
	const { symbol } = before.value;
	const again = () => whereUsed(symbol);
	await more<WhereUsedResult>(state.used, latest.used, again, (id) =>
		worker.whereUsed(id, symbol, cursor),
	);
}

export async function lineage(symbol: string): Promise<void> {
	if (symbol === "") return;
	state.symbol.value = symbol;
	const { direction, depth } = state;
	await answer(state.lineage, latest.lineage, (id) =>
		worker.lineage(id, symbol, direction.value, depth.value),
	);
}

/** Asks about a symbol in the panel that is open, or where it is used. */
export function askAbout(symbol: string): void {
	if (state.panel.value === "lineage") {
		void lineage(symbol);
		return;
	}
	state.panel.value = "used";
	void whereUsed(symbol);
}

/** The id of a name that stands at a line, where the line defines it; else the name itself. */
export function symbolAt(name: string, line: number): string {
	const definition = state.around.value.find(
		({ symbol, start_line }) =>
			start_line === line && symbol.split(".").at(-1) === name,
	);
	return definition?.symbol ?? name;
}

export async function ask(): Promise<void> {
	const { value: text } = state.question;
	if (text.trim() === "") return;
	await answer(state.answered, latest.ask, (id) =>
		worker.ask(id, text, proxy(tellProgress)),
	);
	state.building.value = null;
}

/** Makes the index, in the page's memory. */
export async function build(): Promise<void> {
	state.building.value = "0 files";
	try {
		const result = await latest.build.ask((id) =>
			worker.build(id, proxy(tellProgress)),
		);
		if (result?.meta.status === "ERROR") {
			state.trouble.value = result.meta.message;
		}
	} catch (error) {
		state.trouble.value = wordsOf(error);
	}
	state.building.value = null;
	await askAgain();
}

function tellProgress({ done, total, phase }: Progress): void {
	const of = total === null ? "" : ` of ${total}`;
	state.building.value = `${done}${of} ${phase}`;
}

interface Envelope {
	meta: RagToolMeta;
}

/** Asks while the answer before still shows. */
async function answer<T extends Envelope>(
	place: { value: state.Answer<T> },
	latestOf: Latest,
	question: (id: number) => Promise<T>,
): Promise<void> {
	place.value = { asking: true, value: place.value.value };
	try {
		const value = await latestOf.ask(question);
		if (value === undefined) return;
		place.value = { asking: false, value };
		rest(value.meta);
	} catch (error) {
		place.value = { asking: false, value: null };
		state.trouble.value = wordsOf(error);
	}
}

/** Adds a page of rows; where they have changed in the meantime, all are asked for anew. */
async function more<T extends Envelope & { items: NavItem[] }>(
	place: { value: state.Answer<T> },
	latestOf: Latest,
	again: () => Promise<void>,
	question: (id: number) => Promise<T>,
): Promise<void> {
	const { value: before } = place.value;
	if (before === null) return;
	await answer(place, latestOf, async (id) => {
		const next = await question(id);
		return next.meta.status === "ERROR"
			? next
			: { ...next, items: [...before.items, ...next.items] };
	});
	if (place.value.value?.meta.error_code === "STALE_CURSOR") await again();
}

function rest(meta: RagToolMeta): void {
	if (meta.status !== "ERROR") state.restsOnMeta.value = meta;
}

function wordsOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
