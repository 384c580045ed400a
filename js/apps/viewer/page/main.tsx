import { render } from "preact";
import { App } from "./app.js";
import { onPageKey } from "./keys.js";
import { followAddress } from "./location.js";
import { followChanges, openSource } from "./open-repository.js";
import { opened } from "./state.js";
import { applyTheme } from "./theme.js";

/**
 * The time between two checks of a served repository while the page is visible, in milliseconds.
 */
const CHECK_MS = 2000;

applyTheme();
const root = document.getElementById("app");
if (root !== null) render(<App />, root);

addEventListener("hashchange", followAddress);
addEventListener("keydown", onPageKey);
// A check of a local folder reads the stamp of every file, so it runs only on return to the page.
addEventListener("focus", () => void followChanges());

const url = new URL("repo/", document.baseURI).href;
void openSource({ kind: "served", url }).then(checkAgain);

async function checkAgain(): Promise<void> {
	const isServed = opened.value?.kind === "served";
	if (isServed && document.visibilityState === "visible") await followChanges();
	setTimeout(checkAgain, CHECK_MS);
}
