import { createModelReference } from "@codingame/monaco-vscode-api/monaco";
import { editor, languages } from "@codingame/monaco-vscode-editor-api";
import { LanguageClientWrapper } from "monaco-languageclient/lcwrapper";
import { MonacoVscodeApiWrapper } from "monaco-languageclient/vscodeApiWrapper";
import { configureDefaultWorkerFactory } from "monaco-languageclient/workerFactory";
import { Uri } from "vscode";
import { FILES, FOLDER } from "./files.js";

/** The editors by the URI of their file. */
const editors = new Map();

await new MonacoVscodeApiWrapper({
	$type: "classic",
	viewsConfig: {
		$type: "EditorService",
		// A jump to another file shows its editor.
		openEditorFunc: async (model) => {
			const shown = editors.get(model.object.textEditorModel.uri.toString());
			shown?.focus();
			return shown;
		},
	},
	monacoWorkerFactory: configureDefaultWorkerFactory,
}).start();

languages.register({ id: "python", extensions: [".py"] });
for (const [path, text] of Object.entries(FILES)) {
	const uri = Uri.parse(`${FOLDER}/${path}`);
	const { object } = await createModelReference(uri, text);
	const section = document.createElement("section");
	document.querySelector("main").append(section);
	const shown = editor.create(section, {
		model: object.textEditorModel,
		minimap: { enabled: false },
	});
	editors.set(uri.toString(), shown);
}

await new LanguageClientWrapper({
	languageId: "python",
	connection: {
		options: {
			$type: "WorkerDirect",
			worker: new Worker(new URL("./worker.js", import.meta.url), {
				type: "module",
			}),
		},
	},
	clientOptions: {
		documentSelector: ["python"],
		workspaceFolder: { index: 0, name: "shop", uri: Uri.parse(FOLDER) },
	},
}).start();
document.querySelector("main").ariaBusy = "false";
