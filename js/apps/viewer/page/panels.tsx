import type { ComponentChildren } from "preact";
import { AskPanel } from "./ask-panel.js";
import { ChangesPanel } from "./changes-panel.js";
import { LineagePanel } from "./lineage-panel.js";
import { goToPanel, route } from "./location.js";
import { OutlinePanel } from "./outline-panel.js";
import type { Panel } from "./route.js";
import { SearchPanel } from "./search-panel.js";
import { UsedPanel } from "./used-panel.js";

const PANELS: { id: Panel; name: string; content: () => ComponentChildren }[] =
	[
		{ id: "search", name: "Search", content: () => <SearchPanel /> },
		{ id: "outline", name: "Outline", content: () => <OutlinePanel /> },
		{ id: "used", name: "Where used", content: () => <UsedPanel /> },
		{ id: "lineage", name: "Lineage", content: () => <LineagePanel /> },
		{ id: "changes", name: "Changes", content: () => <ChangesPanel /> },
		{ id: "ask", name: "Ask", content: () => <AskPanel /> },
	];

/** The panels beside the source, one of which shows. */
export function Panels() {
	const current = route.value.panel;
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
						onClick={() => goToPanel({ panel: id })}
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

function onKey({ key }: KeyboardEvent): void {
	const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
	if (step === undefined) return;
	const at = PANELS.findIndex(({ id }) => id === route.value.panel);
	const next = PANELS[(at + step + PANELS.length) % PANELS.length];
	if (next === undefined) return;
	goToPanel({ panel: next.id });
	document.getElementById(`tab-${next.id}`)?.focus();
}
