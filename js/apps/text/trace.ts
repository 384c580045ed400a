import type { RagResult, TraceItem } from "../../core/api.js";
import { displaySymbol } from "../../core/plain-words.js";
import { conditionOf } from "./definitions.js";

/** Returns symbols of one state, each with where it is in the other. */
export function traceText({ items }: RagResult<TraceItem>): string[] {
	return items.map((item) => {
		const { symbol, kind, file, start_line, end_line, found, match } = item;
		const there =
			found === null
				? (match ?? "not found")
				: `${match}  ${displaySymbol(found.symbol)}  ${found.file}:${found.start_line}-${found.end_line}${conditionOf(found)}`;
		return `${file}:${start_line}-${end_line}  ${kind}  ${displaySymbol(symbol)}${conditionOf(item)}  ->  ${there}`;
	});
}
