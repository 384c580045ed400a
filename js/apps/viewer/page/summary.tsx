import type { RagToolMeta } from "../../../core/api.js";
import { formatCount } from "../../../core/counts.js";
import { Freshness } from "./marks.js";
import type { Answer } from "./state.js";

interface Counted {
	meta: RagToolMeta;
	items: unknown[];
	total?: number | null;
}

/** The number of rows of an answer, how fresh they are, or why the query failed. */
export function Summary<T extends Counted>({
	answer,
	nothing,
}: {
	answer: Answer<T>;
	nothing: string;
}) {
	const { isLoading, value } = answer;
	return (
		<>
			<div class="loading" hidden={!isLoading} />
			{value?.meta.status === "ERROR" && (
				<p class="summary error" role="alert">
					{value.meta.message}
				</p>
			)}
			{value !== null && value.meta.status !== "ERROR" && (
				<p class="summary" role="status">
					<span>{describeCount(value, nothing)}</span>
					<Freshness meta={value.meta} />
				</p>
			)}
		</>
	);
}

function describeCount({ items, total }: Counted, nothing: string): string {
	if (items.length === 0) return nothing;
	const shown = formatCount(items.length);
	if (total === null) return `The first ${shown} rows; there are more`;
	if (total !== undefined && items.length < total) {
		return `${shown} of ${formatCount(total)} rows`;
	}
	return items.length === 1 ? "1 row" : `${shown} rows`;
}
