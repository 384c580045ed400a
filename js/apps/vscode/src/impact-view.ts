import * as vscode from "vscode";
import {
	describeCompleteness,
	type ImpactResult,
} from "../../../entries/slim.js";
import { Changes } from "./changes.js";
import { pickCommit } from "./commit-pick.js";
import { counted, summaryOf } from "./freshness.js";
import {
	childrenOf,
	type ImpactNode,
	itemOf,
	nodesOf,
} from "./impact-nodes.js";
import { type Navigators, signalOf } from "./navigators.js";

const VIEW = "ragnav.impact";
const LAST_COMMIT = "HEAD";
/** The pause in milliseconds after a change before the comparison runs again. */
const PAUSE_MS = 1000;

/** The view of what a change touches. Typing in files updates it. */
export class ImpactView
	implements vscode.TreeDataProvider<ImpactNode>, vscode.Disposable
{
	readonly #navigators: Navigators;
	readonly #limit: () => number;
	readonly #view: vscode.TreeView<ImpactNode>;
	readonly #changed = new vscode.EventEmitter<undefined>();
	readonly #changes = new Changes(PAUSE_MS, () => void this.#update());
	readonly onDidChangeTreeData = this.#changed.event;
	#nodes: ImpactNode[] = [];
	#from: string | undefined;
	#running = new AbortController();

	constructor(navigators: Navigators, limit: () => number) {
		this.#navigators = navigators;
		this.#limit = limit;
		this.#view = vscode.window.createTreeView(VIEW, {
			treeDataProvider: this,
			showCollapseAll: true,
		});
	}

	/** Prompts for a commit and compares the files with it. */
	async ask(): Promise<void> {
		const [first] = await this.#navigators.all();
		const from = first && (await pickCommit(first));
		if (from) await this.show(from);
	}

	/** Compares the files as they are now, with unsaved text, with a commit. */
	async show(from = LAST_COMMIT): Promise<void> {
		this.#from = from;
		await vscode.commands.executeCommand(`${VIEW}.focus`);
		const options: vscode.ProgressOptions = { location: { viewId: VIEW } };
		await vscode.window.withProgress(options, (_, token) => {
			const update = this.#update();
			signalOf(token).addEventListener("abort", () => this.#running.abort());
			return update;
		});
	}

	getTreeItem(node: ImpactNode): vscode.TreeItem {
		return itemOf(node);
	}

	getChildren(node?: ImpactNode): ImpactNode[] {
		return node === undefined ? this.#nodes : childrenOf(node);
	}

	dispose(): void {
		this.#changes.dispose();
		this.#running.abort();
		this.#view.dispose();
		this.#changed.dispose();
	}

	async #update(): Promise<void> {
		const from = this.#from;
		if (from === undefined) return;
		this.#running.abort();
		this.#running = new AbortController();
		const { signal } = this.#running;
		const repositories = await this.#navigators.all();
		const answers = await Promise.all(
			repositories.map(async (repository) => {
				const options = { from, limit: this.#limit(), signal };
				return { repository, answer: await repository.nav.impact(options) };
			}),
		);
		// A later comparison has replaced this one.
		if (signal.aborted) return;
		this.#nodes = answers.flatMap(nodesOf);
		this.#view.title =
			from === LAST_COMMIT
				? vscode.l10n.t("Changes")
				: vscode.l10n.t("Changes since {0}", from);
		this.#view.message = answers.map(({ answer }) => lineOf(answer)).join("\n");
		this.#changed.fire(undefined);
	}
}

/** Describes in one line how much changed, and how fresh and complete the answer is. */
function lineOf(answer: ImpactResult): string {
	const { meta, items, total, affected_total, tests_total } = answer;
	const symbols = counted(total ?? items.length, "changed symbol");
	const uses = counted(affected_total, "reference");
	const tests = counted(tests_total, "test");
	const sureness = describeCompleteness(answer);
	return summaryOf(meta, `${symbols}, ${uses}, ${tests}, ${sureness}`);
}
