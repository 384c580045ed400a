import type { Answer } from "./answers.js";
import { sparse } from "./sparse.js";

/** An answer has fewer than 10,000 tokens, of four bytes each. */
const MAX_BYTES = 39_999;
/** What is around the items may take so much of it. */
const MAX_HEAD_BYTES = 16_000;
/** Is left for sentences that say what was cut. */
const SENTENCES_BYTES = 500;
/** No more rows than these ever fit. */
const MAX_ROWS = 150;
/** To how many characters texts are cut where they are too long. */
const SHORTER = [4000, 1000, 200];

/** Is passed back, so it stays whole. */
const PASSED_BACK: ReadonlySet<string> = new Set(["cursor", "receipt"]);

const WHY = "to stay under 10,000 tokens";

/** An answer that has further pages. */
export interface Page extends Answer {
	truncated: boolean;
	cursor: string | null;
}

/** An answer that has none. */
export interface Whole extends Answer {
	truncated: boolean;
	total: number | null;
}

/** Whether an answer may be given. */
export function isFit(answer: Answer): boolean {
	return bytesOf(answer) <= MAX_BYTES;
}

/** A page of at most `limit` rows. Where they do not all fit, fewer are asked for, so that its cursor leads to the others. */
export async function fitPage<A extends Page>(
	limit: number,
	ask: (limit: number) => Promise<A>,
): Promise<A> {
	let rows = Math.min(limit, MAX_ROWS);
	for (;;) {
		const page = withRoom(await ask(rows));
		const fitting = fittingItems(page);
		if (fitting >= page.items.length) return toldOf(page, limit);
		if (rows === 1) return withShorterItems(page);
		rows = Math.max(1, fitting);
	}
}

/** The first items that fit. */
export function fitWhole<A extends Whole>(answer: A): A {
	const roomy = withRoom(answer);
	const fitting = fittingItems(roomy);
	const found = roomy.items.length;
	if (fitting >= found) return roomy;
	if (fitting === 0 && found === 1) return withShorterItems(roomy);
	const items = roomy.items.slice(0, Math.max(1, fitting));
	const cut = withShorterItems({ ...roomy, items, truncated: true });
	return told(cut, `The first ${items.length} of ${found} are given, ${WHY}.`);
}

/**
 * The first items that fit. Where they do not all fit, fewer are asked for, so that the receipt has
 * the rows that are given and no others.
 */
export async function fitWithReceipt<A extends Whole>(
	limit: number | null,
	ask: (limit: number | null) => Promise<A>,
): Promise<A> {
	const answer = await ask(limit);
	const fitting = fitWhole(answer);
	const rows = fitting.items.length;
	if (rows === answer.items.length) return fitting;
	const words = `No more than ${rows} rows are given, ${WHY}; the receipt leads to the others.`;
	return told(fitWhole(await ask(rows)), words);
}

/** The first items of an answer that has all of them. */
export function limited<A extends Whole>(answer: A, limit: number): A {
	const found = answer.items.length;
	if (found <= limit) return answer;
	const items = answer.items.slice(0, limit);
	const sentence = `${found} were found, the first ${limit} are given (limit).`;
	return told({ ...answer, items, truncated: true }, sentence);
}

function toldOf<A extends Page>(page: A, limit: number): A {
	const rows = page.items.length;
	if (rows >= limit || page.cursor === null) return page;
	const words = `This page has ${rows} rows in place of ${limit}, ${WHY}; cursor leads to the rows after them.`;
	return told(page, words);
}

/** How many of the items fit, from the first. */
function fittingItems(answer: Answer): number {
	const { items, ...head } = sparse(answer, true);
	let room = MAX_BYTES - SENTENCES_BYTES - jsonBytes({ ...head, items: [] });
	// A comma goes with each.
	const last = items.findIndex((item) => {
		room -= jsonBytes(item) + 1;
		return room < 0;
	});
	return last < 0 ? answer.items.length : last;
}

/** Cuts what is around the items, where it takes too much. */
export function withRoom<A extends Answer>(answer: A): A {
	const fewer = hasRoom(answer) ? answer : withFewerDefinitions(answer);
	return shortened(fewer, hasRoom, ({ items, ...head }, length) => ({
		...(withShorterTexts(head, length) as A),
		items,
	}));
}

function hasRoom(answer: Answer): boolean {
	return bytesOf({ ...answer, items: [] }) <= MAX_HEAD_BYTES;
}

function withFewerDefinitions<A extends Answer>(answer: A): A {
	const { definitions } = answer as { definitions?: unknown[] };
	if (definitions === undefined) return answer;
	let bytes = bytesOf({ ...answer, items: [] }) + SENTENCES_BYTES;
	let kept = definitions.length;
	for (; kept > 0 && bytes > MAX_HEAD_BYTES; kept -= 1) {
		bytes -= jsonBytes(definitions[kept - 1]) + 1;
	}
	if (kept === definitions.length) return answer;
	const words = `The first ${kept} of ${definitions.length} definitions are listed, ${WHY}.`;
	return told({ ...answer, definitions: definitions.slice(0, kept) }, words);
}

function withShorterItems<A extends Answer>(answer: A): A {
	const fits = (cut: A) => bytesOf(cut) <= MAX_BYTES - SENTENCES_BYTES;
	return shortened(answer, fits, (cut, length) => ({
		...cut,
		items: cut.items.map((item) => withShorterTexts(item, length)),
	}));
}

/** Cuts texts shorter and shorter until it is enough, or there is nothing more to be had. */
function shortened<A extends Answer>(
	answer: A,
	isEnough: (answer: A) => boolean,
	cut: (answer: A, length: number) => A,
): A {
	if (isEnough(answer)) return answer;
	let shorter = answer;
	for (const length of SHORTER) {
		shorter = cut(answer, length);
		if (isEnough(shorter)) break;
	}
	if (bytesOf(shorter) === bytesOf(answer)) return answer;
	return told(shorter, `Long texts are cut, ${WHY}.`);
}

/** A value with its texts cut; what has to be passed back stays whole. */
function withShorterTexts(value: unknown, length: number): unknown {
	if (typeof value === "string") return shorterText(value, length);
	if (Array.isArray(value)) {
		return value.map((part) => withShorterTexts(part, length));
	}
	if (typeof value !== "object" || value === null) return value;
	const parts = Object.entries(value).map(([key, part]) => [
		key,
		PASSED_BACK.has(key) ? part : withShorterTexts(part, length),
	]);
	return Object.fromEntries(parts);
}

function shorterText(text: string, length: number): string {
	if (text.length <= length) return text;
	// Half a character beyond the basic plane is none.
	const start = text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "");
	return `${start}…`;
}

/** Adds a sentence to the message. */
function told<A extends Answer>(answer: A, sentence: string): A {
	const { message } = answer.meta;
	const meta = {
		...answer.meta,
		message: message ? `${message} ${sentence}` : sentence,
	};
	return { ...answer, meta };
}

function bytesOf(answer: Answer): number {
	return jsonBytes(sparse(answer, true));
}

function jsonBytes(value: unknown): number {
	return Buffer.byteLength(JSON.stringify(value) ?? "");
}
