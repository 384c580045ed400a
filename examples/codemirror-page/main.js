import { python } from "@codemirror/lang-python";
import {
	defaultHighlightStyle,
	syntaxHighlighting,
} from "@codemirror/language";
import { EditorView, lineNumbers } from "@codemirror/view";
import { open } from "ragnav";
import { memoryHost } from "ragnav/hosts/memory";

const FILE = "shop/cart.py";
const SOURCE = `class Cart:
    def __init__(self):
        self.lines = []

    def add(self, article, count=1):
        self.lines.append((article, count))


def empty(cart):
    return not cart.lines
`;

const host = memoryHost({ [FILE]: SOURCE });
const nav = await open(host);
const output = document.querySelector("#symbol");

let asked = 0;

/**
 * Shows the innermost definition around the cursor.
 *
 * @param {import("@codemirror/state").EditorState} state
 */
async function showSymbol(state) {
	asked += 1;
	const question = asked;
	const line = state.doc.lineAt(state.selection.main.head).number;
	const { items } = await nav.identify(FILE, line);
	// A later question asks about a later text or place of the cursor.
	if (question !== asked) return;
	output.textContent = items[0]?.symbol ?? "outside of every definition";
}

const encoder = new TextEncoder();
const view = new EditorView({
	parent: document.querySelector("#editor"),
	doc: SOURCE,
	extensions: [
		lineNumbers(),
		python(),
		syntaxHighlighting(defaultHighlightStyle),
		EditorView.contentAttributes.of({ "aria-label": FILE }),
		EditorView.updateListener.of((update) => {
			// The host answers with the text as it is now: nothing is ever out of date.
			if (update.docChanged)
				host.files.set(FILE, encoder.encode(update.state.doc.toString()));
			if (update.docChanged || update.selectionSet) showSymbol(update.state);
		}),
	],
});
await showSymbol(view.state);
