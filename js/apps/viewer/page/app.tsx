import { Help } from "./help.js";
import { go, hashWith, route } from "./location.js";
import { Menu } from "./menu.js";
import { Palettes } from "./palette.js";
import { Panels } from "./panels.js";
import type { View } from "./route.js";
import { SearchBox } from "./search-panel.js";
import { Source } from "./source.js";
import { filesWidth, resultsWidth, Splitter } from "./splitter.js";
import { latestMeta, notice, opened, progress } from "./state.js";
import { Tree } from "./tree.js";
import { freshnessOf } from "./words.js";

/** The whole page. */
export function App() {
	const widths = {
		"--files-width": `${filesWidth.value}px`,
		"--results-width": `${resultsWidth.value}px`,
	};
	return (
		<>
			<header>
				<h1>
					<a href={hashWith({ place: { kind: "none" }, view: "source" })}>
						{opened.value?.name ?? "ragnav"}
					</a>
				</h1>
				<SearchBox />
				<Menu />
			</header>
			<Notice />
			<Progress />
			<main data-view={route.value.view} style={widths}>
				<section aria-label="File tree" class="pane files-pane">
					<Tree />
				</section>
				<Splitter
					label="Width of the file tree"
					width={filesWidth}
					isPaneAtRight={false}
				/>
				<section aria-label="Source" class="pane source-pane">
					<Source />
				</section>
				<Splitter
					label="Width of the answers"
					width={resultsWidth}
					isPaneAtRight={true}
				/>
				<section aria-label="Answers" class="pane results-pane">
					<Panels />
				</section>
			</main>
			<Footer />
			<ViewSwitch />
			<Help />
			<Palettes />
		</>
	);
}

function Notice() {
	if (notice.value === null) return null;
	return (
		<div class="notice" role="alert">
			<span>{notice.value}</span>
			<button
				type="button"
				onClick={() => {
					notice.value = null;
				}}
			>
				Dismiss
			</button>
		</div>
	);
}

/** The progress of a build or a question. */
function Progress() {
	if (progress.value === null) return null;
	return (
		<div class="progress" role="status">
			<span aria-hidden="true" /> {progress.value}
		</div>
	);
}

/** The freshness of the latest answer, or the reason of its failure. */
function Footer() {
	const { value: meta } = latestMeta;
	const words = meta === null ? null : freshnessOf(meta);
	return (
		<footer>
			<span
				role="status"
				aria-label="Freshness"
				class={`freshness ${words?.tone ?? ""}`}
				title={words?.details}
			>
				{words?.text ?? "Loading"}
			</span>
		</footer>
	);
}

const VIEW_NAMES: [View, string][] = [
	["files", "Files"],
	["results", "Results"],
	["source", "Source"],
];

/** The buttons that switch between the panes of a narrow window. */
function ViewSwitch() {
	return (
		<nav class="view-switch" aria-label="Panes">
			{VIEW_NAMES.map(([view, name]) => (
				<button
					key={view}
					type="button"
					aria-current={route.value.view === view ? "page" : undefined}
					onClick={() => go({ view })}
				>
					{name}
				</button>
			))}
		</nav>
	);
}
