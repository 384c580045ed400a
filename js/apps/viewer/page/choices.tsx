import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { NavItem } from "../../../core/api.js";
import { displaySymbol } from "../../../core/plain-words.js";
import { splitPath } from "./words.js";

/** A row of a list of completions. */
export interface Choice {
	key: string;
	content: ComponentChildren;
	run: () => void;
}

/** The minimum length of a name to complete: fewer letters match too many symbols. */
export const MIN_SYMBOL_LETTERS = 2;
const MAX_SYMBOLS = 12;

/** The list below a box. The box keeps the focus, and names the active row. */
export function Choices({
	id,
	label,
	choices,
	active,
	pick,
	isHidden = false,
}: {
	id: string;
	label: string;
	choices: Choice[];
	/** The index of the row that Enter picks; -1 for none. */
	active: number;
	pick: (choice: Choice) => void;
	isHidden?: boolean;
}) {
	const list = useRef<HTMLDivElement>(null);
	useEffect(() => {
		list.current?.children[active]?.scrollIntoView({ block: "nearest" });
	}, [active, choices]);
	return (
		<div
			ref={list}
			id={id}
			role="listbox"
			aria-label={label}
			tabIndex={-1}
			hidden={isHidden}
			// The box would lose the focus, and its list would close before the click.
			onMouseDown={(event) => event.preventDefault()}
		>
			{choices.map((choice, at) => (
				// biome-ignore lint/a11y/useKeyWithClickEvents: the box has the focus and the keys
				<div
					key={choice.key}
					id={`${id}-${at}`}
					class="choice"
					role="option"
					aria-selected={at === active}
					tabIndex={-1}
					onClick={() => pick(choice)}
				>
					{choice.content}
				</div>
			))}
		</div>
	);
}

/** Moves to the next or the previous row, around the ends; reports whether it knows the key. */
export function moveActive(
	key: string,
	active: Signal<number>,
	count: number,
): boolean {
	const step = { ArrowDown: 1, ArrowUp: -1 }[key];
	if (step === undefined) return false;
	if (count === 0) return true;
	const start = active.value < 0 && step < 0 ? 0 : active.value;
	active.value = (start + step + count) % count;
	return true;
}

/** Returns rows for definitions, each with its place. */
export function symbolChoices(
	symbols: NavItem[],
	run: (symbol: NavItem) => void,
): Choice[] {
	return symbols.slice(0, MAX_SYMBOLS).map((found) => {
		const { symbol, file, line } = found;
		const place = `${file}:${line}`;
		return {
			key: place,
			content: (
				<>
					<span class="choice-symbol">
						<bdi dir="ltr">{displaySymbol(symbol ?? file)}</bdi>
					</span>
					<span class="choice-place" title={place}>
						{splitPath(place)[1]}
					</span>
				</>
			),
			run: () => run(found),
		};
	});
}
