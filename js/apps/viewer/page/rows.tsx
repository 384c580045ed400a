import { useSignal, useSignalEffect } from "@preact/signals";
import type { NavItem } from "../../../core/api.js";
import { goTo } from "./actions.js";
import { Badge } from "./badge.js";
import type { Answer } from "./state.js";
import { VirtualList } from "./virtual-list.js";
import { rowBadge, shortName } from "./words.js";

const ROW_HEIGHT = 48;

/** The rows of an answer: each with its place, its line, and what it rests on. */
export function Rows({
	label,
	items,
	onEnd,
}: {
	label: string;
	items: NavItem[];
	onEnd?: () => void;
}) {
	const active = useSignal(-1);
	if (items.length === 0) return null;
	return (
		<VirtualList
			label={label}
			role="listbox"
			class="rows"
			count={items.length}
			rowHeight={ROW_HEIGHT}
			active={Math.min(active.value, items.length - 1)}
			onActive={(index) => {
				active.value = index;
			}}
			onPick={(index) => {
				const item = items[index];
				if (item !== undefined) goTo(item.file, item.line);
			}}
			{...(onEnd && { onEnd })}
			row={(index) => <Row item={items[index]} />}
		/>
	);
}

function Row({ item }: { item: NavItem | undefined }) {
	if (item === undefined) return null;
	const { file, line, kind, resolution, symbol } = item;
	const what = resolution === "candidate" ? `${kind}, by name` : kind;
	return (
		<>
			<span class="row-head">
				<span class="row-place" title={`${file}:${line}`}>
					<bdi>{`${file}:${line}`}</bdi>
				</span>
				{kind !== "text" && <span class="row-kind">{what}</span>}
				<Badge badge={rowBadge(item)} />
			</span>
			<span class="row-line" title={symbol === null ? "" : shortName(symbol)}>
				<Line item={item} />
			</span>
		</>
	);
}

function Line({ item }: { item: NavItem }) {
	const { snippet, line, start_utf16, end_utf16 } = item;
	const lines = snippet.text.split("\n");
	const text = lines[line - snippet.location.start_line] ?? "";
	// A long line is cut around the hit, and its columns no longer count.
	if (end_utf16 > text.length || end_utf16 <= start_utf16) {
		return <>{text.trim()}</>;
	}
	return (
		<>
			{text.slice(0, start_utf16).trimStart()}
			<mark>{text.slice(start_utf16, end_utf16)}</mark>
			{text.slice(end_utf16).trimEnd()}
		</>
	);
}

/** What an answer comes to, said also to who does not see it. */
export function Summary<
	T extends {
		meta: { status: string; message: string | null };
		items: unknown[];
		total: number | null;
	},
>({ answer, nothing }: { answer: Answer<T>; nothing: string }) {
	const { asking, value } = answer;
	if (value === null) return <p class="summary">{asking ? "Asking…" : ""}</p>;
	if (value.meta.status === "ERROR") {
		return (
			<p class="summary error" role="alert">
				{value.meta.message}
			</p>
		);
	}
	const { items, total } = value;
	const words = items.length === 0 ? nothing : countOf(items.length, total);
	return (
		<p class="summary" role="status">
			{words}
			{asking ? " · asking…" : ""}
		</p>
	);
}

function countOf(shown: number, total: number | null): string {
	if (total === null) return `the first ${shown} rows; there are more`;
	if (shown < total) return `${shown} of ${total} rows`;
	return shown === 1 ? "1 row" : `${shown} rows`;
}

/** Runs something a moment after the last of many changes. */
export function useSettled(read: () => unknown, ms: number, run: () => void) {
	useSignalEffect(() => {
		read();
		const timer = setTimeout(run, ms);
		return () => clearTimeout(timer);
	});
}
