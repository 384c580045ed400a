import type { OutlineItem } from "../../../core/api.js";
import { fileHash } from "./route.js";
import { Summary } from "./rows.js";
import { outline } from "./state.js";

/** The definitions of the file that is shown, as a tree. */
export function OutlinePanel() {
	const { asking, value } = outline.value;
	const items = value?.items ?? [];
	const answer = {
		asking,
		value: value && { ...value, total: items.length },
	};
	return (
		<>
			<Summary answer={answer} nothing="This file defines nothing." />
			<nav aria-label="Outline" class="outline">
				<Branch items={items} />
			</nav>
		</>
	);
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
