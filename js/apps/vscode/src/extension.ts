import * as vscode from "vscode";
import type { SearchMode } from "../../../entries/slim.js";
import { AnswerView } from "./answer-view.js";
import { registerTools } from "./assistant-tools.js";
import { buildIndexes } from "./build-index.js";
import { registerChat } from "./chat.js";
import { ImpactView } from "./impact-view.js";
import { LanguageFeatures } from "./language-features.js";
import { Navigators } from "./navigators.js";
import { renameSymbol } from "./rename.js";
import { SearchView } from "./search-view.js";
import { StatusBar } from "./status-bar.js";

const DEFAULT_LIMIT = 200;

/** The API that the extension exports to other extensions and to its tests. */
export interface Api {
	search(query: string, mode?: SearchMode): Promise<void>;
	ask(question: string): Promise<void>;
	impact(from?: string): Promise<void>;
}

export function activate(context: vscode.ExtensionContext): Api {
	const dist = vscode.Uri.joinPath(context.extensionUri, "dist");
	const icon = vscode.Uri.joinPath(context.extensionUri, "media", "ragnav.svg");
	const navigators = new Navigators(dist);
	const search = new SearchView(navigators, limit);
	const answer = new AnswerView(navigators);
	const impact = new ImpactView(navigators, limit);
	const status = new StatusBar(navigators);
	const commands: Record<string, () => Promise<void>> = {
		"ragnav.search": () => search.ask("literal"),
		"ragnav.searchRegex": () => search.ask("regex"),
		"ragnav.searchRanked": () => search.ask("ranked"),
		"ragnav.refresh": () => search.refresh(),
		"ragnav.ask": () => answer.ask(),
		"ragnav.showImpact": () => impact.show(),
		"ragnav.showImpactSince": () => impact.ask(),
		"ragnav.rename": () => renameSymbol(navigators),
		"ragnav.showStatus": () => status.showDetails(),
		"ragnav.buildIndex": async () => {
			await buildIndexes(navigators);
			await Promise.all([status.refresh(), search.refresh()]);
		},
	};
	const features = new LanguageFeatures(navigators);
	void features.restart();
	context.subscriptions.push(
		navigators,
		search,
		answer,
		impact,
		status,
		features,
		...registerTools(navigators),
		...registerChat(navigators, icon),
		...Object.entries(commands).map(([name, run]) =>
			vscode.commands.registerCommand(name, withErrorMessage(run)),
		),
	);
	return {
		search: (query, mode = "literal") => search.show({ query, mode }),
		ask: (question) => answer.show(question),
		impact: (from) => impact.show(from),
	};
}

/** Shows the message of an error: the editor itself reports only that a command failed. */
function withErrorMessage(run: () => Promise<void>) {
	return async () => {
		try {
			await run();
		} catch (thrown) {
			const why = thrown instanceof Error ? thrown.message : String(thrown);
			await vscode.window.showErrorMessage(`ragnav: ${why}`);
		}
	};
}

function limit(): number {
	const settings = vscode.workspace.getConfiguration("ragnav");
	return settings.get<number>("limit") ?? DEFAULT_LIMIT;
}
