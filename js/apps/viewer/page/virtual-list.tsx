import {
	elementScroll,
	observeElementOffset,
	observeElementRect,
	Virtualizer,
} from "@tanstack/virtual-core";
import type { ComponentChildren, HTMLAttributes } from "preact";
import {
	useEffect,
	useId,
	useLayoutEffect,
	useMemo,
	useReducer,
	useRef,
} from "preact/hooks";

export interface VirtualListProps {
	/** The accessible name. */
	label: string;
	role: "listbox" | "tree";
	class?: string;
	count: number;
	/** The height of a row, in pixels. */
	heightOf: (index: number) => number;
	/** A value that changes when heights may have changed, such as the list of rows. */
	heightKey: unknown;
	/** The index of the row that keys act on; -1 for none. */
	active: number;
	onActive: (index: number) => void;
	onPick: (index: number) => void;
	/** Handles the keys of this list alone; reports whether it knows the key. */
	onKey?: (key: string, index: number) => boolean;
	/** Called when the list is scrolled to its end. */
	onEnd?: () => void;
	row: (index: number) => ComponentChildren;
	/** The attributes of a row for assistive technology. */
	rowAttributes?: (index: number) => HTMLAttributes<HTMLDivElement>;
}

/** The number of rows that are drawn beyond those in sight, so that scrolling shows no gaps. */
const OVERSCAN = 12;

/**
 * A list that keeps only the rows in sight in the page. The list itself has the focus and names the
 * active row, because a focused row would lose the focus when it is scrolled out of sight.
 */
export function VirtualList(props: VirtualListProps) {
	const { label, role, count, heightOf, heightKey, active } = props;
	const { rowAttributes } = props;
	const id = useId();
	const scroller = useRef<HTMLDivElement>(null);
	const virtualizer = useVirtualizer(scroller, count, heightOf, heightKey);
	const items = virtualizer.getVirtualItems();
	const last = items.at(-1)?.index ?? -1;
	useEffect(() => {
		if (active >= 0 && active < count) virtualizer.scrollToIndex(active);
	}, [active, count, virtualizer]);
	useEffect(() => {
		if (count > 0 && last >= count - 1) props.onEnd?.();
	}, [last, count, props.onEnd]);
	const activeIsThere = items.some(({ index }) => index === active);
	const list: HTMLAttributes<HTMLDivElement> = {
		role,
		tabIndex: 0,
		"aria-label": label,
		"aria-activedescendant": activeIsThere ? `${id}-${active}` : undefined,
		onKeyDown: (event) => onKeyDown(event, props),
		onFocus: () => active < 0 && props.onActive(0),
	};
	const attributesOf = (index: number): HTMLAttributes<HTMLDivElement> => ({
		id: `${id}-${index}`,
		role: role === "tree" ? "treeitem" : "option",
		"aria-selected": index === active,
		...rowAttributes?.(index),
		onMouseDown: (event) => {
			// The list keeps the focus.
			event.preventDefault();
			scroller.current?.focus();
		},
		onClick: () => {
			props.onActive(index);
			props.onPick(index);
		},
	});
	return (
		<div ref={scroller} class={`list ${props.class ?? ""}`} {...list}>
			<div
				class="list-space"
				role="presentation"
				style={{ height: `${virtualizer.getTotalSize()}px` }}
			>
				{items.map(({ index, start, size }) => (
					<div
						key={index}
						class={index === active ? "row active" : "row"}
						style={{ top: `${start}px`, height: `${size}px` }}
						{...attributesOf(index)}
					>
						{props.row(index)}
					</div>
				))}
			</div>
		</div>
	);
}

function useVirtualizer(
	scroller: { current: HTMLDivElement | null },
	count: number,
	heightOf: (index: number) => number,
	heightKey: unknown,
) {
	const [, render] = useReducer((renders: number) => renders + 1, 0);
	const options = {
		count,
		estimateSize: heightOf,
		getScrollElement: () => scroller.current,
		scrollToFn: elementScroll,
		observeElementRect,
		observeElementOffset,
		overscan: OVERSCAN,
		onChange: () => render(0),
	};
	const virtualizer = useMemo(
		() => new Virtualizer<HTMLDivElement, HTMLDivElement>(options),
		[],
	);
	virtualizer.setOptions(options);
	useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
	useLayoutEffect(() => virtualizer.measure(), [virtualizer, heightKey]);
	useLayoutEffect(() => virtualizer._willUpdate());
	return virtualizer;
}

const PAGE_ROWS = 15;

const STEPS: Record<string, (index: number, count: number) => number> = {
	ArrowDown: (index) => index + 1,
	ArrowUp: (index) => index - 1,
	PageDown: (index) => index + PAGE_ROWS,
	PageUp: (index) => index - PAGE_ROWS,
	Home: () => 0,
	End: (_, count) => count - 1,
};

function onKeyDown(event: KeyboardEvent, props: VirtualListProps): void {
	const { active, count } = props;
	if (event.ctrlKey || event.metaKey || event.altKey) return;
	const step = STEPS[event.key];
	if (step !== undefined) {
		props.onActive(Math.max(0, Math.min(count - 1, step(active, count))));
	} else if (event.key === "Enter") {
		if (active >= 0) props.onPick(active);
	} else if (!props.onKey?.(event.key, active)) return;
	event.preventDefault();
}
