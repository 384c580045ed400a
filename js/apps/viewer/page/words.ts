import type { Proof, RagToolMeta, SourceTag } from "../../../core/api.js";
import type { Standing } from "./worker-api.js";

/** How a row's text is known to be current, in words. */
const PROOFS: Record<Proof, string> = {
	stat: "size and time are as indexed",
	hash: "the content is as indexed",
	watch: "no change was seen since",
	live: "read for this answer",
	overlay: "an unsaved text",
	none: "not proven",
};

export interface Badge {
	text: string;
	title: string;
	tone: "index" | "live" | "stale";
}

/** What a row rests on. */
export function rowBadge(row: {
	source: SourceTag;
	freshness_state: string;
	proof: Proof;
}): Badge {
	const title = `${sourceName(row.source)}: ${PROOFS[row.proof]}`;
	if (row.freshness_state === "STALE" || row.proof === "none") {
		return { text: "stale", title, tone: "stale" };
	}
	if (row.source === "RAG_GRAPH") {
		return { text: `index · ${row.proof}`, title, tone: "index" };
	}
	const text = row.proof === "live" ? "live" : `live · ${row.proof}`;
	return { text, title, tone: "live" };
}

/** How a file stands to the index. */
export function fileBadge(standing: Standing | undefined): Badge {
	if (standing === undefined) {
		return { text: "live", title: "not in an index", tone: "live" };
	}
	const { verdict, proof } = standing;
	const title = PROOFS[proof];
	if (verdict === "unchanged") return { text: "index", title, tone: "index" };
	if (verdict === "changed" || verdict === "unknown") {
		return { text: "stale", title: `${verdict}: answered live`, tone: "stale" };
	}
	return { text: verdict, title: `${verdict}: ${title}`, tone: "live" };
}

/** What an answer rests on, in one line. */
export function restsOn({
	status,
	freshness_state,
	message,
	files,
}: RagToolMeta) {
	const words = message ?? (status === "OK" ? "The index is proven." : "");
	// Most messages have the counts in them.
	const isCounted = files === null || /\d/.test(words);
	const counts = isCounted
		? ""
		: ` · ${files.graph} from the index, ${files.live} live`;
	return { short: `${status} · ${freshness_state}`, words, counts };
}

function sourceName(source: SourceTag): string {
	return source === "RAG_GRAPH" ? "from the index" : "from the live file";
}

/** A symbol without the mark that all of them have. */
export function shortName(symbol: string): string {
	return symbol.replace(/^sym:/, "");
}
