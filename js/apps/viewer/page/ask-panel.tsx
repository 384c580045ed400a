import type { Citation, Passage } from "../../../core/api.js";
import { ask } from "./actions.js";
import { Badge } from "./badge.js";
import { fileHash } from "./route.js";
import { Summary } from "./rows.js";
import { answered, question } from "./state.js";
import { rowBadge } from "./words.js";

/** Passages that answer a question in words. */
export function AskPanel() {
	const { value } = answered.value;
	return (
		<>
			<form
				class="symbol-box"
				onSubmit={(event) => {
					event.preventDefault();
					void ask();
				}}
			>
				<input
					id="question"
					type="text"
					aria-label="Question"
					placeholder="A question in words"
					autocomplete="off"
					value={question.value}
					onInput={({ currentTarget }) => {
						question.value = currentTarget.value;
					}}
				/>
				<button type="submit">Ask</button>
			</form>
			<Summary answer={answered.value} nothing="No passage answers it." />
			<ol class="passages" aria-label="Passages">
				{value?.items.map((passage) => (
					<PassageItem key={passage.id} passage={passage} />
				))}
			</ol>
		</>
	);
}

function PassageItem({ passage }: { passage: Passage }) {
	const { citation, title } = passage;
	return (
		<li>
			<h2>
				{title} <Badge badge={rowBadge(passage)} />
			</h2>
			{citation !== null && (
				<a href={fileHash(citation.path, citation.start_line)}>
					{placeOf(citation)}
				</a>
			)}
			{"content" in passage && (
				<pre {...scrolled(`Text of ${title}`)}>{passage.content}</pre>
			)}
		</li>
	);
}

/** What scrolls has to be reached by keys, and then has a name. */
function scrolled(name: string) {
	return { tabIndex: 0, role: "group", "aria-label": name } as const;
}

function placeOf({ path, start_line, end_line }: Citation): string {
	if (start_line === null) return path;
	const isOneLine = end_line === null || end_line === start_line;
	return `${path}:${start_line}${isOneLine ? "" : `–${end_line}`}`;
}
