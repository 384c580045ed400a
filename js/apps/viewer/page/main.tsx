import { render } from "preact";
import { followChanges, followRoute, openSource } from "./actions.js";
import { App } from "./app.js";
import { onPageKey } from "./keys.js";
import { opened } from "./state.js";
import { applyTheme } from "./theme.js";

/** How often a served repository is looked at while the page is in sight, in milliseconds. */
const LOOK_MS = 2000;

applyTheme();
const place = document.getElementById("app");
if (place !== null) render(<App />, place);

addEventListener("hashchange", () => void followRoute());
addEventListener("keydown", onPageKey);
// A folder's files have to be looked at one by one: only who comes back to the page may find others.
addEventListener("focus", () => void followChanges());

const url = new URL("repo/", document.baseURI).href;
void openSource({ kind: "served", url }).then(lookAgain);

async function lookAgain(): Promise<void> {
	const isServed = opened.value?.kind === "served";
	if (isServed && document.visibilityState === "visible") await followChanges();
	setTimeout(lookAgain, LOOK_MS);
}
