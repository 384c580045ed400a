import type { RagToolMeta } from "../../../core/api.js";
import { freshnessOf, type Mark, splitPath } from "./words.js";

/** The mark of an exception; empty without one. */
export function MarkOf({ mark }: { mark: Mark | null }) {
	if (mark === null) return null;
	return (
		<span class={`mark ${mark.tone}`} title={mark.title}>
			{mark.text}
		</span>
	);
}

/** The freshness of an answer in words; the codes are in the tooltip. */
export function Freshness({ meta }: { meta: RagToolMeta }) {
	const { text, tone, details } = freshnessOf(meta);
	return (
		<span class={`freshness ${tone}`} title={details}>
			{text}
		</span>
	);
}

/** A path on one line. A narrow one has a truncated folder, but always the whole name. */
export function Path({ path }: { path: string }) {
	const [folder, name] = splitPath(path);
	return (
		<span class="path" title={path}>
			{folder !== "" && <span class="path-folder">{folder}</span>}
			<span class="path-name">{name}</span>
		</span>
	);
}

/** Grey bars in place of rows that are loading. */
export function Skeleton({ label }: { label: string }) {
	return (
		<div class="skeleton" role="status" aria-label={label}>
			{[70, 45, 85, 60, 75, 40, 65, 50].map((width) => (
				<span key={width} style={{ width: `${width}%` }} />
			))}
		</div>
	);
}
