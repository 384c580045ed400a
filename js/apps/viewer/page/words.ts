import type { Proof, RagToolMeta, SourceTag } from "../../../core/api.js";
import {
	describeDifference,
	describeFreshness,
	describeProof,
} from "../../../core/plain-words.js";
import type { FileStatus } from "./worker-api.js";

/** A word beside a row or a file that is an exception, with its explanation. */
export interface Mark {
	text: string;
	title: string;
	tone: "info" | "warning";
}

interface MarkedRow {
	source: SourceTag;
	freshness_state: string;
	proof: Proof;
}

/** Returns the mark of a row; `null` for a row whose source and proof are those of the answer. */
export function rowMark(row: MarkedRow, meta: RagToolMeta | null): Mark | null {
	if (row.freshness_state === "STALE" || row.proof === "none") {
		const title = describeProof("none");
		return { text: "unproven", title, tone: "warning" };
	}
	if (row.source === "RAG_GRAPH" || !isMixed(meta)) return null;
	return { text: "live", title: describeProof(row.proof), tone: "info" };
}

/** Reports whether an answer has rows from the index beside rows that were read live. */
function isMixed(meta: RagToolMeta | null): boolean {
	return (meta?.files?.graph ?? 0) > 0;
}

export const CANDIDATE: Mark = {
	text: "candidate",
	title: "Has the same name; imports and scopes do not prove the reference",
	tone: "warning",
};

/** Returns the mark of a file that differs from the index. */
export function fileMark(
	status: FileStatus | undefined,
	meta: RagToolMeta | null | undefined,
): Mark | null {
	// Without an index every file would have the same mark.
	if (status === undefined || meta?.index_status == null) return null;
	const { verdict, proof } = status;
	const title = describeDifference(proof);
	switch (verdict) {
		case "changed":
			return { text: "changed", title, tone: "warning" };
		case "added":
			return { text: "new", title: "Not in the index yet", tone: "info" };
		case "unknown":
			return { text: "unproven", title, tone: "warning" };
		default:
			return null;
	}
}

/** Describes the freshness of an answer; the codes are for the tooltip. */
export function freshnessOf(meta: RagToolMeta) {
	const { text, tone } = describeFreshness(meta);
	const { status, freshness_state, reason, error_code, files } = meta;
	const codes = [status, freshness_state, reason ?? error_code];
	const counts =
		files === null
			? []
			: [`${files.graph} files from the index`, `${files.live} read live`];
	const details = [...codes, ...counts].filter(Boolean).join(" · ");
	return { text, tone, details };
}

/** Returns the folder of a path with its slash, and the name. */
export function splitPath(path: string): [string, string] {
	const at = path.lastIndexOf("/") + 1;
	return [path.slice(0, at), path.slice(at)];
}

/** Returns the place of a name as `file:line:column`; line and column count from 1. */
export function placeOf(file: string, line: number, column: number): string {
	return `${file}:${line}:${column}`;
}
