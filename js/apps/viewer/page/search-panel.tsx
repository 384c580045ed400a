import type { SearchMode } from "../../../core/api.js";
import { search, searchMore } from "./actions.js";
import { Rows, Summary, useSettled } from "./rows.js";
import { found, mode, panel, query } from "./state.js";

/** Short enough to feel immediate, long enough that a fast typist asks once for a word. */
const SETTLED_MS = 90;

const MODES: [SearchMode, string][] = [
	["literal", "Text"],
	["regex", "Regex"],
	["ranked", "Ranked"],
];

/** The box and its modes, in the page's head. */
export function SearchBox() {
	useSettled(() => [query.value, mode.value], SETTLED_MS, search);
	return (
		<search class="search-box">
			<input
				id="query"
				type="search"
				aria-label="Search the repository"
				placeholder="Search  ( / )"
				autocomplete="off"
				spellcheck={false}
				value={query.value}
				onInput={({ currentTarget }) => {
					query.value = currentTarget.value;
					panel.value = "search";
				}}
				onKeyDown={(event) => {
					if (event.key !== "ArrowDown" && event.key !== "Enter") return;
					event.preventDefault();
					document.querySelector<HTMLElement>(".rows")?.focus();
				}}
			/>
			<select
				aria-label="How the query is read"
				value={mode.value}
				onChange={({ currentTarget }) => {
					mode.value = currentTarget.value as SearchMode;
				}}
			>
				{MODES.map(([value, name]) => (
					<option key={value} value={value}>
						{name}
					</option>
				))}
			</select>
		</search>
	);
}

/** What the search found. */
export function SearchPanel() {
	const { value } = found.value;
	if (query.value.trim() === "") {
		return (
			<p class="hint">Type to search. Capitals count once you type one.</p>
		);
	}
	return (
		<>
			<Summary answer={found.value} nothing="Nothing matches." />
			<Rows
				label="Search results"
				items={value?.items ?? []}
				onEnd={searchMore}
			/>
		</>
	);
}
