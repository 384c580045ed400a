import { useSignal, useSignalEffect } from "@preact/signals";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import type { NavItem } from "../../../core/api.js";
import {
	type Choice,
	Choices,
	MIN_SYMBOL_LETTERS,
	moveActive,
	symbolChoices,
} from "./choices.js";
import { worker } from "./client.js";
import { COMMANDS } from "./commands.js";
import type { PathMatch } from "./fuzzy.js";
import { goToFile } from "./location.js";
import { Modal } from "./modal.js";
import { matchSymbols } from "./queries.js";
import { recentFiles } from "./recent.js";
import { dialog } from "./state.js";

const MAX_FILES = 50;

/**
 * The palettes: one for files, by some letters of their paths, and one for commands and symbols.
 */
export function Palettes() {
	return (
		<>
			<Modal name="files" label="Go to a file">
				<Palette
					placeholder="Some letters of a path, perhaps with :line"
					choicesOf={fileChoices}
				/>
			</Modal>
			<Modal name="commands" label="Commands and symbols">
				<Palette
					placeholder="A command, or the name of a symbol"
					choicesOf={commandChoices}
				/>
			</Modal>
		</>
	);
}

function Palette({
	placeholder,
	choicesOf,
}: {
	placeholder: string;
	choicesOf: (text: string, show: (choices: Choice[]) => void) => Promise<void>;
}) {
	const id = useId();
	const box = useRef<HTMLInputElement>(null);
	const text = useSignal("");
	const choices = useSignal<Choice[]>([]);
	const active = useSignal(0);
	useLayoutEffect(() => box.current?.focus(), []);
	useSignalEffect(() => {
		let isLatest = true;
		void choicesOf(text.value.trim(), (next) => {
			if (!isLatest) return;
			choices.value = next;
			active.value = 0;
		});
		return () => {
			isLatest = false;
		};
	});
	const pick = (choice: Choice | undefined) => {
		if (choice === undefined) return;
		dialog.value = null;
		choice.run();
	};
	return (
		<div class="palette">
			<input
				ref={box}
				type="text"
				role="combobox"
				aria-label={placeholder}
				aria-expanded={choices.value.length > 0}
				aria-controls={id}
				aria-activedescendant={
					choices.value.length > 0 ? `${id}-${active.value}` : undefined
				}
				placeholder={placeholder}
				autocomplete="off"
				autocapitalize="off"
				spellcheck={false}
				value={text.value}
				onInput={({ currentTarget }) => {
					text.value = currentTarget.value;
				}}
				onKeyDown={(event) => {
					if (event.key === "Enter") pick(choices.value[active.value]);
					else if (!moveActive(event.key, active, choices.value.length)) return;
					event.preventDefault();
				}}
			/>
			<Choices
				id={id}
				label="Choices"
				choices={choices.value}
				active={active.value}
				pick={pick}
			/>
			{choices.value.length === 0 && text.value !== "" && (
				<p class="hint">Nothing matches.</p>
			)}
		</div>
	);
}

async function fileChoices(text: string, show: (choices: Choice[]) => void) {
	const [, letters = text, line] = /^(.*?)(?::(\d*))?$/.exec(text) ?? [];
	const matches: PathMatch[] =
		letters === ""
			? recentFiles.value.map((path) => ({ path, at: [] }))
			: await worker.matchFiles(letters, MAX_FILES);
	show(
		matches.map(({ path, at }) => ({
			key: path,
			content: <Marked text={path} at={at} />,
			run: () => goToFile(path, line ? Number(line) : null),
		})),
	);
}

/** Lists the commands at once, and the symbols when the worker has found them. */
async function commandChoices(text: string, show: (choices: Choice[]) => void) {
	const words = text.toLowerCase();
	const commands = COMMANDS.filter(({ name }) =>
		name.toLowerCase().includes(words),
	).map(({ name, keys, run }) => ({
		key: name,
		content: (
			<>
				<span class="choice-name">{name}</span>
				{keys && <kbd>{keys}</kbd>}
			</>
		),
		run,
	}));
	show(commands);
	if (text.length < MIN_SYMBOL_LETTERS) return;
	const symbols = await matchSymbols(text);
	const goTo = ({ file, line }: NavItem) => goToFile(file, line);
	show([...symbolChoices(symbols, goTo), ...commands]);
}

/** A path whose matching letters are bold. */
function Marked({ text, at }: { text: string; at: number[] }) {
	const places = new Set(at);
	const parts: { text: string; isMatch: boolean }[] = [];
	for (const [index, letter] of [...text].entries()) {
		const isMatch = places.has(index);
		const last = parts.at(-1);
		if (last?.isMatch === isMatch) last.text += letter;
		else parts.push({ text: letter, isMatch });
	}
	return (
		<span class="choice-path">
			{parts.map((part, index) =>
				part.isMatch ? <b key={index}>{part.text}</b> : part.text,
			)}
		</span>
	);
}
