import type {
	CallOptions,
	ErrorCode,
	FileItem,
	OccurrencesResult,
	RagToolMeta,
} from "../../core/api.js";
import { RagnavError } from "../../core/errors.js";
import type { Navigator } from "../../core/navigator.js";
import { documentOf } from "./document.js";
import { KnownSymbols } from "./known-symbols.js";
import { encodeDocument, encodeMetadata, type Metadata } from "./messages.js";

/** The files of one page of `files`, and the rows of one page of `occurrences`. */
const PAGE = 10_000;

/** The files that are asked about at once; their queries share a walk of the repository. */
const AT_ONCE = 32;

/** The reasons for which a file has no document, while the others have one. */
const UNREADABLE: ReadonlySet<unknown> = new Set([
	"FILE_UNREADABLE",
	"LANGUAGE_UNAVAILABLE",
]);

/** What an index is about. */
export interface IndexOptions extends Metadata {
	/** The name of the package in the symbols, or `""`. */
	packageName: string;
	call: Pick<CallOptions, "signal" | "onProgress">;
}

/** What was written. */
export interface IndexSummary {
	meta: RagToolMeta;
	documents: number;
	symbols: number;
	occurrences: number;
	/** References to members of objects of unknown type; the index does not have them. */
	candidates: number;
	/** The files in a known language that could not be read; the index does not have them. */
	unreadable: string[];
}

type Call = Pick<CallOptions, "signal">;

/**
 * Writes the index of a repository piece by piece, so that no more than some documents are in
 * memory.
 *
 * @throws RagnavError if a query fails, or if files changed so that a reference means a definition
 * that the index does not have
 */
export async function* writeIndex(
	nav: Navigator,
	options: IndexOptions,
): AsyncGenerator<Uint8Array, IndexSummary> {
	yield encodeMetadata(options);
	const { packageName, call } = options;
	const { files, meta } = await codeFiles(nav, call);
	const summary = emptySummary(meta);
	const symbols = new KnownSymbols();
	for (let at = 0; at < files.length; at += AT_ONCE) {
		call.onProgress?.({ done: at, total: files.length, phase: "files" });
		const some = files.slice(at, at + AT_ONCE);
		const answers = some.map(({ file }) => allOccurrences(nav, file, call));
		for (const answer of await Promise.all(answers)) {
			addAnswer(summary, answer);
			if (answer.meta.status === "ERROR") continue;
			const { file, language } = answer;
			const document = documentOf(
				file,
				language ?? "",
				answer.items,
				packageName,
			);
			summary.documents += 1;
			summary.symbols += document.symbols.length;
			summary.occurrences += document.occurrences.length;
			symbols.add(document);
			yield encodeDocument(document);
		}
	}
	symbols.requireAll();
	return summary;
}

function emptySummary(meta: RagToolMeta): IndexSummary {
	return {
		meta,
		documents: 0,
		symbols: 0,
		occurrences: 0,
		candidates: 0,
		unreadable: [],
	};
}

/** Returns the files in a known language. */
async function codeFiles(nav: Navigator, call: Call) {
	const files: FileItem[] = [];
	let cursor: string | null = null;
	for (;;) {
		const page = await nav.files({ ...signalOf(call), limit: PAGE, cursor });
		requireAnswer(page.meta);
		files.push(...page.items.filter(({ language }) => language !== null));
		cursor = page.cursor;
		if (cursor === null) return { files, meta: page.meta };
	}
}

/** Returns all rows of a file, or the error of one that cannot be read. */
async function allOccurrences(
	nav: Navigator,
	file: string,
	call: Call,
): Promise<OccurrencesResult> {
	const items: OccurrencesResult["items"] = [];
	let cursor: string | null = null;
	for (;;) {
		const options = { ...signalOf(call), limit: PAGE, cursor };
		const page: OccurrencesResult = await nav.occurrences(file, options);
		if (!UNREADABLE.has(page.meta.error_code)) requireAnswer(page.meta);
		items.push(...page.items);
		cursor = page.cursor;
		if (cursor === null) return { ...page, items };
	}
}

function signalOf({ signal }: Call): Call {
	return signal === undefined ? {} : { signal };
}

/** @throws RagnavError for the answer of a query that failed */
function requireAnswer({ status, error_code, message }: RagToolMeta): void {
	if (status !== "ERROR") return;
	const code = (error_code ?? "HOST_FAILED") as ErrorCode;
	throw new RagnavError(code, message ?? "");
}

/** Adds what an answer says beside its rows. */
function addAnswer(summary: IndexSummary, answer: OccurrencesResult): void {
	if (answer.meta.status === "ERROR") {
		summary.unreadable.push(answer.file);
		return;
	}
	for (const { reason, count } of answer.doubts) {
		if (reason === "candidates") summary.candidates += count ?? 0;
	}
	if (summary.documents === 0 || isLess(answer.meta, summary.meta)) {
		summary.meta = answer.meta;
	}
}

/** Reports whether an answer rests on less than another. */
function isLess(meta: RagToolMeta, other: RagToolMeta): boolean {
	const proven = ({ status, freshness_state }: RagToolMeta) =>
		(status === "OK" ? 2 : 0) + (freshness_state === "FRESH" ? 1 : 0);
	return proven(meta) < proven(other);
}
