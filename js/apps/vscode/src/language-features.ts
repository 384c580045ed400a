import * as vscode from "vscode";
import {
	BrowserMessageReader,
	BrowserMessageWriter,
	type DynamicFeature,
	ExecuteCommandRequest,
	LanguageClient,
	type MessageTransports,
	type StaticFeature,
} from "vscode-languageclient/browser";
import { serveLanguage } from "../../lsp/server/serve-language.js";
import { selectorOf } from "./languages.js";
import type { Navigators } from "./navigators.js";

/** The settings after whose change the server starts again. */
const SETTINGS = [
	...["languages", "languagesFile"],
	...["references", "renameCandidates", "codeLens"],
];

/** A client without the server's commands: the extension has its own of these names. */
class FeatureClient extends LanguageClient {
	override registerFeature(
		feature: StaticFeature | DynamicFeature<unknown>,
	): void {
		const isCommands =
			"registrationType" in feature &&
			feature.registrationType.method === ExecuteCommandRequest.method;
		if (!isCommands) super.registerFeature(feature);
	}
}

/**
 * The editor's own features, such as definitions, hovers and renames: ragnav's language server, in the
 * extension's own process, over the navigators of the other views.
 */
export class LanguageFeatures implements vscode.Disposable {
	readonly #navigators: Navigators;
	readonly #listening: vscode.Disposable[];
	#client: LanguageClient | undefined;
	/** Ends when the server runs, or has ended. */
	#change: Promise<void> = Promise.resolve();

	constructor(navigators: Navigators) {
		this.#navigators = navigators;
		this.#listening = [
			vscode.workspace.onDidChangeConfiguration((change) => {
				const isOwn = (name: string) =>
					change.affectsConfiguration(`ragnav.${name}`);
				if (SETTINGS.some(isOwn)) void this.restart();
			}),
			vscode.extensions.onDidChange(() => void this.restart()),
		];
	}

	/** Starts the server for the languages in use, or again where these have changed. */
	restart(): Promise<void> {
		this.#change = this.#change.then(async () => {
			await this.#stop();
			await this.#start();
		});
		return this.#change;
	}

	dispose(): Promise<void> {
		for (const listening of this.#listening) listening.dispose();
		this.#change = this.#change.then(() => this.#stop());
		return this.#change;
	}

	async #start(): Promise<void> {
		const documentSelector = selectorOf(await this.#navigators.plugins());
		if (documentSelector.length === 0) return;
		const settings = vscode.workspace.getConfiguration("ragnav");
		const client = new FeatureClient(
			"ragnav",
			"ragnav",
			async () => this.#serve(),
			{
				documentSelector,
				initializationOptions: {
					references: settings.get("references"),
					renameCandidates: settings.get("renameCandidates"),
					codeLens: settings.get("codeLens"),
				},
			},
		);
		this.#client = client;
		await client.start();
	}

	async #stop(): Promise<void> {
		const client = this.#client;
		this.#client = undefined;
		await client?.dispose();
	}

	/** Returns the client's end of a channel to a new server. */
	#serve(): MessageTransports {
		const { port1, port2 } = new MessageChannel();
		serveLanguage(port1, {
			openHost: (folder) => this.#navigators.ofFolder(folder),
			// The navigators know of changes by the editor.
			watch: false,
		});
		return {
			reader: new BrowserMessageReader(port2),
			writer: new BrowserMessageWriter(port2),
		};
	}
}
