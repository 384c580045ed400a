import type { ComponentChildren } from "preact";
import { lineage as askLineage, whereUsed } from "./actions.js";
import { AskPanel } from "./ask-panel.js";
import { LineagePanel } from "./lineage-panel.js";
import { OutlinePanel } from "./outline-panel.js";
import { SearchPanel } from "./search-panel.js";
import { lineage, type Panel, panel, symbol, used } from "./state.js";
import { UsedPanel } from "./used-panel.js";

const PANELS: { id: Panel; name: string; content: () => ComponentChildren }[] =
	[
		{ id: "search", name: "Search", content: () => <SearchPanel /> },
		{ id: "outline", name: "Outline", content: () => <OutlinePanel /> },
		{ id: "used", name: "Where used", content: () => <UsedPanel /> },
		{ id: "lineage", name: "Lineage", content: () => <LineagePanel /> },
		{ id: "ask", name: "Ask", content: () => <AskPanel /> },
	];

/** The panels beside the source, of which one shows. */
export function Panels() {
	const current = panel.value;
	return (
		<>
			<div role="tablist" aria-label="Panels" class="tabs" onKeyDown={onKey}>
				{PANELS.map(({ id, name }) => (
					<button
						key={id}
						type="button"
						role="tab"
						id={`tab-${id}`}
						aria-selected={id === current}
						aria-controls="panel"
						tabIndex={id === current ? 0 : -1}
						onClick={() => choose(id)}
					>
						{name}
					</button>
				))}
			</div>
			<div
				id="panel"
				class="panel"
				role="tabpanel"
				aria-labelledby={`tab-${current}`}
			>
				{PANELS.find(({ id }) => id === current)?.content()}
			</div>
		</>
	);
}

/** A panel that is opened answers for the symbol that was asked about last. */
function choose(id: Panel): void {
	panel.value = id;
	const { value: name } = symbol;
	if (id === "used" && used.value.value?.symbol !== name) void whereUsed(name);
	if (id === "lineage" && lineage.value.value?.symbol !== name) {
		void askLineage(name);
	}
}

function onKey({ key }: KeyboardEvent): void {
	const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
	if (step === undefined) return;
	const at = PANELS.findIndex(({ id }) => id === panel.value);
	const next = PANELS[(at + step + PANELS.length) % PANELS.length];
	if (next === undefined) return;
	choose(next.id);
	document.getElementById(`tab-${next.id}`)?.focus();
}
