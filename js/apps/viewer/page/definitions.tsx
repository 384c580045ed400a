import type { Definition } from "../../../core/api.js";
import { Badge } from "./badge.js";
import { fileHash } from "./route.js";
import { rowBadge, shortName } from "./words.js";

/** Definitions that are named, before the list of all of them gets too long to be read. */
const SHOWN = 4;

/** Where the symbol that was asked about is defined. */
export function Definitions({ definitions }: { definitions: Definition[] }) {
	if (definitions.length === 0) return null;
	const rest = definitions.length - SHOWN;
	return (
		<ul class="definitions" aria-label="Definitions">
			{definitions.slice(0, SHOWN).map((found) => (
				<li key={`${found.symbol} ${found.ordinal}`}>
					<span class="row-kind">{found.kind}</span>{" "}
					<a
						href={fileHash(found.file, found.start_line)}
						title={`${found.file}:${found.start_line}`}
					>
						{shortName(found.symbol)}
					</a>{" "}
					<Badge badge={rowBadge(found)} />
				</li>
			))}
			{rest > 0 && <li>and {rest} more</li>}
		</ul>
	);
}
