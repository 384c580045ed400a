import type { Citation, Passage, PassageKind } from "../../../core/api.js";
import {
	type FilePassages,
	groupByFile,
	type MarkedText,
	markedPassage,
	passageName,
} from "../../../core/marked-passage.js";
import { fileHash, goToPanel, route } from "./location.js";
import { MarkOf, Path } from "./marks.js";
import { PASSAGE_KINDS } from "./route.js";
import { passages } from "./state.js";
import { Summary } from "./summary.js";
import { useDraft } from "./use-draft.js";
import { rowMark } from "./words.js";

const KIND_NAMES: Record<PassageKind, string> = {
	code: "Code",
	docs: "Docs",
	tests: "Tests",
};

/** The passages that answer a question in words. */
export function AskPanel() {
	const { question } = route.value;
	const typed = useDraft(question, question);
	const { value } = passages.value;
	return (
		<>
			<form
				class="symbol-box"
				onSubmit={(event) => {
					event.preventDefault();
					goToPanel({ panel: "ask", question: typed.value.trim() });
				}}
			>
				<input
					id="question"
					type="text"
					aria-label="Question"
					placeholder="A question in words"
					autocomplete="off"
					value={typed.value}
					onInput={({ currentTarget }) => {
						typed.value = currentTarget.value;
					}}
				/>
				<KindChoice />
				<button type="submit">Ask</button>
			</form>
			<Summary answer={passages.value} nothing="No passage answers it." />
			<ol
				class="passages"
				aria-label="Passages"
				// biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
				tabIndex={0}
			>
				{groupByFile(value?.items ?? []).map((group) => (
					<FileItem key={group.path} group={group} />
				))}
			</ol>
		</>
	);
}

/** The choice of the kind of passages. A change runs the query again. */
function KindChoice() {
	return (
		<select
			aria-label="Kind of passages"
			value={route.value.only ?? ""}
			onChange={({ currentTarget }) => {
				const only = (currentTarget.value || null) as PassageKind | null;
				goToPanel({ panel: "ask", only });
			}}
		>
			<option value="">Everything</option>
			{PASSAGE_KINDS.map((kind) => (
				<option key={kind} value={kind}>
					{KIND_NAMES[kind]}
				</option>
			))}
		</select>
	);
}

function FileItem({ group: { path, passages } }: { group: FilePassages }) {
	return (
		<li>
			{path !== null && (
				<h2>
					<a href={fileHash(path)}>
						<Path path={path} />
					</a>
				</h2>
			)}
			{passages.map((passage) => (
				<PassageItem key={passage.id} passage={passage} />
			))}
		</li>
	);
}

function PassageItem({ passage }: { passage: Passage }) {
	const { citation, about, summary } = passage;
	const name = passageName(passage);
	const lines = markedPassage(passage);
	return (
		<section>
			<h3>
				{citation === null ? (
					name
				) : (
					<a
						href={fileHash(citation.path, citation.start_line)}
						title={placeOf(citation)}
					>
						{name}
					</a>
				)}{" "}
				<MarkOf mark={rowMark(passage, passages.value.value?.meta ?? null)} />
			</h3>
			<p class="passage-about">
				{about}
				{summary !== null && ` — ${summary}`}
			</p>
			{lines.length > 0 && (
				<pre {...scrolled(`Text of ${name}`)}>
					{lines.map((line) => (
						<Line key={line} line={line} />
					))}
				</pre>
			)}
		</section>
	);
}

/** A line of a text, with the terms of the question marked. */
function Line({ line }: { line: MarkedText[] }) {
	return (
		<>
			{line.map((part) =>
				part.isTerm ? <mark key={part}>{part.text}</mark> : part.text,
			)}
			{"\n"}
		</>
	);
}

/** The attributes of a part that scrolls: keys must reach it, so it needs a name. */
function scrolled(name: string) {
	return { tabIndex: 0, role: "group", "aria-label": name } as const;
}

function placeOf({ path, start_line, end_line }: Citation): string {
	if (start_line === null) return path;
	const isOneLine = end_line === null || end_line === start_line;
	return `${path}:${start_line}${isOneLine ? "" : `–${end_line}`}`;
}
