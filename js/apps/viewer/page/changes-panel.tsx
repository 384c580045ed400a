import type {
	AffectedItem,
	ImpactItem,
	ImpactResult,
	RagToolMeta,
	ReachingTest,
} from "../../../core/api.js";
import { countWords } from "../../../core/counts.js";
import {
	describeCompleteness,
	describeCondition,
	displaySymbol,
} from "../../../core/plain-words.js";
import { fileHash, goToPanel, route } from "./location.js";
import { MarkOf } from "./marks.js";
import { LAST_COMMIT } from "./route.js";
import { changes } from "./state.js";
import { Summary } from "./summary.js";
import { useDraft } from "./use-draft.js";
import { CANDIDATE, rowMark } from "./words.js";

/** The symbols that differ from a commit, what refers to them, and the tests that reach them. */
export function ChangesPanel() {
	const { value } = changes.value;
	return (
		<>
			<CommitBox />
			<Summary answer={changes.value} nothing="No symbol differs." />
			{value !== null && <About answer={value} />}
			{value !== null && value.items.length > 0 && (
				<section
					class="passages"
					aria-label="What the change touches"
					// biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
					tabIndex={0}
				>
					<ol aria-label="Changed symbols">
						{value.items.map((item) => (
							<Changed
								key={`${item.file} ${item.start_line} ${item.symbol}`}
								item={item}
								answer={value}
							/>
						))}
					</ol>
					<Tests answer={value} />
				</section>
			)}
		</>
	);
}

/** The box for the commit with which the files are compared. */
function CommitBox() {
	const { since } = route.value;
	const typed = useDraft(since, since);
	return (
		<form
			class="symbol-box"
			onSubmit={(event) => {
				event.preventDefault();
				const commit = typed.value.trim() || LAST_COMMIT;
				goToPanel({ panel: "changes", since: commit });
			}}
		>
			<input
				id="since"
				type="text"
				aria-label="Commit to compare with"
				placeholder="A branch, a tag or a commit"
				autocomplete="off"
				spellcheck={false}
				value={typed.value}
				onInput={({ currentTarget }) => {
					typed.value = currentTarget.value;
				}}
			/>
			<button type="submit">Compare</button>
		</form>
	);
}

/** The summary of the answer; after a failure of the host, the message about what it lacks. */
function About({ answer }: { answer: ImpactResult }) {
	const { meta, affected, affected_total } = answer;
	if (meta.error_code === "HOST_FAILED") {
		return (
			<p class="hint">
				Commits can be read where <code>ragnav viewer</code> serves a git
				repository on its own machine.
			</p>
		);
	}
	if (meta.status === "ERROR") return null;
	const more = affected_total - affected.length;
	const rest = more > 0 ? `, of which ${affected.length} are listed` : "";
	const uses = countWords(affected_total, "reference");
	return (
		<p class="hint">
			{uses}
			{rest}, {describeCompleteness(answer)}
		</p>
	);
}

function Changed({ item, answer }: { item: ImpactItem; answer: ImpactResult }) {
	const { symbol, kind, file, start_line, was } = item;
	const name = displaySymbol(symbol);
	const isRemoved = item.changes.includes("removed");
	const isElsewhere = was !== null && was.symbol !== symbol;
	const uses = answer.affected.filter(({ of }) => of === symbol);
	const isCandidate = (use: AffectedItem) => use.resolution === "candidate";
	return (
		<li>
			<h2>
				<span class="row-kind">{kind}</span>{" "}
				{isRemoved ? (
					<span>{name}</span>
				) : (
					<a href={fileHash(file, start_line)} title={`${file}:${start_line}`}>
						{name}
					</a>
				)}{" "}
				<MarkOf mark={rowMark(item, answer.meta)} />
			</h2>
			<p class="passage-about">
				{item.changes.join(", ")}
				{isElsewhere && `, was ${displaySymbol(was.symbol)}`} in {file}{" "}
				{describeCondition(item)}
			</p>
			<Uses uses={uses.filter((use) => !isCandidate(use))} meta={answer.meta} />
			<Uses uses={uses.filter(isCandidate)} meta={answer.meta} />
		</li>
	);
}

function Uses({ uses, meta }: { uses: AffectedItem[]; meta: RagToolMeta }) {
	if (uses.length === 0) return null;
	return (
		<ul class="uses">
			{uses.map((use) => (
				<li key={`${use.file} ${use.line} ${use.start_utf16}`}>
					<a href={fileHash(use.file, use.line)}>
						{use.file}:{use.line}
					</a>{" "}
					{useWords(use)}{" "}
					<MarkOf mark={use.resolution === "candidate" ? CANDIDATE : null} />
					<MarkOf mark={rowMark(use, meta)} />
				</li>
			))}
		</ul>
	);
}

/** Describes a reference: `shop.pay calls shop.total`. */
function useWords({ via, depth, edge, of }: AffectedItem): string {
	const far = via.length < depth ? undefined : via.at(-1);
	const name = far === undefined ? "module level" : displaySymbol(far);
	const steps = depth > 1 ? ` in ${depth} steps` : "";
	return `${name} ${edge} ${displaySymbol(of)}${steps}`;
}

function Tests({ answer }: { answer: ImpactResult }) {
	const { tests, tests_total } = answer;
	if (tests.length === 0) return null;
	const more = tests_total - tests.length;
	return (
		<>
			<h2>Tests that reach them</h2>
			<ul class="uses" aria-label="Tests">
				{tests.map((test) => (
					<li key={`${test.file} ${test.line}`}>
						<a href={fileHash(test.file, test.line)}>
							{test.symbol === null ? test.file : displaySymbol(test.symbol)}
						</a>{" "}
						{testWords(test)}
					</li>
				))}
				{more > 0 && <li>and {countWords(more, "test")} more</li>}
			</ul>
		</>
	);
}

function testWords({ depth, reaches }: ReachingTest): string {
	const steps =
		depth === 0 ? "changed itself" : `in ${countWords(depth, "step")}`;
	return `reaches ${countWords(reaches, "symbol")}, ${steps}`;
}
