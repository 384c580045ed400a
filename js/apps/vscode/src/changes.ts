import * as vscode from "vscode";

/**
 * Runs a callback after files or unsaved documents of the workspace's folders have changed, once
 * changes pause.
 */
export class Changes implements vscode.Disposable {
	readonly #listening: vscode.Disposable[];
	readonly #run: () => void;
	readonly #pauseMs: number;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(pauseMs: number, run: () => void) {
		this.#pauseMs = pauseMs;
		this.#run = run;
		const later = () => this.later();
		const laterFor = ({ uri }: vscode.TextDocument) => {
			// Output logs are documents too, and change all the time.
			if (vscode.workspace.getWorkspaceFolder(uri)) later();
		};
		this.#listening = [
			vscode.workspace.onDidChangeTextDocument(({ document }) =>
				laterFor(document),
			),
			vscode.workspace.onDidSaveTextDocument(laterFor),
			vscode.workspace.onDidCreateFiles(later),
			vscode.workspace.onDidDeleteFiles(later),
			vscode.workspace.onDidRenameFiles(later),
			vscode.workspace.onDidChangeWorkspaceFolders(later),
		];
	}

	/** Schedules the callback; a further change postpones it. */
	later(): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(this.#run, this.#pauseMs);
	}

	dispose(): void {
		clearTimeout(this.#timer);
		for (const listening of this.#listening) listening.dispose();
	}
}
