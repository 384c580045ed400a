import * as vscode from "vscode";
import {
	type AffectedItem,
	describeCondition,
	describeProof,
	displaySymbol,
	type ImpactItem,
	type ImpactResult,
	type ReachingTest,
} from "../../../entries/slim.js";
import { counted, proofOf } from "./freshness.js";
import { type Repository, uriOf } from "./navigators.js";
import { rangeOf } from "./place.js";

/** A row of the view: a changed symbol, a reference, a test, or a group of rows. */
export type ImpactNode = { repository: Repository } & (
	| { kind: "changed"; item: ImpactItem; uses: ImpactNode[] }
	| { kind: "use"; use: AffectedItem }
	| { kind: "test"; test: ReachingTest }
	| { kind: "group"; label: string; isOpen: boolean; rows: ImpactNode[] }
);

/** An answer with the folder that it is about. */
export interface FolderImpact {
	repository: Repository;
	answer: ImpactResult;
}

/** Returns the rows of an answer: changed symbols, and then the tests that reach them. */
export function nodesOf({ repository, answer }: FolderImpact): ImpactNode[] {
	const { items, total, affected, affected_total, tests, tests_total } = answer;
	const changed = items.map((item): ImpactNode => {
		const uses = affected.filter(({ of }) => of === item.symbol);
		return {
			repository,
			kind: "changed",
			item,
			uses: useNodes(repository, uses),
		};
	});
	const testRows = tests.map(
		(test): ImpactNode => ({ repository, kind: "test", test }),
	);
	const group = (label: string, rows: ImpactNode[] = []): ImpactNode => ({
		repository,
		kind: "group",
		label,
		isOpen: rows.length > 0,
		rows,
	});
	const leftOut = [
		...moreOf((total ?? items.length) - items.length, "changed symbol"),
		...moreOf(affected_total - affected.length, "reference"),
		...moreOf(tests_total - tests.length, "test"),
	];
	return [
		...changed,
		...(tests.length > 0 ? [group("Tests that reach them", testRows)] : []),
		...leftOut.map((label) => group(label)),
	];
}

/** Returns the rows below a row. */
export function childrenOf(node: ImpactNode): ImpactNode[] {
	if (node.kind === "changed") return node.uses;
	return node.kind === "group" ? node.rows : [];
}

/** Returns how the editor shows a row. */
export function itemOf(node: ImpactNode): vscode.TreeItem {
	switch (node.kind) {
		case "changed":
			return changedItem(node.repository, node.item, node.uses.length > 0);
		case "use":
			return useItem(node.repository, node.use);
		case "test":
			return testItem(node.repository, node.test);
		case "group":
			return groupItem(node);
	}
}

/** Returns resolved references, and then a group of those that only share the name. */
function useNodes(
	repository: Repository,
	uses: readonly AffectedItem[],
): ImpactNode[] {
	const nodes = (isCandidate: boolean) =>
		uses
			.filter(({ resolution }) => (resolution === "candidate") === isCandidate)
			.map((use): ImpactNode => ({ repository, kind: "use", use }));
	const candidates = nodes(true);
	if (candidates.length === 0) return nodes(false);
	const label = `${counted(candidates.length, "reference")} by name alone`;
	const group: ImpactNode = {
		repository,
		kind: "group",
		label,
		isOpen: false,
		rows: candidates,
	};
	return [...nodes(false), group];
}

function moreOf(count: number, noun: string): string[] {
	return count > 0 ? [`… and ${counted(count, noun)} more (ragnav.limit)`] : [];
}

function changedItem(
	repository: Repository,
	item: ImpactItem,
	hasUses: boolean,
): vscode.TreeItem {
	const { symbol, changes, kind, file, start_line, was, proof } = item;
	const { Expanded, None } = vscode.TreeItemCollapsibleState;
	const row = new vscode.TreeItem(
		displaySymbol(symbol),
		hasUses ? Expanded : None,
	);
	const isElsewhere = was !== null && was.symbol !== symbol;
	const from = isElsewhere ? `was ${displaySymbol(was.symbol)}` : undefined;
	const at = `${file}:${start_line}`;
	row.description = [changes.join(", "), from, at, describeCondition(item)]
		.filter(Boolean)
		.join(" · ");
	row.tooltip = `${kind} · ${describeProof(proof)}`;
	// A removed symbol has no place any more.
	if (!changes.includes("removed")) {
		row.command = openAt(repository, file, start_line);
	}
	return row;
}

function useItem(repository: Repository, use: AffectedItem): vscode.TreeItem {
	const { via, depth, edge, of, file, line } = use;
	// The way from the changed symbol. Code outside of definitions is no symbol, so it is not on it.
	const way = [of, ...via];
	const name =
		way.length > depth ? displaySymbol(way.pop() ?? of) : "module level";
	const referred = displaySymbol(way.at(-1) ?? of);
	const row = new vscode.TreeItem(`${name} ${edge} ${referred}`);
	const steps = depth > 1 ? `in ${depth} steps` : undefined;
	row.description = [`${file}:${line}`, steps, proofOf(use)]
		.filter(Boolean)
		.join(" · ");
	row.tooltip = `${file}:${line} · ${use.freshness_state} · ${proofOf(use)}`;
	row.command = {
		command: "vscode.open",
		title: "Open",
		arguments: [uriOf(repository, file), { selection: rangeOf(use) }],
	};
	return row;
}

function testItem(repository: Repository, test: ReachingTest): vscode.TreeItem {
	const { file, symbol, line, depth, reaches } = test;
	const name = symbol === null ? "module level" : displaySymbol(symbol);
	const row = new vscode.TreeItem(name);
	const steps = depth === 0 ? "changed itself" : `in ${counted(depth, "step")}`;
	const reached = `reaches ${counted(reaches, "symbol")}`;
	row.description = [`${file}:${line}`, reached, steps].join(" · ");
	row.command = openAt(repository, file, line);
	return row;
}

function groupItem({
	label,
	isOpen,
	rows,
}: Extract<ImpactNode, { kind: "group" }>): vscode.TreeItem {
	const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
	const state = isOpen ? Expanded : Collapsed;
	return new vscode.TreeItem(label, rows.length === 0 ? None : state);
}

function openAt(
	repository: Repository,
	file: string,
	line: number,
): vscode.Command {
	const start = new vscode.Range(line - 1, 0, line - 1, 0);
	return {
		command: "vscode.open",
		title: "Open",
		arguments: [uriOf(repository, file), { selection: start }],
	};
}
