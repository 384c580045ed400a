import * as vscode from "vscode";
import {
	type GitRepository,
	repositoryAround,
} from "../../../hosts/vscode/git.js";
import type { Repository } from "./navigators.js";

/** The number of branches and tags, and of commits, from which to choose. */
const MAX_REFS = 50;
const MAX_COMMITS = 20;
const SHORT_ID = 10;

const TITLE = "ragnav: Compare with";
const PROMPT = "A branch, a tag or a commit";

interface Pick extends vscode.QuickPickItem {
	/** The commit; `undefined` to type one. */
	commit: string | undefined;
}

/** Prompts for a commit of a folder's repository; `undefined` if the prompt was left. */
export async function pickCommit({
	folder,
}: Repository): Promise<string | undefined> {
	const repository = repositoryAround(vscode as never, folder.uri);
	if (repository === undefined) return typedCommit();
	const picked = await vscode.window.showQuickPick(picksOf(repository), {
		title: TITLE,
		placeHolder: PROMPT,
		matchOnDescription: true,
	});
	if (picked === undefined) return undefined;
	return picked.commit ?? typedCommit();
}

async function picksOf(repository: GitRepository): Promise<Pick[]> {
	const [refs = [], commits = []] = await Promise.all([
		repository.getRefs?.({ count: MAX_REFS }),
		repository.log?.({ maxEntries: MAX_COMMITS }),
	]);
	const names = refs.flatMap(({ name }) => (name === undefined ? [] : [name]));
	const named = [...new Set(["HEAD", ...names])].map(
		(label): Pick => ({ label, commit: label }),
	);
	const recent = commits.map(
		({ hash, message }): Pick => ({
			label: hash.slice(0, SHORT_ID),
			description: message.split("\n", 1)[0] ?? "",
			commit: hash,
		}),
	);
	const other: Pick = {
		label: vscode.l10n.t("Another commit…"),
		commit: undefined,
	};
	return [...named, ...recent, other];
}

async function typedCommit(): Promise<string | undefined> {
	const options = { title: TITLE, prompt: PROMPT };
	return (await vscode.window.showInputBox(options)) || undefined;
}
