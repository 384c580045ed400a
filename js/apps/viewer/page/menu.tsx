import { buildIndex } from "./open-repository.js";
import { Opener } from "./opener.js";
import { dialog, opened, progress } from "./state.js";
import { nextTheme, theme } from "./theme.js";

/** The menu of the page, with the controls that one needs less often than the search. */
export function Menu() {
	return (
		<>
			<button type="button" class="menu-button" popovertarget="menu">
				Menu
			</button>
			<div id="menu" class="menu" popover="auto">
				<button
					type="button"
					onClick={() => {
						close();
						dialog.value = "files";
					}}
				>
					Go to a file <kbd>Ctrl+P</kbd>
				</button>
				<button
					type="button"
					onClick={() => {
						close();
						dialog.value = "commands";
					}}
				>
					Commands and symbols <kbd>Ctrl+K</kbd>
				</button>
				<button
					type="button"
					disabled={progress.value !== null || opened.value === null}
					title="Builds the index in the memory of this page"
					onClick={() => {
						close();
						void buildIndex();
					}}
				>
					Build index
				</button>
				<Opener onOpen={close} />
				<button type="button" onClick={nextTheme}>
					Theme: {theme.value}
				</button>
				<button
					type="button"
					onClick={() => {
						close();
						dialog.value = "keys";
					}}
				>
					Keys <kbd>?</kbd>
				</button>
			</div>
		</>
	);
}

function close(): void {
	document.getElementById("menu")?.hidePopover();
}
