import type { LineageItem, LineageResult } from "../generated/glue.js";

const UPSTREAM: Readonly<Record<LineageItem["edge"], string>> = {
	calls: "called by",
	extends: "extended by",
	imports: "imported by",
	declares: "declared by",
};

/** Says how a symbol relates to the end of a step: `called by` upstream, `calls` downstream. */
export function describeEdge(
	edge: LineageItem["edge"],
	direction: LineageResult["direction"],
): string {
	return direction === "upstream" ? UPSTREAM[edge] : edge;
}
