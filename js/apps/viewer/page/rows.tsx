import { useComputed, useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { LineageItem, NavItem, RagToolMeta } from "../../../core/api.js";
import { markedLine } from "../../../core/marked-line.js";
import { describeCondition, displaySymbol } from "../../../core/plain-words.js";
import { fitLine } from "./fit-line.js";
import { goToFile } from "./location.js";
import { MarkOf, Path } from "./marks.js";
import { groupRows, type ResultRow } from "./result-rows.js";
import { VirtualList } from "./virtual-list.js";
import { isTouch, TOUCH_HEIGHT } from "./window.js";
import { CANDIDATE, rowMark } from "./words.js";

const FILE_HEIGHT = 30;
const HIT_HEIGHT = 24;
/** The width of the line number and of the gaps of a row, in pixels. */
const BESIDE_TEXT = 64;
/** The distance before the kind of a row, and the widest letter of a kind, in pixels. */
const KIND_GAP = 8;
const KIND_LETTER = 7;

/** The rows of an answer, grouped by file. */
export function Rows({
	label,
	items,
	meta,
	onEnd,
}: {
	label: string;
	items: NavItem[];
	meta: RagToolMeta | null;
	onEnd?: () => void;
}) {
	const active = useSignal(-1);
	const closed = useSignal<ReadonlySet<string>>(new Set());
	const host = useRef<HTMLDivElement>(null);
	const width = useWidth(host, items.length > 0);
	const closedNow = closed.value;
	const rows = useMemo(() => groupRows(items, closedNow), [items, closedNow]);
	const columns = useComputed(() => Math.floor(width.value / letterWidth()));
	if (items.length === 0) return null;
	const toggle = (key: string) => {
		const next = new Set(closed.value);
		if (!next.delete(key)) next.add(key);
		closed.value = next;
	};
	const pick = (index: number) => {
		const row = rows[index];
		if (row?.kind === "file") toggle(row.key);
		if (row?.kind === "row") goToFile(row.item.file, row.item.line);
	};
	const onKey = (key: string, index: number) => {
		const row = rows[index];
		if (row?.kind !== "file") return false;
		if (key !== (row.isOpen ? "ArrowLeft" : "ArrowRight")) return false;
		toggle(row.key);
		return true;
	};
	return (
		<div class="rows-host" ref={host}>
			<VirtualList
				label={label}
				role="tree"
				class="rows"
				count={rows.length}
				heightOf={(index) => heightOf(rows[index])}
				heightKey={isTouch.value ? [rows] : rows}
				active={Math.min(active.value, rows.length - 1)}
				onActive={(index) => {
					// On focus the first row is active, because the head of its file only folds.
					active.value = active.value < 0 && index === 0 ? 1 : index;
				}}
				onPick={pick}
				onKey={onKey}
				rowAttributes={(index) => attributesOf(rows[index])}
				{...(onEnd && { onEnd })}
				row={(index) => (
					<Row row={rows[index]} meta={meta} columns={columns.value} />
				)}
			/>
		</div>
	);
}

function Row({
	row,
	meta,
	columns,
}: {
	row: ResultRow | undefined;
	meta: RagToolMeta | null;
	columns: number;
}) {
	if (row === undefined) return null;
	if (row.kind === "row") {
		return <ItemRow item={row.item} columns={columns} />;
	}
	const { file, count, isCandidate, isOpen, first } = row;
	return (
		<span class="row-file">
			<span class="twisty" aria-hidden="true">
				{isOpen ? "▾" : "▸"}
			</span>
			<Path path={file} />
			<MarkOf mark={isCandidate ? CANDIDATE : null} />
			<MarkOf mark={rowMark(first, meta)} />
			<span class="count">{count}</span>
		</span>
	);
}

function ItemRow({ item, columns }: { item: NavItem; columns: number }) {
	const { file, line, kind, symbol } = item;
	const words = kind === "text" ? "" : kindWords(item);
	const beside =
		BESIDE_TEXT + (words === "" ? 0 : KIND_GAP + words.length * KIND_LETTER);
	const room = columns - Math.ceil(beside / letterWidth());
	const inside = symbol === null ? "" : ` in ${displaySymbol(symbol)}`;
	const condition = describeCondition(item);
	return (
		<span
			class="row-hit"
			title={`${file}:${line}${inside} ${condition}`.trim()}
		>
			<span class="row-number">{line}</span>
			<span class="row-text">
				<Line item={item} columns={Math.max(16, room)} />
			</span>
			{words !== "" && <span class="row-kind">{words}</span>}
		</span>
	);
}

function Line({ item, columns }: { item: NavItem; columns: number }) {
	const line = markedLine(item);
	const text = line.before + line.match + line.after;
	const start = line.before.length;
	const end = start + line.match.length;
	if (line.match === "") return <>{text.trim()}</>;
	const { before, match, after } = fitLine(text, start, end, columns);
	return (
		<>
			{before}
			<mark>{match}</mark>
			{after}
		</>
	);
}

/**
 * Returns the kind of a row. A distant row of a lineage has its distance too, and a row that only
 * some builds compile says so.
 */
function kindWords(item: NavItem): string {
	const { depth = 1 } = item as Partial<LineageItem>;
	const step = depth > 1 ? ` · step ${depth}` : "";
	// The title of the row has the condition.
	const sometimes = item.condition === undefined ? "" : " · conditional";
	return `${item.kind}${step}${sometimes}`;
}

function heightOf(row: ResultRow | undefined): number {
	if (isTouch.value) return TOUCH_HEIGHT;
	return row?.kind === "file" ? FILE_HEIGHT : HIT_HEIGHT;
}

function attributesOf(row: ResultRow | undefined) {
	if (row?.kind !== "file") return { "aria-level": 2 };
	return { "aria-level": 1, "aria-expanded": row.isOpen };
}

/** Measures the width of an element, now and whenever it changes. */
function useWidth(element: { current: Element | null }, isThere: boolean) {
	const width = useSignal(0);
	useLayoutEffect(() => {
		if (element.current === null) return;
		const observer = new ResizeObserver(([entry]) => {
			if (entry !== undefined) width.value = entry.contentRect.width;
		});
		observer.observe(element.current);
		width.value = element.current.clientWidth;
		return () => observer.disconnect();
	}, [isThere]);
	return width;
}

let measured: number | undefined;

/** The width of a letter in the text of a row, in pixels. */
function letterWidth(): number {
	measured ??= measureLetter();
	return measured;
}

function measureLetter(): number {
	const style = getComputedStyle(document.documentElement);
	const context = document.createElement("canvas").getContext("2d");
	const fallback = 7.3;
	if (context === null) return fallback;
	context.font = `${style.getPropertyValue("--size-small")} ${style.getPropertyValue("--mono")}`;
	return context.measureText("0".repeat(50)).width / 50 || fallback;
}
