import type { Definition, RagToolMeta } from "../../../core/api.js";
import { displaySymbol } from "../../../core/plain-words.js";
import { fileHash, hashWith, route } from "./location.js";
import { MarkOf } from "./marks.js";
import { subjectWords } from "./symbol-box.js";
import { rowMark } from "./words.js";

/** The number of definitions that are listed; the rest is only counted. */
const SHOWN = 4;

/** The definitions of the subject of the panel. */
export function Definitions({
	definitions,
	meta,
}: {
	definitions: Definition[];
	meta: RagToolMeta | null;
}) {
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
						{displaySymbol(found.symbol)}
					</a>{" "}
					<MarkOf mark={rowMark(found, meta)} />
				</li>
			))}
			{rest > 0 && <li>and {rest} more</li>}
		</ul>
	);
}

/** The message that nothing defines the subject, with similar names. */
export function Undefined({
	answer,
}: {
	answer: {
		meta: RagToolMeta;
		definitions: Definition[];
		items: unknown[];
		suggestions?: string[];
	} | null;
}) {
	if (answer === null || answer.meta.status === "ERROR") return null;
	if (answer.definitions.length > 0) return null;
	const { panel, subject } = route.value;
	const { suggestions = [] } = answer;
	const rows = answer.items.length > 0 ? " These rows share its name." : "";
	return (
		<div class="undefined" role="status">
			<p>
				No function, class, type or module here is called{" "}
				<code>{subjectWords(subject)}</code>.{rows}
			</p>
			{suggestions.length > 0 && (
				<p>
					Did you mean{" "}
					{suggestions.map((name, at) => (
						<span key={name}>
							{at > 0 && ", "}
							<a href={hashWith({ panel, subject: name })}>
								{displaySymbol(name)}
							</a>
						</span>
					))}
					?
				</p>
			)}
		</div>
	);
}
