import * as vscode from "vscode";
import {
	describeCondition,
	markedLine,
	type NavItem,
	type SearchMode,
	type SearchResult,
} from "../../../entries/slim.js";
import { Changes } from "./changes.js";
import { counted, proofOf, summaryOf } from "./freshness.js";
import { type Navigators, type Repository, uriOf } from "./navigators.js";
import { rangeOf } from "./place.js";

/** A file with its rows. */
interface FileNode {
	repository: Repository;
	file: string;
	rows: NavItem[];
}
interface RowNode {
	of: FileNode;
	row: NavItem;
}
type Node = FileNode | RowNode;

/** The parameters of a search. */
interface Search {
	query: string;
	mode: SearchMode;
}

/** The pause in milliseconds after a change before the search runs again. */
const PAUSE_MS = 250;

/** The view of a search: rows by file, each with its proof. Typing in files updates it. */
export class SearchView
	implements vscode.TreeDataProvider<Node>, vscode.Disposable
{
	readonly #navigators: Navigators;
	readonly #limit: () => number;
	readonly #view: vscode.TreeView<Node>;
	readonly #changed = new vscode.EventEmitter<undefined>();
	readonly #changes = new Changes(PAUSE_MS, () => void this.refresh());
	readonly onDidChangeTreeData = this.#changed.event;
	#files: FileNode[] = [];
	#search: Search | undefined;
	#running = new AbortController();

	constructor(navigators: Navigators, limit: () => number) {
		this.#navigators = navigators;
		this.#limit = limit;
		this.#view = vscode.window.createTreeView("ragnav.results", {
			treeDataProvider: this,
			showCollapseAll: true,
		});
	}

	/** Prompts for a query and shows its rows. */
	async ask(mode: SearchMode): Promise<void> {
		const query = await vscode.window.showInputBox({
			title: "ragnav: Search",
			prompt: PROMPTS[mode],
			value: this.#search?.query ?? "",
		});
		if (query) await this.show({ query, mode });
	}

	async show(search: Search): Promise<void> {
		this.#search = search;
		await vscode.commands.executeCommand("ragnav.results.focus");
		await this.refresh();
	}

	/** Runs the search again. */
	async refresh(): Promise<void> {
		const search = this.#search;
		if (search === undefined) return;
		this.#running.abort();
		this.#running = new AbortController();
		const { signal } = this.#running;
		const repositories = await this.#navigators.all();
		const answers = await Promise.all(
			repositories.map((repository) =>
				repository.nav.search(search.query, {
					mode: search.mode,
					limit: this.#limit(),
					signal,
				}),
			),
		);
		// A later search has replaced this one.
		if (signal.aborted) return;
		this.#files = answers.flatMap((answer, at) =>
			filesOf(repositories[at] as Repository, answer),
		);
		this.#view.title = vscode.l10n.t("Search: {0}", search.query);
		this.#view.message = answers.map(lineOf).join("\n");
		this.#changed.fire(undefined);
	}

	getTreeItem(node: Node): vscode.TreeItem {
		return "rows" in node ? fileItem(node) : rowItem(node);
	}

	getChildren(node?: Node): Node[] {
		if (node === undefined) return this.#files;
		return "rows" in node ? node.rows.map((row) => ({ of: node, row })) : [];
	}

	dispose(): void {
		this.#changes.dispose();
		this.#running.abort();
		this.#view.dispose();
		this.#changed.dispose();
	}
}

const PROMPTS: Record<SearchMode, string> = {
	literal: "A text",
	regex: "A regular expression",
	ranked: "Words or names; what fits best comes first",
};

function filesOf(repository: Repository, { items }: SearchResult): FileNode[] {
	const files = new Map<string, FileNode>();
	for (const row of items) {
		const node = files.get(row.file) ?? {
			repository,
			file: row.file,
			rows: [],
		};
		node.rows.push(row);
		files.set(row.file, node);
	}
	return [...files.values()];
}

function lineOf({ meta, items, total, truncated }: SearchResult): string {
	const shown = counted(items.length, "row");
	const of = total !== null && total > items.length ? ` of ${total}` : "";
	const more = truncated && total === null ? " at least" : "";
	return summaryOf(meta, `${shown}${of}${more}`);
}

function fileItem({ repository, file, rows }: FileNode): vscode.TreeItem {
	const item = new vscode.TreeItem(
		uriOf(repository, file),
		vscode.TreeItemCollapsibleState.Expanded,
	);
	item.label = file;
	item.description = counted(rows.length, "row");
	item.iconPath = vscode.ThemeIcon.File;
	return item;
}

function rowItem({ of, row }: RowNode): vscode.TreeItem {
	const { label, highlight } = lineText(row);
	const item = new vscode.TreeItem({ label, highlights: [highlight] });
	const symbol = row.symbol?.replace(/^sym:/, "");
	const condition = describeCondition(row);
	item.description = [`line ${row.line}`, proofOf(row), symbol, condition]
		.filter(Boolean)
		.join(" · ");
	item.tooltip = `${of.file}:${row.line} · ${row.freshness_state} · ${proofOf(row)}`;
	item.accessibilityInformation = {
		label: `${label}, ${item.description}`,
	};
	item.command = {
		command: "vscode.open",
		title: "Open",
		arguments: [uriOf(of.repository, of.file), { selection: rangeOf(row) }],
	};
	return item;
}

/** Returns the line of a row without its indentation, and the range of the match in it. */
function lineText(row: NavItem): {
	label: string;
	highlight: [number, number];
} {
	const { before, match, after } = markedLine(row);
	const label = (before + match + after).trimStart();
	const cut = before.length + match.length + after.length - label.length;
	const within = (at: number) => Math.min(Math.max(at - cut, 0), label.length);
	const start = before.length;
	const end = start + match.length;
	return { label, highlight: [within(start), within(end)] };
}
