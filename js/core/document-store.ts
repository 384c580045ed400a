import type { Measure, Reply } from "../generated/glue.js";
import { messageOf } from "./errors.js";

/** A store of documents that is asked in place of the embedded one: a method that it lacks is one that it cannot do. */
export interface DocumentStore {
	/** The documents that fit best, best first. */
	query(query: StoreQuery): Promise<QueryRows>;
	/** The documents that meet a filter. */
	get?(query: StoreGet): Promise<{ rows: StoreRow[] }>;
	/** Puts documents in, in place of those of the same names. */
	upsert?(documents: StoreDocument[]): Promise<void>;
	/** Takes documents out; names that are not there are no failure. */
	delete?(ids: string[]): Promise<void>;
}

/** What is searched for. */
export interface StoreQuery {
	/** In words. */
	text: string;
	/** As a vector, where the agent was given what makes one. */
	embedding: number[] | null;
	/** Chroma's metadata filter; `null` for none. */
	where: Record<string, unknown> | null;
	/** How many are wanted. */
	k: number;
}

/** What is listed. */
export interface StoreGet {
	/** Chroma's metadata filter; `null` for none. */
	where: Record<string, unknown> | null;
	/** How many are wanted. */
	limit: number;
}

/** What a query gives. */
export interface QueryRows {
	rows: StoreRow[];
	/** What the rows' values are; without one the rows have no score. */
	measure?: Measure | null | undefined;
}

/** A document as a store gives it. */
export interface StoreRow {
	/** Its name in the store. */
	id: string;
	/** Its text. */
	document?: string | null | undefined;
	/** What else is known of it: texts, numbers, booleans, and lists of these. */
	metadata?: Record<string, unknown> | null | undefined;
	/** How near it is, by the measure that goes with the rows. */
	value?: number | null | undefined;
}

/** A document that is put in. */
export interface StoreDocument {
	id: string;
	document: string;
	metadata: Record<string, unknown>;
	/** What it means, where somebody made a vector of that. */
	embedding: number[] | null;
}

/** What the core asks of a store. */
export type StoreRequest =
	| ({ request: "query" } & StoreQuery)
	| ({ request: "get" } & StoreGet)
	| { request: "upsert"; documents: StoreDocument[] }
	| { request: "delete"; ids: string[] };

/** A store's answer to the core; what it throws is a refusal in its own words. */
export async function replyOf(
	store: DocumentStore,
	request: StoreRequest,
): Promise<Reply> {
	try {
		return await performed(store, request);
	} catch (thrown) {
		return { reply: "refused", message: messageOf(thrown) };
	}
}

async function performed(
	store: DocumentStore,
	request: StoreRequest,
): Promise<Reply> {
	switch (request.request) {
		case "query": {
			const { rows, measure } = await store.query(request);
			return { reply: "rows", measure: measure ?? null, rows: plain(rows) };
		}
		case "get": {
			if (store.get === undefined) return unable("list documents");
			const { rows } = await store.get(request);
			return { reply: "rows", measure: null, rows: plain(rows) };
		}
		case "upsert":
			if (store.upsert === undefined) return unable("take documents");
			await store.upsert(request.documents);
			return { reply: "done" };
		case "delete":
			if (store.delete === undefined) return unable("remove documents");
			await store.delete(request.ids);
			return { reply: "done" };
	}
}

function plain(rows: StoreRow[]) {
	return rows.map(({ id, document, metadata, value }) => ({
		id,
		document: document ?? null,
		metadata: metadata ?? null,
		value: value ?? null,
	}));
}

function unable(what: string): Reply {
	return { reply: "refused", message: `it cannot ${what}` };
}
