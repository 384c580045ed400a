import type { SearchMode } from "../../../core/api.js";
import { go, goToPanel, route } from "./location.js";
import { Skeleton } from "./marks.js";
import { searchMore } from "./queries.js";
import { Rows } from "./rows.js";
import { found, typedQuery } from "./state.js";
import { Summary } from "./summary.js";
import { useSettled } from "./use-settled.js";

/** The time after a key before the query runs, in milliseconds: a word typed fast is one query. */
const SETTLED_MS = 90;

const MODES: [SearchMode, string][] = [
	["literal", "Text"],
	["regex", "Regex"],
	["ranked", "Ranked"],
];

/** The search box and its modes, in the head of the page. */
export function SearchBox() {
	useSettled(() => typedQuery.value, SETTLED_MS, followTyping);
	return (
		<search class="search-box">
			<input
				id="query"
				type="search"
				aria-label="Search the repository"
				placeholder="Search the code  ( / )"
				autocomplete="off"
				autocapitalize="off"
				spellcheck={false}
				value={typedQuery.value}
				onInput={({ currentTarget }) => {
					typedQuery.value = currentTarget.value;
				}}
				onKeyDown={onBoxKey}
			/>
			<select
				aria-label="Search mode"
				value={route.value.mode}
				onChange={({ currentTarget }) => {
					const mode = currentTarget.value as SearchMode;
					goToPanel({ mode, panel: "search" });
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

/** Writes the typed text into the address. Only a new search adds a step to the history. */
function followTyping(): void {
	const query = typedQuery.peek();
	const { query: before } = route.peek();
	if (query === before) return;
	const replace = before !== "";
	go({ query, panel: "search", view: "results" }, { replace });
}

function onBoxKey(event: KeyboardEvent): void {
	if (event.key !== "ArrowDown" && event.key !== "Enter") return;
	event.preventDefault();
	if (event.key === "Enter") {
		followTyping();
		goToPanel({ panel: "search" });
	}
	document.querySelector<HTMLElement>(".rows")?.focus();
}

/** The rows of the search. */
export function SearchPanel() {
	const { isLoading, value } = found.value;
	if (typedQuery.value.trim() === "" && value === null) {
		return (
			<p class="hint">
				Type to search. A query in small letters ignores case; one with a
				capital does not.
			</p>
		);
	}
	return (
		<>
			<Summary answer={found.value} nothing="Nothing matches." />
			{isLoading && value === null && <Skeleton label="Searching" />}
			<Rows
				label="Search results"
				items={value?.items ?? []}
				meta={value?.meta ?? null}
				onEnd={searchMore}
			/>
		</>
	);
}
