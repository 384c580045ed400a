import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { askAbout, definitionsOf, lookAround, symbolAt } from "./actions.js";
import { Badge } from "./badge.js";
import { symbolHash } from "./route.js";
import { SourceView } from "./source-view.js";
import { around, files, shown } from "./state.js";
import { fileBadge, shortName } from "./words.js";

/** A cursor that is moved along many lines asks about the last one alone. */
const SETTLED_MS = 120;
const DESCRIBED = 3;

let view: SourceView | undefined;

/** The view of the source, for the keys that act on it. */
export function sourceView(): SourceView | undefined {
	return view;
}

/** The file that is open: its path, the definitions around the cursor, and its text. */
export function Source() {
	const { value } = shown;
	return (
		<>
			<Head />
			{value === null && (
				<p class="hint">Choose a file, or search. Press ? for the keys.</p>
			)}
			{value?.kind === "problem" && (
				<p class="hint" role="alert">
					{value.problem}
				</p>
			)}
			<Text />
		</>
	);
}

function Head() {
	const { value } = shown;
	if (value === null) return null;
	const crumbs = [...around.value].reverse();
	return (
		<nav class="crumbs" aria-label="Place">
			<span class="file-name">
				<bdi>{value.file}</bdi>
			</span>
			{value.kind === "text" && (
				<Badge badge={fileBadge(files.value?.standings.get(value.file))} />
			)}
			{crumbs.map(({ symbol, kind, ordinal }) => (
				<span key={`${symbol} ${ordinal}`} class="crumb">
					<span aria-hidden="true">›</span>{" "}
					<a href={symbolHash(symbol)} title={shortName(symbol)}>
						{kind} {symbol.split(".").at(-1)}
					</a>
				</span>
			))}
		</nav>
	);
}

function Text() {
	const host = useRef<HTMLDivElement>(null);
	const last = useRef<{ file: string; text: string } | null>(null);
	useEffect(() => {
		if (host.current === null) return;
		let timer: ReturnType<typeof setTimeout> | undefined;
		view = new SourceView(host.current, {
			onLine: (line) => {
				clearTimeout(timer);
				timer = setTimeout(() => lookAtLine(line), SETTLED_MS);
			},
			onName: (name, line) => askAbout(symbolAt(name, line)),
			describe,
		});
		return () => {
			view?.destroy();
			view = undefined;
		};
	}, []);
	useSignalEffect(() => {
		const { value } = shown;
		if (value?.kind !== "text" || view === undefined) return;
		const { file, text, line } = value;
		if (last.current?.file !== file || last.current.text !== text) {
			view.setText(file, text);
			last.current = { file, text };
		}
		if (line !== null) view.goTo(line);
	});
	return (
		<div ref={host} class="source" hidden={shown.value?.kind !== "text"} />
	);
}

function lookAtLine(line: number): void {
	const { value } = shown;
	if (value?.kind === "text") void lookAround(value.file, line);
}

async function describe(name: string): Promise<string[]> {
	const definitions = await definitionsOf(name);
	const lines = definitions
		.slice(0, DESCRIBED)
		.map(
			({ kind, symbol, file, start_line, proof }) =>
				`${kind} ${shortName(symbol)} · ${file}:${start_line} · ${proof}`,
		);
	const rest = definitions.length - DESCRIBED;
	return rest > 0 ? [...lines, `and ${rest} more`] : lines;
}
