import { useSignal, useSignalEffect } from "@preact/signals";
import type { SearchMode } from "../../../core/api.js";
import { formatCount } from "../../../core/counts.js";
import { worker } from "./client.js";
import { Lazy } from "./lazy.js";
import { fileHash, hashWith } from "./location.js";
import { Freshness, Path, Skeleton } from "./marks.js";
import { recentFiles } from "./recent.js";
import { files, opened } from "./state.js";

const markdown = new Lazy(() => import("./markdown.js"));

const README = /^readme(\.(md|markdown|rst|txt))?$/i;

const EXAMPLES: { mode: SearchMode; query: string; what: string }[] = [
	{ mode: "literal", query: "TODO", what: "a text" },
	{ mode: "regex", query: "def test_\\w+", what: "a regular expression" },
	{ mode: "ranked", query: "open file", what: "words, the best rows first" },
];

/** The start page, which the source pane shows before a file is open. */
export function StartPage() {
	const { value } = files;
	if (opened.value === null || value === null) {
		return <Skeleton label="Opening the repository" />;
	}
	const count = formatCount(value.paths.length);
	return (
		<section
			class="start"
			aria-label="Start"
			// biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
			tabIndex={0}
		>
			<h2>{opened.value.name}</h2>
			<p>
				{count} files. {value.meta && <Freshness meta={value.meta} />}
			</p>
			<div class="start-lists">
				<Recent />
				<Examples />
			</div>
			<Readme paths={value.paths} />
		</section>
	);
}

function Recent() {
	if (recentFiles.value.length === 0) return null;
	return (
		<div>
			<h3>Recent files</h3>
			<ul>
				{recentFiles.value.map((file) => (
					<li key={file}>
						<a href={fileHash(file)} aria-label={file}>
							<Path path={file} />
						</a>
					</li>
				))}
			</ul>
		</div>
	);
}

function Examples() {
	const view = "results";
	return (
		<div>
			<h3>Try a search</h3>
			<ul>
				{EXAMPLES.map(({ mode, query, what }) => (
					<li key={query}>
						<a href={hashWith({ mode, query, panel: "search", view })}>
							<code>{query}</code>
						</a>{" "}
						{what}
					</li>
				))}
			</ul>
		</div>
	);
}

function Readme({ paths }: { paths: readonly string[] }) {
	const text = useSignal<string | null>(null);
	const name = paths.find((path) => README.test(path));
	useSignalEffect(() => {
		if (name === undefined) return;
		void worker.text(name).then((read) => {
			text.value = "text" in read ? read.text : null;
		});
	});
	if (name === undefined || text.value === null) return null;
	if (!/\.(md|markdown)$/i.test(name)) {
		return (
			<article class="readme" aria-label={name}>
				<pre>{text.value}</pre>
			</article>
		);
	}
	const Markdown = markdown.value?.Markdown;
	if (Markdown === undefined) return null;
	return (
		<article class="readme" aria-label={name}>
			<Markdown text={text.value} />
		</article>
	);
}
