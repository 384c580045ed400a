import type { Measure } from "../generated/glue.js";
import type { DocumentStore, StoreRow } from "./store.js";

/** What is used of a collection of Chroma's client: any version that has these will do. */
export interface ChromaCollection {
	metadata?: Record<string, unknown> | null | undefined;
	configuration?: unknown;
	query(request: {
		queryTexts?: string[];
		queryEmbeddings?: number[][];
		nResults: number;
		where?: never;
		include?: never;
	}): Promise<{
		ids: string[][];
		documents?: (string | null)[][] | null | undefined;
		metadatas?: (object | null)[][] | null | undefined;
		distances?: (number | null)[][] | null | undefined;
	}>;
	get(request: { where?: never; limit?: number; include?: never }): Promise<{
		ids: string[];
		documents?: (string | null)[] | null | undefined;
		metadatas?: (object | null)[] | null | undefined;
	}>;
	upsert?(request: {
		ids: string[];
		documents: string[];
		metadatas: never;
		embeddings?: number[][];
	}): Promise<unknown>;
	delete?(request: { ids: string[] }): Promise<unknown>;
}

/** What may be said of a collection. */
export interface ChromaOptions {
	/** What its distances are. Default: as its configuration says, else Chroma's own default, the squared distance. */
	measure?: Measure | null | undefined;
}

const MEASURES: Record<string, Measure> = {
	cosine: "cosine_distance",
	ip: "inner_product_distance",
	l2: "squared_distance",
};

/**
 * A collection of Chroma as a store. With a function the collection is looked up when it is first asked, so that one that is missing is an
 * answer (`STORE_FAILED`) and not an exception.
 *
 * A question's vector is made by the agent's `embed` where it has one, else by the collection's own embedding function.
 */
export function fromChroma(
	collection: ChromaCollection | (() => Promise<ChromaCollection>),
	options?: ChromaOptions | null,
): DocumentStore {
	let known: ChromaCollection | undefined;
	const opened = async () => {
		known ??=
			typeof collection === "function" ? await collection() : collection;
		return known;
	};
	return {
		async query({ text, embedding, where, k }) {
			const from = await opened();
			const found = await from.query({
				...(embedding === null
					? { queryTexts: [text] }
					: { queryEmbeddings: [embedding] }),
				nResults: k,
				...filtered(where),
				include: INCLUDED_IN_QUERY as never,
			});
			return {
				measure: options?.measure ?? measureOf(from),
				rows: rowsOf(
					found.ids[0] ?? [],
					found.documents?.[0],
					found.metadatas?.[0],
					found.distances?.[0],
				),
			};
		},
		async get({ where, limit }) {
			const from = await opened();
			const found = await from.get({
				...filtered(where),
				limit,
				include: INCLUDED_IN_GET as never,
			});
			return { rows: rowsOf(found.ids, found.documents, found.metadatas) };
		},
		async upsert(documents) {
			const to = await opened();
			if (to.upsert === undefined) throw new Error("it takes no documents");
			const embeddings = documents.flatMap(({ embedding }) =>
				embedding === null ? [] : [embedding],
			);
			await to.upsert({
				ids: documents.map(({ id }) => id),
				documents: documents.map(({ document }) => document),
				metadatas: documents.map(({ metadata }) => metadata) as never,
				// All have one, or the collection makes them.
				...(embeddings.length === documents.length ? { embeddings } : {}),
			});
		},
		async delete(ids) {
			const from = await opened();
			if (from.delete === undefined) throw new Error("it removes no documents");
			await from.delete({ ids });
		},
	};
}

const INCLUDED_IN_QUERY = ["documents", "metadatas", "distances"];
const INCLUDED_IN_GET = ["documents", "metadatas"];

/** The client's own type of a filter says no more than that it is an object. */
function filtered(where: Record<string, unknown> | null) {
	return where === null ? {} : { where: where as never };
}

function rowsOf(
	ids: string[],
	documents?: (string | null)[] | null,
	metadatas?: (object | null)[] | null,
	distances?: (number | null)[] | null,
): StoreRow[] {
	return ids.map((id, at) => ({
		id,
		document: documents?.[at] ?? null,
		metadata: (metadatas?.[at] ?? null) as Record<string, unknown> | null,
		value: distances?.[at] ?? null,
	}));
}

function measureOf({ metadata, configuration }: ChromaCollection): Measure {
	const space =
		spaceOf(configuration, "hnsw") ??
		spaceOf(configuration, "spann") ??
		metadata?.["hnsw:space"];
	return MEASURES[String(space)] ?? "squared_distance";
}

function spaceOf(configuration: unknown, index: string): unknown {
	const indexes = configuration as Record<string, { space?: unknown } | null>;
	return indexes?.[index]?.space;
}
