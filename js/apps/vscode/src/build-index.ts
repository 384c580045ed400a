import * as vscode from "vscode";
import { counted } from "./freshness.js";
import { type Navigators, type Repository, signalOf } from "./navigators.js";

/** Builds the indexes of all folders with documents, and reports the results. */
export async function buildIndexes(navigators: Navigators): Promise<void> {
	for (const repository of await navigators.all()) {
		const title = `ragnav: indexing ${repository.folder.name}`;
		await vscode.window.withProgress(
			{
				location: vscode.ProgressLocation.Notification,
				title,
				cancellable: true,
			},
			(progress, token) => build(repository, progress, token),
		);
	}
}

async function build(
	{ folder, nav }: Repository,
	progress: vscode.Progress<{ message?: string }>,
	token: vscode.CancellationToken,
): Promise<void> {
	const { meta, counts } = await nav.buildGraph({
		documents: true,
		signal: signalOf(token),
		onProgress: ({ done, total, phase }) =>
			progress.report({ message: `${phase}: ${done} of ${total ?? "?"}` }),
	});
	if (meta.status === "ERROR") {
		if (meta.error_code === "CANCELLED") return;
		await vscode.window.showErrorMessage(`ragnav: ${meta.message}`);
		return;
	}
	const files = counts.added + counts.changed + counts.unchanged;
	const message = `ragnav: ${folder.name} is indexed, ${counted(files, "file")}.`;
	// The command ends without waiting for the user to close the message.
	void vscode.window.showInformationMessage(message);
}
