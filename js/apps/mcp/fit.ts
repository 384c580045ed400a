import type { Answer } from "./answers.js";
import { sparse } from "./sparse.js";

/** An answer has fewer than 10,000 tokens of four bytes. */
const MAX_BYTES = 39_999;
/** The part of these bytes for the head: all fields but the items. */
const MAX_HEAD_BYTES = 16_000;
/** The bytes that are kept free for sentences about what was cut. */
const SENTENCES_BYTES = 500;
/** The maximum number of rows that one answer can hold. */
const MAX_ROWS = 150;
/** The lengths to which texts are cut, in characters, until the answer fits. */
const TEXT_LENGTHS = [4000, 1000, 200];

/** The fields that a client sends back, so they stay whole. */
const PASSED_BACK: ReadonlySet<string> = new Set(["cursor", "receipt"]);

const WHY = "to stay under 10,000 tokens";

/** An answer with pages. */
export interface Page extends Answer {
	truncated: boolean;
	cursor: string | null;
}

/** An answer without pages. */
export interface Unpaged extends Answer {
	truncated: boolean;
	total: number | null;
}

/** Reports whether an answer is under the limit. */
export function isFit(answer: Answer): boolean {
	return bytesOf(answer) <= MAX_BYTES;
}

/**
 * Returns a page of at most `limit` rows. If they do not all fit, it queries again for fewer, so
 * that the cursor leads to the others.
 */
export async function fitPage<A extends Page>(
	limit: number,
	ask: (limit: number) => Promise<A>,
): Promise<A> {
	let rows = Math.min(limit, MAX_ROWS);
	for (;;) {
		const page = shortenHead(await ask(rows));
		const fitting = countFitting(page);
		if (fitting >= page.items.length) return explainShortPage(page, limit);
		if (rows === 1) return withShorterItems(page);
		rows = Math.max(1, fitting);
	}
}

/** Returns an answer with the first of its items that fit. */
export function fitWhole<A extends Unpaged>(answer: A): A {
	const short = shortenHead(answer);
	const fitting = countFitting(short);
	const total = short.items.length;
	if (fitting >= total) return short;
	if (fitting === 0 && total === 1) return withShorterItems(short);
	const items = short.items.slice(0, Math.max(1, fitting));
	const cut = withShorterItems({ ...short, items, truncated: true });
	const sentence = `The first ${items.length} of ${total} are given, ${WHY}.`;
	return addSentence(cut, sentence);
}

/**
 * Returns an answer with the first of its items that fit. If not all fit, it queries again for
 * fewer, so that the receipt has exactly the rows of the answer.
 */
export async function fitWithReceipt<A extends Unpaged>(
	limit: number | null,
	ask: (limit: number | null) => Promise<A>,
): Promise<A> {
	const answer = await ask(limit);
	const fitting = fitWhole(answer);
	const rows = fitting.items.length;
	if (rows === answer.items.length) return fitting;
	const sentence = `No more than ${rows} rows are given, ${WHY}; the receipt leads to the others.`;
	return addSentence(fitWhole(await ask(rows)), sentence);
}

/** Returns an answer with the first `limit` of its items. */
export function takeFirst<A extends Unpaged>(answer: A, limit: number): A {
	const total = answer.items.length;
	if (total <= limit) return answer;
	const items = answer.items.slice(0, limit);
	const sentence = `Only the first ${limit} of ${total} rows are listed; raise \`limit\`.`;
	return addSentence({ ...answer, items, truncated: true }, sentence);
}

/** Adds the reason to the message of a page with fewer rows than `limit`. */
function explainShortPage<A extends Page>(page: A, limit: number): A {
	const rows = page.items.length;
	if (rows >= limit || page.cursor === null) return page;
	const sentence = `This page has ${rows} rows in place of ${limit}, ${WHY}; cursor leads to the rows after them.`;
	return addSentence(page, sentence);
}

/** Returns the number of items that fit, counted from the first. */
function countFitting(answer: Answer): number {
	const { items, ...head } = sparse(answer, true);
	let room = MAX_BYTES - SENTENCES_BYTES - jsonBytes({ ...head, items: [] });
	// Each item also takes a comma.
	const last = items.findIndex((item) => {
		room -= jsonBytes(item) + 1;
		return room < 0;
	});
	return last < 0 ? answer.items.length : last;
}

/** Returns an answer with a shorter head, if the head takes too many bytes. */
export function shortenHead<A extends Answer>(answer: A): A {
	const fewer = isHeadShort(answer) ? answer : withFewerDefinitions(answer);
	return shortenTexts(fewer, isHeadShort, ({ items, ...head }, length) => ({
		...(withShorterTexts(head, length) as A),
		items,
	}));
}

function isHeadShort(answer: Answer): boolean {
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
	const sentence = `The first ${kept} of ${definitions.length} definitions are listed, ${WHY}.`;
	const cut = { ...answer, definitions: definitions.slice(0, kept) };
	return addSentence(cut, sentence);
}

function withShorterItems<A extends Answer>(answer: A): A {
	const fits = (cut: A) => bytesOf(cut) <= MAX_BYTES - SENTENCES_BYTES;
	return shortenTexts(answer, fits, (cut, length) => ({
		...cut,
		items: cut.items.map((item) => withShorterTexts(item, length)),
	}));
}

/** Cuts texts to ever smaller lengths until the answer is small enough. */
function shortenTexts<A extends Answer>(
	answer: A,
	isEnough: (answer: A) => boolean,
	cut: (answer: A, length: number) => A,
): A {
	if (isEnough(answer)) return answer;
	let shorter = answer;
	for (const length of TEXT_LENGTHS) {
		shorter = cut(answer, length);
		if (isEnough(shorter)) break;
	}
	if (bytesOf(shorter) === bytesOf(answer)) return answer;
	return addSentence(shorter, `Long texts are cut, ${WHY}.`);
}

/** Returns a value with its texts cut, except for those that a client sends back. */
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
	// A cut within a surrogate pair would leave half a character.
	const start = text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "");
	return `${start}…`;
}

/** Adds a sentence to the message of an answer. */
function addSentence<A extends Answer>(answer: A, sentence: string): A {
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
