import { build } from "./actions.js";
import { Help } from "./help.js";
import { Opener } from "./opener.js";
import { Panels } from "./panels.js";
import { SearchBox } from "./search-panel.js";
import { Source } from "./source.js";
import { building, helpIsOpen, opened, restsOnMeta, trouble } from "./state.js";
import { nextTheme, theme } from "./theme.js";
import { Tree } from "./tree.js";
import { restsOn } from "./words.js";

/** The whole page. */
export function App() {
	return (
		<>
			<header>
				<h1>{opened.value?.name ?? "ragnav"}</h1>
				<SearchBox />
				<div class="buttons">
					<button
						type="button"
						disabled={building.value !== null || opened.value === null}
						title="Makes the index in this page's memory"
						onClick={build}
					>
						Build index
					</button>
					<Opener />
					<button type="button" onClick={nextTheme}>
						Theme: {theme.value}
					</button>
					<button
						type="button"
						onClick={() => {
							helpIsOpen.value = true;
						}}
					>
						Keys
					</button>
				</div>
			</header>
			<Trouble />
			<main>
				<section aria-label="File tree" class="pane">
					<Tree />
				</section>
				<section aria-label="Source" class="pane">
					<Source />
				</section>
				<section aria-label="Answers" class="pane">
					<Panels />
				</section>
			</main>
			<Footer />
			<Help />
		</>
	);
}

function Trouble() {
	if (trouble.value === null) return null;
	return (
		<div class="trouble" role="alert">
			<span>{trouble.value}</span>
			<button
				type="button"
				onClick={() => {
					trouble.value = null;
				}}
			>
				Dismiss
			</button>
		</div>
	);
}

/** What the last answer rests on, and how far a build is. */
function Footer() {
	const meta = restsOnMeta.value;
	const rest = meta === null ? null : restsOn(meta);
	return (
		<footer>
			<span role="status" aria-label="Freshness">
				{rest === null ? (
					"Loading…"
				) : (
					<>
						<strong class={`state ${meta?.freshness_state.toLowerCase()}`}>
							{rest.short}
						</strong>{" "}
						{rest.words}
						{rest.counts}
					</>
				)}
				{building.value !== null && <span> · working: {building.value}</span>}
			</span>
		</footer>
	);
}
