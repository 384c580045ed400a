import type { OutlineItem } from "../../../core/api.js";
import { fileHash } from "./location.js";
import { outline, shown } from "./state.js";
import { Summary } from "./summary.js";

/** The definitions of the file that is shown, as a tree. */
export function OutlinePanel() {
	const { isLoading, value } = outline.value;
	if (shown.value === null) {
		return <p class="hint">Open a file to see what it defines.</p>;
	}
	const items = value?.items ?? [];
	const all = withInner(items);
	const answer = {
		isLoading,
		value: value && { ...value, items: all, total: all.length },
	};
	return (
		<>
			<Summary answer={answer} nothing="This file defines nothing." />
			<nav
				class="outline"
				aria-label="Outline"
				// biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
				tabIndex={0}
			>
				<Branch items={items} />
			</nav>
		</>
	);
}

/** Returns definitions with all that they enclose. */
function withInner(items: OutlineItem[]): OutlineItem[] {
	return items.flatMap((item) => [item, ...withInner(item.children)]);
}

function Branch({ items }: { items: OutlineItem[] }) {
	if (items.length === 0) return null;
	return (
		<ul>
			{items.map((item) => (
				<li key={`${item.symbol} ${item.ordinal}`}>
					<a href={fileHash(item.file, item.start_line)}>
						<span class="row-kind">{item.kind}</span> {item.name}
					</a>
					<Branch items={item.children} />
				</li>
			))}
		</ul>
	);
}
