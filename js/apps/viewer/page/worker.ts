import "./core.js";
import { expose } from "comlink";
import type { Navigator } from "../../../core/navigator.js";
import { openRepository, type Repository } from "./repository.js";
import type { ViewerWorker } from "./worker-api.js";

/** Rows of a page: more are asked for where the list is scrolled to its end. */
const PAGE = 100;
const MAX_LINEAGE = 200;

let repository: Repository | undefined;
const underWay = new Map<number, AbortController>();

function current(): Repository {
	if (repository !== undefined) return repository;
	throw new Error("no repository is open");
}

async function asked<T>(
	id: number,
	ask: (nav: Navigator, signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const controller = new AbortController();
	underWay.set(id, controller);
	try {
		return await ask(current().nav, controller.signal);
	} finally {
		underWay.delete(id);
	}
}

const worker: ViewerWorker = {
	open: async (source) => {
		const next = await openRepository(source);
		repository?.close();
		repository = next;
		return next.opened;
	},
	version: () => current().version(),
	text: (path) => current().text(path),
	files: (id) => asked(id, (_, signal) => current().files(signal)),
	search: (id, query, mode, cursor) =>
		asked(id, (nav, signal) =>
			nav.search(query, {
				mode,
				cursor,
				signal,
				limit: PAGE,
				case_sensitive: mode !== "ranked" && isCaseSensitive(query),
			}),
		),
	whereUsed: (id, symbol, cursor) =>
		asked(id, (nav, signal) =>
			nav.whereUsed(symbol, { signal, cursor, limit: PAGE }),
		),
	lineage: (id, symbol, direction, depth) =>
		asked(id, (nav, signal) =>
			nav.lineage(symbol, direction, {
				signal,
				depth,
				limit: MAX_LINEAGE,
			}),
		),
	locate: (id, symbol) =>
		asked(id, (nav, signal) => nav.locate(symbol, { signal })),
	identify: (id, file, line) =>
		asked(id, (nav, signal) => nav.identify(file, line, { signal })),
	outline: (id, file) =>
		asked(id, (nav, signal) => nav.outline(file, { signal })),
	ask: (id, question, onProgress) =>
		asked(id, (nav, signal) => nav.ask(question, { signal, onProgress })),
	build: (id, onProgress) =>
		asked(id, (nav, signal) => nav.buildGraph({ signal, onProgress })),
	cancel: (id) => underWay.get(id)?.abort(),
};

/** As editors have it: capitals mean themselves. */
function isCaseSensitive(query: string): boolean {
	return query !== query.toLowerCase();
}

expose(worker);
