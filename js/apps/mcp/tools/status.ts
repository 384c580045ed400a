import type { FileVerdict, RootStatus } from "../../../entries/node.js";
import type { StatusAnswer, VerdictCounts } from "../answers.js";
import type { StatusArguments } from "../arguments.js";
import { fitWhole, takeFirst } from "../fit.js";
import { statusText } from "../text/state.js";
import { READS, type Tool, withoutPlan } from "../tool.js";

const DEFAULT_LIMIT = 50;

const NONE: Readonly<VerdictCounts> = {
	unchanged: 0,
	changed: 0,
	added: 0,
	removed: 0,
	skipped: 0,
	unknown: 0,
};

export const status: Tool<StatusArguments, StatusAnswer> = {
	name: "rag_status",
	description:
		"Compares the files with the index: the number of unchanged, changed, added, removed, skipped and unknown ones, and which they are. Other tools need no such check. `without_symbols` counts the files in no known language, which only text searches read.",
	annotations: READS,
	async ask({ nav }, given, call) {
		const result = await nav.status(call());
		const {
			meta,
			items,
			without_symbols,
			compiler_indexes,
			wasm_memory_bytes,
		} = result;
		const { roots } = result as { roots?: RootStatus[] };
		const listed = filesToList(items, given.include_unchanged ?? false);
		const answer = {
			meta: withoutPlan(meta),
			items: listed,
			counts: countsOf(items),
			without_symbols,
			compiler_indexes,
			truncated: false,
			total: meta.status === "ERROR" ? null : listed.length,
			wasm_memory_bytes,
			...(roots && { roots }),
		};
		return fitWhole(takeFirst(answer, given.limit ?? DEFAULT_LIMIT));
	},
	noun: "file",
	text: statusText,
	failed: ({ meta }) => ({
		meta,
		items: [],
		counts: { ...NONE },
		without_symbols: [],
		compiler_indexes: [],
		truncated: false,
		total: null,
		wasm_memory_bytes: 0,
	}),
};

/** Returns the files to list. Differing ones come first, because the list may be truncated. */
function filesToList(
	files: FileVerdict[],
	withUnchanged: boolean,
): FileVerdict[] {
	const unchanged = files.filter(({ verdict }) => verdict === "unchanged");
	const skipped = files.filter(({ verdict }) => isLeftOut(verdict));
	const others = files.filter(
		({ verdict }) => verdict !== "unchanged" && !isLeftOut(verdict),
	);
	return [...others, ...skipped, ...(withUnchanged ? unchanged : [])];
}

function isLeftOut(verdict: FileVerdict["verdict"]): boolean {
	return verdict === "skipped" || verdict === "unknown";
}

function countsOf(files: FileVerdict[]): VerdictCounts {
	const counts = { ...NONE };
	for (const { verdict } of files) counts[verdict] += 1;
	return counts;
}
