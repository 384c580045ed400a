import "./core.js";
import { expose } from "comlink";
import type { Navigator } from "../../../core/navigator.js";
import { matchPaths } from "./fuzzy.js";
import { matchSymbols } from "./match-symbols.js";
import { openRepository, type Repository } from "./repository.js";
import type { ViewerWorker } from "./worker-api.js";

/** The page size. The list requests the next page when it is scrolled to its end. */
const PAGE = 100;
const MAX_LINEAGE = 200;

/** A word that no file has, so that a search for it reads everything that searches need. */
const ABSENT_TEXT = "qzxjwvkqzxjwvk";

let repository: Repository | undefined;
let warming: AbortController | undefined;
const running = new Map<number, AbortController>();

function current(): Repository {
	if (repository !== undefined) return repository;
	throw new Error("no repository is open");
}

/** Runs a query that {@link ViewerWorker.cancel} can end. */
async function run<T>(
	id: number,
	query: (nav: Navigator, signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const controller = new AbortController();
	running.set(id, controller);
	try {
		return await query(current().nav, controller.signal);
	} finally {
		running.delete(id);
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
	warm: async () => {
		warming?.abort();
		warming = new AbortController();
		const { signal } = warming;
		const { nav } = current();
		for (const mode of ["literal", "ranked"] as const) {
			await nav.search(ABSENT_TEXT, { mode, signal, limit: 1 });
		}
	},
	matchFiles: async (text, limit) =>
		matchPaths(current().knownPaths(), text, limit),
	matchSymbols: (id, text) =>
		run(id, (nav, signal) => matchSymbols(nav, text, signal)),
	paths: () => current().paths(),
	files: (id) => run(id, (_, signal) => current().files(signal)),
	search: (id, query, mode, cursor) =>
		run(id, (nav, signal) => {
			// Reading the rest ahead would delay this answer; what has been read stays.
			warming?.abort();
			return nav.search(query, {
				mode,
				cursor,
				signal,
				limit: PAGE,
				case_sensitive: mode !== "ranked" && isCaseSensitive(query),
			});
		}),
	whereUsed: (id, subject, cursor) =>
		run(id, (nav, signal) =>
			nav.whereUsed(subject, { signal, cursor, limit: PAGE }),
		),
	lineage: (id, subject, direction, depth) =>
		run(id, (nav, signal) =>
			nav.lineage(subject, direction, {
				signal,
				depth,
				limit: MAX_LINEAGE,
			}),
		),
	impact: (id, from) =>
		run(id, (nav, signal) => nav.impact({ from, signal, limit: PAGE })),
	locate: (id, subject) =>
		run(id, (nav, signal) => nav.locate(subject, { signal })),
	identify: (id, file, line) =>
		run(id, (nav, signal) => nav.identify(file, line, { signal })),
	outline: (id, file) =>
		run(id, (nav, signal) => nav.outline(file, { signal })),
	ask: (id, question, only, onProgress) =>
		run(id, (nav, signal) =>
			nav.ask(question, { signal, onProgress, only, deduplicate: false }),
		),
	build: (id, onProgress) =>
		run(id, (nav, signal) => nav.buildGraph({ signal, onProgress })),
	cancel: (id) => running.get(id)?.abort(),
};

/** Reports whether a query has capitals, which makes case count as in editors. */
function isCaseSensitive(query: string): boolean {
	return query !== query.toLowerCase();
}

expose(worker);
