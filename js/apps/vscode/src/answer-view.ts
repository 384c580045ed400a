import * as vscode from "vscode";
import type { AgentResult, Passage } from "../../../entries/slim.js";
import { counted, proofOf, summaryOf } from "./freshness.js";
import {
	type Navigators,
	type Repository,
	signalOf,
	uriOf,
} from "./navigators.js";

interface Node {
	repository: Repository;
	passage: Passage;
}

/** The view of the passages that answer a question. */
export class AnswerView
	implements vscode.TreeDataProvider<Node>, vscode.Disposable
{
	readonly #navigators: Navigators;
	readonly #view: vscode.TreeView<Node>;
	readonly #changed = new vscode.EventEmitter<undefined>();
	readonly onDidChangeTreeData = this.#changed.event;
	#nodes: Node[] = [];

	constructor(navigators: Navigators) {
		this.#navigators = navigators;
		this.#view = vscode.window.createTreeView("ragnav.answer", {
			treeDataProvider: this,
		});
	}

	/** Prompts for a question and shows its answer. */
	async ask(): Promise<void> {
		const question = await vscode.window.showInputBox({
			title: "ragnav: Ask",
			prompt: vscode.l10n.t("A question about notes and code"),
		});
		if (question) await this.show(question);
	}

	async show(question: string): Promise<void> {
		await vscode.commands.executeCommand("ragnav.answer.focus");
		const options: vscode.ProgressOptions = {
			location: { viewId: "ragnav.answer" },
		};
		await vscode.window.withProgress(options, (_, token) =>
			this.#answer(question, token),
		);
	}

	async #answer(
		question: string,
		token: vscode.CancellationToken,
	): Promise<void> {
		const repositories = await this.#navigators.all();
		const signal = signalOf(token);
		const answers = await Promise.all(
			repositories.map(({ nav }) => nav.ask(question, { signal })),
		);
		this.#nodes = answers.flatMap(({ items }, at) =>
			items.map((passage) => ({
				repository: repositories[at] as Repository,
				passage,
			})),
		);
		this.#view.title = vscode.l10n.t("Answer: {0}", question);
		this.#view.message = answers.map(lineOf).join("\n");
		this.#changed.fire(undefined);
	}

	getTreeItem({ repository, passage }: Node): vscode.TreeItem {
		const { title, citation, about } = passage;
		const heading = citation?.heading ?? title;
		const item = new vscode.TreeItem(
			heading === title ? title : `${title} › ${heading}`,
		);
		const place = citation
			? `${citation.path}:${citation.start_line ?? 1}`
			: undefined;
		item.description = [about, place, proofOf(passage)]
			.filter(Boolean)
			.join(" · ");
		if ("content" in passage) item.tooltip = codeBlock(passage.content);
		if (citation) {
			const line = (citation.start_line ?? 1) - 1;
			const end = citation.end_line ?? line + 1;
			item.command = {
				command: "vscode.open",
				title: "Open",
				arguments: [
					uriOf(repository, citation.path),
					// Whole lines, and with the last one its end.
					{ selection: new vscode.Range(line, 0, end, 0) },
				],
			};
		}
		return item;
	}

	getChildren(node?: Node): Node[] {
		return node === undefined ? this.#nodes : [];
	}

	dispose(): void {
		this.#view.dispose();
		this.#changed.dispose();
	}
}

function lineOf({ meta, items }: AgentResult): string {
	return summaryOf(meta, counted(items.length, "passage"));
}

/** Shows text of files as code, so that no link or image in it is active. */
function codeBlock(content: string): vscode.MarkdownString {
	return new vscode.MarkdownString().appendCodeblock(content);
}
