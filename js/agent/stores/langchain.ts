import type { DocumentStore, StoreRow } from "../../core/document-store.js";
import type { Measure } from "../../generated/glue.js";
import { meetsWhere } from "../steps.js";
import { type ChromaCollection, fromChroma } from "./chroma.js";

/** What is used of a document of LangChain.js. */
export interface LangChainDocument {
	id?: string | undefined;
	pageContent: string;
	metadata: Record<string, unknown>;
}

/** What is used of a vector store of LangChain.js. */
export interface LangChainStore {
	_vectorstoreType?(): string;
	similaritySearchWithScore(
		text: string,
		k?: number,
		filter?: never,
	): Promise<[LangChainDocument, number][]>;
	similaritySearchVectorWithScore?(
		vector: number[],
		k: number,
		filter?: never,
	): Promise<[LangChainDocument, number][]>;
	/** Chroma's. */
	ensureCollection?(): Promise<unknown>;
	/** The store in memory's. */
	memoryVectors?: {
		id?: string;
		content: string;
		metadata: Record<string, unknown>;
	}[];
}

/** What may be said of a vector store. */
export interface LangChainOptions {
	/** Lists documents by a `where` of Chroma's. Default: known for Chroma and the store in memory; others cannot list. */
	get?: DocumentStore["get"] | undefined;
	/** What its scores are. Default: a similarity of the store in memory, the squared distance of Chroma, else none. */
	measure?: Measure | null | undefined;
	/** What it takes as a filter. Default: a function of the store in memory, else the `where` itself. */
	filter?: ((where: Record<string, unknown>) => unknown) | null | undefined;
}

const MEASURES: Record<string, Measure> = {
	memory: "similarity",
	chroma: "squared_distance",
};

/** A vector store of LangChain.js as a store of documents. It embeds by itself where the agent has no `embed`. */
export function fromLangChain(
	vectorStore: LangChainStore,
	options?: LangChainOptions | null,
): DocumentStore {
	const kind = vectorStore._vectorstoreType?.() ?? "";
	const filterOf = options?.filter ?? (kind === "memory" ? predicate : asItIs);
	const get = options?.get ?? getOf(vectorStore);
	return {
		async query({ text, embedding, where, k }) {
			const filter = (where === null ? undefined : filterOf(where)) as never;
			const byVector = vectorStore.similaritySearchVectorWithScore;
			const found =
				embedding !== null && byVector !== undefined
					? await byVector.call(vectorStore, embedding, k, filter)
					: await vectorStore.similaritySearchWithScore(text, k, filter);
			return {
				measure: options?.measure ?? MEASURES[kind] ?? null,
				rows: found.map(([document, value], at) => ({
					...rowOf(document, at),
					value,
				})),
			};
		},
		...(get === undefined ? {} : { get }),
	};
}

function asItIs(where: Record<string, unknown>): unknown {
	return where;
}

function predicate(where: Record<string, unknown>) {
	return ({ metadata }: LangChainDocument) => meetsWhere(where, metadata);
}

function getOf(vectorStore: LangChainStore): DocumentStore["get"] {
	if (vectorStore.memoryVectors !== undefined) {
		return async ({ where, limit }) => {
			const all = vectorStore.memoryVectors ?? [];
			const met = all.filter(
				({ metadata }) => where === null || meetsWhere(where, metadata),
			);
			const documents = met.slice(0, limit).map(({ content, ...others }) => ({
				...others,
				pageContent: content,
			}));
			return { rows: documents.map(rowOf) };
		};
	}
	if (vectorStore.ensureCollection !== undefined) {
		const collection = async () =>
			(await vectorStore.ensureCollection?.()) as ChromaCollection;
		return fromChroma(collection).get;
	}
	return undefined;
}

/** Not every store names its documents. */
function rowOf(document: LangChainDocument, at: number): StoreRow {
	const { id, pageContent, metadata } = document;
	const named = id ?? metadata.id;
	return {
		id: typeof named === "string" ? named : `document-${at + 1}`,
		document: pageContent,
		metadata,
	};
}
