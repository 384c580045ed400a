import { describeEdge } from "../../../core/edge-words.js";
import { displaySymbol } from "../../../core/plain-words.js";
import type { LineageItem, LineageResult } from "../../../entries/node.js";
import { place, printable, type View } from "../view.js";
import { condition } from "./definitions.js";
import { stepsOf } from "./steps.js";

/** Prints a lineage as a tree: each symbol below the one that the step to it starts from. */
export function printLineageRows(
	items: readonly LineageItem[],
	direction: LineageResult["direction"],
	view: View,
): string[] {
	const { dim, yellow } = view.colors;
	const sorted = [...items].sort((a, b) => (treeKey(a) < treeKey(b) ? -1 : 1));
	return sorted.flatMap((item) => {
		const isModule = item.via.length < item.depth;
		const far = isModule ? undefined : item.via.at(-1);
		const name =
			far === undefined ? dim("module level") : printable(displaySymbol(far));
		const doubt =
			item.resolution === "candidate" ? yellow(" (only the name matches)") : "";
		const by = item.evidence === "compiler" ? dim(" (by a compiler)") : "";
		const at = place(view, item.file, item.line, item.start_utf16 + 1);
		const indent = "  ".repeat(item.depth);
		const why = stepsOf(item, view);
		return [
			`${indent}${dim(describeEdge(item.edge, direction))} ${name}${doubt}${by}  ${at}${condition(item, view)}`,
			...(why === "" ? [] : [`${indent}  ${dim(why)}`]),
		];
	});
}

/** Sorts each step below the step that leads to it. */
function treeKey({ via, file, line }: LineageItem): string {
	return `${via.join(" ")} ${file} ${String(line).padStart(9, "0")}`;
}
