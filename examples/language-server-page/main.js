import { python } from "@codemirror/lang-python";
import {
	defaultHighlightStyle,
	syntaxHighlighting,
} from "@codemirror/language";
import {
	findReferencesKeymap,
	hoverTooltips,
	jumpToDefinitionKeymap,
	LSPClient,
	renameKeymap,
} from "@codemirror/lsp-client";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { FILES, FOLDER } from "./files.js";

/**
 * Returns a transport over a worker. The client of CodeMirror sends texts, and ports have objects.
 *
 * @param {Worker} worker
 * @returns {import("@codemirror/lsp-client").Transport}
 */
function transportOver(worker) {
	const listeners = new Map();
	return {
		send: (message) => worker.postMessage(JSON.parse(message)),
		subscribe: (handler) => {
			const listener = ({ data }) => handler(JSON.stringify(data));
			listeners.set(handler, listener);
			worker.addEventListener("message", listener);
		},
		unsubscribe: (handler) => {
			worker.removeEventListener("message", listeners.get(handler));
			listeners.delete(handler);
		},
	};
}

const worker = new Worker(new URL("./worker.js", import.meta.url), {
	type: "module",
});
const client = new LSPClient({
	rootUri: FOLDER,
	extensions: [
		hoverTooltips(),
		keymap.of([
			...jumpToDefinitionKeymap,
			...findReferencesKeymap,
			...renameKeymap,
		]),
	],
}).connect(transportOver(worker));

// A jump to another file shows its editor.
const { workspace } = client;
workspace.displayFile = async (uri) => {
	const view = workspace.getFile(uri)?.getView() ?? null;
	view?.focus();
	return view;
};

for (const [path, doc] of Object.entries(FILES)) {
	new EditorView({
		parent: document.querySelector("main"),
		doc,
		extensions: [
			lineNumbers(),
			python(),
			syntaxHighlighting(defaultHighlightStyle),
			EditorView.contentAttributes.of({ "aria-label": path }),
			client.plugin(`${FOLDER}/${path}`),
		],
	});
}
await client.initializing;
document.querySelector("main").ariaBusy = "false";
