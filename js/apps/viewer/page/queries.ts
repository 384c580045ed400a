import { proxy } from "comlink";
import type { NavItem, Progress, RagToolMeta } from "../../../core/api.js";
import { formatCount } from "../../../core/counts.js";
import { messageOf } from "../../../core/errors.js";
import { Latest, worker } from "./client.js";
import { route } from "./location.js";
import * as state from "./state.js";

const latest = {
	search: new Latest(),
	used: new Latest(),
	lineage: new Latest(),
	enclosing: new Latest(),
	outline: new Latest(),
	locate: new Latest(),
	describe: new Latest(),
	symbols: new Latest(),
	changes: new Latest(),
	ask: new Latest(),
};

/** Drops all answers, because they are about another repository. */
export function forgetAnswers(): void {
	for (const one of Object.values(latest)) one.cancel();
	const { found, used, lineage, changes, passages } = state;
	const answers = [found, used, lineage, changes, passages];
	for (const answer of [...answers, state.outline]) {
		answer.value = state.NO_ANSWER;
	}
	state.enclosing.value = [];
	state.progress.value = null;
}

/** Runs the search of the address; an empty query has no answer. */
export async function search(): Promise<void> {
	const { query, mode } = route.peek();
	if (query.trim() === "") {
		latest.search.cancel();
		state.found.value = state.NO_ANSWER;
		return;
	}
	await answer(state.found, latest.search, (id) =>
		worker.search(id, query, mode, null),
	);
}

export async function searchMore(): Promise<void> {
	const { query, mode } = route.peek();
	await more(state.found, latest.search, search, (id, cursor) =>
		worker.search(id, query, mode, cursor),
	);
}

/** Finds the references to the subject of the address. */
export async function whereUsed(): Promise<void> {
	const { subject } = route.peek();
	if (subject === "") return;
	await answer(state.used, latest.used, (id) =>
		worker.whereUsed(id, subject, null),
	);
}

export async function whereUsedMore(): Promise<void> {
	const { subject } = route.peek();
	await more(state.used, latest.used, whereUsed, (id, cursor) =>
		worker.whereUsed(id, subject, cursor),
	);
}

/** Follows the subject of the address to its callers or callees. */
export async function lineage(): Promise<void> {
	const { subject, direction, depth } = route.peek();
	if (subject === "") return;
	await answer(state.lineage, latest.lineage, (id) =>
		worker.lineage(id, subject, direction, depth),
	);
}

/** Compares the files with the commit of the address. */
export async function compare(): Promise<void> {
	const { since } = route.peek();
	await answer(state.changes, latest.changes, (id) => worker.impact(id, since));
}

/** Answers the question of the address with passages. */
export async function ask(): Promise<void> {
	const { question, only } = route.peek();
	if (question.trim() === "") return;
	const value = await answer(state.passages, latest.ask, (id) =>
		worker.ask(id, question, only, progressOf(latest.ask, id)),
	);
	if (value !== undefined) state.progress.value = null;
}

/** Loads the outline of a file. A file of an unknown language has an empty one. */
export async function loadOutline(file: string): Promise<void> {
	state.outline.value = { isLoading: true, value: null };
	const value = await run(latest.outline, (id) => worker.outline(id, file));
	if (value !== undefined) state.outline.value = { isLoading: false, value };
}

/** Finds the definitions that enclose a line. */
export async function loadEnclosing(file: string, line: number): Promise<void> {
	const result = await run(latest.enclosing, (id) =>
		worker.identify(id, file, line),
	);
	if (result !== undefined) state.enclosing.value = result?.items ?? [];
}

/**
 * Finds the definitions of the subject that the page is about to show; `undefined` if the query
 * fails, or the page has moved on.
 */
export async function locate(subject: string) {
	const result = await run(latest.locate, (id) => worker.locate(id, subject));
	if (result) state.latestMeta.value = result.meta;
	return result?.items;
}

/**
 * Finds the definitions of the name under the pointer; `undefined` if the query fails, or the
 * pointer has moved on.
 */
export async function describe(subject: string) {
	const result = await run(latest.describe, (id) => worker.locate(id, subject));
	return result?.items;
}

/** Finds definitions by words of their names. */
export async function matchSymbols(text: string): Promise<NavItem[]> {
	const query = (id: number) => worker.matchSymbols(id, text);
	return (await run(latest.symbols, query)) ?? [];
}

/** Returns a callback for the worker that shows the progress of a query while it is current. */
export function progressOf(latestOf: Latest, id: number) {
	return proxy(({ done, total, phase }: Progress) => {
		if (!latestOf.isCurrent(id)) return;
		const count = formatCount(done);
		const of = total === null ? "" : ` of ${formatCount(total)}`;
		state.progress.value = `${count}${of} ${phase}`;
	});
}

interface Envelope {
	meta: RagToolMeta;
}

/**
 * Runs a query, and shows the message if it fails. Returns `null` then, and `undefined` if a newer
 * query has begun.
 */
async function run<T>(
	latestOf: Latest,
	query: (id: number) => Promise<T>,
): Promise<T | null | undefined> {
	try {
		return await latestOf.run(query);
	} catch (error) {
		state.notice.value = messageOf(error);
		return null;
	}
}

/** Runs a query as {@link run} does. The answer before shows until the new one is there. */
async function answer<T extends Envelope>(
	place: { value: state.Answer<T>; peek(): state.Answer<T> },
	latestOf: Latest,
	query: (id: number) => Promise<T>,
): Promise<T | null | undefined> {
	place.value = { isLoading: true, value: place.peek().value };
	const value = await run(latestOf, query);
	if (value === undefined) return undefined;
	place.value = { isLoading: false, value };
	if (value !== null) state.latestMeta.value = value.meta;
	return value;
}

interface Rows extends Envelope {
	items: NavItem[];
	cursor: string | null;
}

/**
 * Adds a page of rows. If the files have changed in the meantime, it runs the query again. After
 * another error, the rows stay.
 */
async function more<T extends Rows>(
	place: { value: state.Answer<T>; peek(): state.Answer<T> },
	latestOf: Latest,
	again: () => Promise<void>,
	query: (id: number, cursor: string) => Promise<T>,
): Promise<void> {
	const { isLoading, value: before } = place.peek();
	const cursor = before?.cursor;
	if (isLoading || before === null || !cursor) return;
	let isStale = false;
	const shown = await answer(place, latestOf, async (id) => {
		const next = await query(id, cursor);
		if (next.meta.status !== "ERROR") {
			return { ...next, items: [...before.items, ...next.items] };
		}
		isStale = next.meta.error_code === "STALE_CURSOR";
		if (!isStale) state.notice.value = next.meta.message;
		return before;
	});
	if (shown === null) place.value = { isLoading: false, value: before };
	if (isStale) await again();
}
