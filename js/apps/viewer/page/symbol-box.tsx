import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Definition } from "../../../core/api.js";
import { displaySymbol } from "../../../core/plain-words.js";
import {
	type Choice,
	Choices,
	MIN_SYMBOL_LETTERS,
	moveActive,
	symbolChoices,
} from "./choices.js";
import { goToPanel, route } from "./location.js";
import { matchSymbols } from "./queries.js";
import { useDraft } from "./use-draft.js";
import { useSettled } from "./use-settled.js";

/** The clicked names by their places, for the time until the answer names the symbol. */
const clickedNames = new Map<string, string>();

/** Remembers the name at a place. */
export function rememberName(place: string, name: string): void {
	clickedNames.set(place, name);
}

/** Returns the text of a subject for people: the symbol that it means, or else the name. */
export function subjectWords(
	subject: string,
	definitions: readonly Definition[] = [],
): string {
	if (subject.startsWith("sym:")) return displaySymbol(subject);
	const isPlace = /:\d+:\d+$/.test(subject);
	const [first] = definitions;
	if (isPlace && first !== undefined) return displaySymbol(first.symbol);
	return clickedNames.get(subject) ?? subject;
}

/** The time after a key before the query runs, in milliseconds: a word typed fast is one query. */
const SETTLED_MS = 90;

/** The box for the name of a symbol, which completes the name as one types. */
export function SymbolBox({
	panel,
	definitions,
}: {
	panel: "used" | "lineage";
	definitions: readonly Definition[];
}) {
	const id = useId();
	const { subject } = route.value;
	const typed = useDraft<string | null>(null, subject);
	const choices = useSignal<Choice[]>([]);
	const active = useSignal(-1);
	const isOpen = useSignal(false);
	const isShown = isOpen.value && choices.value.length > 0;
	const words = subjectWords(subject, definitions);
	const close = () => {
		isOpen.value = false;
		active.value = -1;
	};
	const goTo = (subject: string) => {
		close();
		typed.value = null;
		goToPanel({ panel, subject });
	};
	useSettled(
		() => typed.value,
		SETTLED_MS,
		async () => {
			const text = typed.peek()?.trim() ?? "";
			const symbols =
				text.length < MIN_SYMBOL_LETTERS ? [] : await matchSymbols(text);
			// The text has changed in the meantime, or a row was chosen.
			if ((typed.peek()?.trim() ?? "") !== text) return;
			choices.value = symbolChoices(symbols, ({ symbol }) => {
				if (symbol !== null) goTo(symbol);
			});
			active.value = -1;
			if (symbols.length === 0) close();
		},
	);
	const onKeyDown = (event: KeyboardEvent) => {
		const count = choices.value.length;
		if (event.key === "Escape" && isShown) {
			close();
			// The page would take the focus from the box.
			event.stopPropagation();
		} else if (event.key === "Enter" && active.value >= 0) {
			choices.value[active.value]?.run();
		} else if (count > 0 && moveActive(event.key, active, count)) {
			isOpen.value = true;
		} else return;
		event.preventDefault();
	};
	return (
		<form
			class="symbol-box"
			onSubmit={(event) => {
				event.preventDefault();
				const name = typed.value?.trim();
				if (name) goTo(name);
			}}
		>
			<input
				type="text"
				role="combobox"
				aria-label="Symbol"
				aria-autocomplete="list"
				aria-expanded={isShown}
				aria-controls={id}
				aria-activedescendant={
					isShown && active.value >= 0 ? `${id}-${active.value}` : undefined
				}
				placeholder="A name, or click one in the source"
				autocomplete="off"
				autocapitalize="off"
				spellcheck={false}
				value={typed.value ?? words}
				onInput={({ currentTarget }) => {
					typed.value = currentTarget.value;
					isOpen.value = true;
				}}
				onKeyDown={onKeyDown}
				onBlur={close}
			/>
			<button type="submit">Show</button>
			<Choices
				id={id}
				label="Symbols"
				choices={choices.value}
				active={active.value}
				pick={(choice) => choice.run()}
				isHidden={!isShown}
			/>
		</form>
	);
}
