import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Definition } from "../../../core/api.js";
import { displaySymbol } from "../../../core/plain-words.js";
import { languageOf } from "./languages.js";
import { Lazy } from "./lazy.js";
import {
	fileHash,
	go,
	goToPanel,
	hashWith,
	route,
	symbolHash,
	visits,
} from "./location.js";
import { MarkOf, Path, Skeleton } from "./marks.js";
import type { NameCard } from "./name-card.js";
import { goToDefinition } from "./navigation.js";
import { describe, loadEnclosing } from "./queries.js";
import type { NameAt, SourceView } from "./source-view.js";
import { StartPage } from "./start-page.js";
import { enclosing, files, isReading, shown } from "./state.js";
import { rememberName } from "./symbol-box.js";
import { isTouch } from "./window.js";
import { fileMark, placeOf } from "./words.js";

/** The time for which the cursor rests on a line before the page queries it, in milliseconds. */
const SETTLED_MS = 120;
const MAX_DEFINITIONS = 3;
const COPIED_MS = 1500;

/** The editor that shows sources; it is most of the page's code. */
const editor = new Lazy(() => import("./source-view.js"));

let view: SourceView | undefined;

/** Returns the view of the source, for the keys that act on it. */
export function sourceView(): SourceView | undefined {
	return view;
}

/** The open file: its path, the definitions around the cursor, and its text. */
export function Source() {
	const { value } = shown;
	const isAtStart = route.value.place.kind === "none";
	return (
		<>
			{value !== null && <Head />}
			{value === null && isAtStart && <StartPage />}
			{value === null && isReading.value && (
				<Skeleton label="Reading the file" />
			)}
			{value === null && !isAtStart && !isReading.value && (
				<p class="hint">Choose a file, or search.</p>
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

/** The head above the source. It always has one line, so that the source below never moves. */
function Head() {
	const { value } = shown;
	if (value === null) return null;
	const { file, kind } = value;
	const mark = fileMark(files.value?.statuses.get(file), files.value?.meta);
	return (
		<div class="source-head">
			<nav class="crumbs" aria-label="Place">
				<Path path={file} />
				<MarkOf mark={mark} />
				{[...enclosing.value].reverse().map((definition) => (
					<Crumb
						key={`${definition.symbol} ${definition.ordinal}`}
						definition={definition}
					/>
				))}
			</nav>
			<CopyPath file={file} />
			{kind === "text" && (
				<button
					type="button"
					class="quiet"
					title="Find in this file (Ctrl+F)"
					onClick={() => view?.find()}
				>
					Find
				</button>
			)}
		</div>
	);
}

function Crumb({ definition: { symbol, kind } }: { definition: Definition }) {
	const name = displaySymbol(symbol);
	return (
		<span class="crumb">
			<span aria-hidden="true">›</span>{" "}
			<a href={symbolHash(symbol)} title={name}>
				{kind} {name.split(".").at(-1)}
			</a>
		</span>
	);
}

function CopyPath({ file }: { file: string }) {
	const isCopied = useSignal(false);
	const copy = async () => {
		await navigator.clipboard.writeText(file);
		isCopied.value = true;
		setTimeout(() => {
			isCopied.value = false;
		}, COPIED_MS);
	};
	return (
		<button type="button" class="quiet" title="Copy the path" onClick={copy}>
			{isCopied.value ? "Copied" : "Copy path"}
		</button>
	);
}

function Text() {
	const host = useRef<HTMLDivElement>(null);
	const last = useRef<{ file: string; text: string } | null>(null);
	const drawn = useSignal<string | null>(null);
	useEffect(
		() => () => {
			view?.destroy();
			view = undefined;
		},
		[],
	);
	useSignalEffect(() => {
		// The editor and the language of a file are loaded while the file is being read.
		const { place } = route.value;
		if (place.kind !== "none") editor.load();
		if (place.kind === "file") languageOf(place.file);
	});
	useSignalEffect(() => {
		const { value } = shown;
		visits.value;
		if (value?.kind !== "text" || host.current === null) return;
		const { value: module } = editor;
		const language = languageOf(value.file);
		if (module === null || language === null) return;
		view ??= newView(module, host.current);
		const { file, text, line } = value;
		if (last.current?.file !== file || last.current.text !== text) {
			view.setText(file, text, language);
			last.current = { file, text };
			drawn.value = file;
		}
		if (line !== null) view.goTo(line);
	});
	const { value } = shown;
	const isDrawn = value?.file === drawn.value;
	return (
		<div
			ref={host}
			class={isDrawn ? "source" : "source undrawn"}
			hidden={value?.kind !== "text"}
		/>
	);
}

function newView(
	{ SourceView }: typeof import("./source-view.js"),
	host: HTMLElement,
): SourceView {
	let timer: ReturnType<typeof setTimeout> | undefined;
	return new SourceView(host, {
		onLine: (line) => {
			clearTimeout(timer);
			timer = setTimeout(() => lookAtLine(line), SETTLED_MS);
		},
		onLineNumber: (line) => withFile((file) => goToLine(file, line)),
		onName,
		describe: cardOf,
	});
}

function withFile(run: (file: string) => void): void {
	const { value } = shown;
	if (value?.kind === "text") run(value.file);
}

function goToLine(file: string, line: number): void {
	go({ place: { kind: "file", file, line } });
}

function lookAtLine(line: number): void {
	withFile((file) => void loadEnclosing(file, line));
}

/** Shows the uses of a clicked name. A tap opens its card, since another pane hides the source. */
function onName(at: NameAt, wantsDefinition: boolean): boolean {
	if (isTouch.value) return true;
	withFile((file) => {
		const subject = placeOf(file, at.line, at.column);
		rememberName(subject, at.name);
		if (wantsDefinition) void goToDefinition(subject, at.name);
		else showUses(subject);
	});
	return false;
}

function showUses(subject: string): void {
	const panel = route.value.panel === "lineage" ? "lineage" : "used";
	goToPanel({ panel, subject });
}

/** Returns the card of a name. With `isAsked` (a tap) there is a card even without a definition. */
async function cardOf(at: NameAt, isAsked: boolean): Promise<NameCard | null> {
	const { value } = shown;
	if (value?.kind !== "text") return null;
	const subject = placeOf(value.file, at.line, at.column);
	const definitions = await describe(subject);
	if (definitions === undefined) return null;
	if (definitions.length === 0 && !isAsked) return null;
	rememberName(subject, at.name);
	return {
		name: at.name,
		definitions: definitions.slice(0, MAX_DEFINITIONS).map((one) => ({
			text: `${one.kind} ${displaySymbol(one.symbol)}`,
			place: `${one.file}:${one.start_line}`,
			href: fileHash(one.file, one.start_line),
		})),
		links: linksOf(subject, at.name),
	};
}

function linksOf(subject: string, name: string) {
	const view = "results";
	return [
		{ text: "Uses", href: hashWith({ panel: "used", subject, view }) },
		{ text: "Lineage", href: hashWith({ panel: "lineage", subject, view }) },
		{ text: "Search", href: hashWith({ panel: "search", query: name, view }) },
	];
}
