// Every question about a repository that means harm: before a build, after it, and by a navigator that has seen nothing before.
import assert from "node:assert/strict";
import {
	type Host,
	type Navigator,
	type OpenOptions,
	open as openCore,
	type RagResult,
	type SearchResult,
	type Skipped,
} from "#ragnav";
import {
	assertRoute,
	assertTrueRows,
	assertTruthful,
	type Bytes,
} from "./truthful.js";

export const HEAD = "a".repeat(40);

/** What is asked about, and what is so. */
export interface Asked {
	symbol?: string;
	file?: string;
	line?: number;
	/** The files as they are; rows are held against them. */
	files?: Bytes;
	options?: OpenOptions;
	open?: typeof openCore;
	/** Codes that answers may have; by default none. */
	codes?: readonly string[];
}

/** What came of the questions. */
export interface Seen {
	/** The files that hold the symbol, as a search found them. */
	found: string[];
	/** What was left out, with its reason. */
	skipped: Map<string, string>;
	/** Where the symbol is defined. */
	defined: string[];
}

/** Asks everything three times; what is found must be the same each time. */
export async function askThrice(host: Host, asked: Asked = {}): Promise<Seen> {
	const { open = openCore, options = {} } = asked;
	const nav = await open(host, { workers: 0, ...options });
	const before = await askEverything(nav, asked);
	const { meta, skipped } = await nav.buildGraph({ documents: true });
	assert.notEqual(meta.status, "ERROR", `${meta.error_code} ${meta.message}`);
	const after = await askEverything(nav, asked);
	nav.close();
	const other = await open(host, { workers: 0, ...options });
	const anew = await askEverything(other, asked);
	other.close();
	assert.deepEqual(after, before);
	assert.deepEqual(anew, before);
	const left = skipped.map(({ file, reason }): [string, string] => [
		file,
		reason,
	]);
	return { ...before, skipped: new Map([...before.skipped, ...left]) };
}

/** Asks everything once, and holds the answers against what is so. */
export async function askEverything(
	nav: Navigator,
	{ symbol = "needle", file = "a.py", line = 1, files, codes = [] }: Asked,
): Promise<Seen> {
	const limit = 1000;
	const found = await nav.search(symbol, { limit });
	const located = await nav.locate(symbol, { limit });
	const identified = await nav.identify(file, line);
	const answers: (RagResult<unknown> | SearchResult)[] = [
		found,
		located,
		identified,
		await nav.search("n[e]+dle|def \\w+", { mode: "regex" }),
		await nav.search(`${symbol} login`, { mode: "ranked" }),
		await nav.whereUsed(symbol),
		await nav.lineage(symbol, "upstream"),
		await nav.lineage(symbol, "downstream"),
		await nav.status(),
		await nav.ask(`where is ${symbol}?`),
	];
	const allowed = [null, "FILE_UNREADABLE", "LANGUAGE_UNAVAILABLE", ...codes];
	for (const answer of answers) {
		assertTruthful(answer);
		const { error_code, message } = answer.meta;
		assert.ok(
			allowed.includes(error_code as string | null),
			`${error_code} ${message}`,
		);
		if (error_code !== null) assert.ok(message, `${error_code}`);
	}
	if (files !== undefined) {
		for (const answer of [found, located, identified]) {
			assertTrueRows(answer, { now: files, built: files });
		}
	}
	assertRoute(await nav.route());
	return {
		found: [...new Set(found.items.map(({ file }) => file))],
		skipped: reasons(found.skipped),
		defined: located.items.map(({ symbol, file }) => `${file} ${symbol}`),
	};
}

function reasons(skipped: Skipped[]): Map<string, string> {
	return new Map(skipped.map(({ file, reason }) => [file, reason]));
}
